import { request as createRequest, type IncomingMessage } from 'node:http'
import type { Socket } from 'node:net'
import type { Plugin, PluginCall, PluginOutcome } from '../plugin.ts'
import type { PluginSettings } from '../plugin-settings.ts'
import { faultsOfGet, faultsOfPost, summaryOf, targetOf } from './arguments.ts'
import { reachOf, readBaseUrl, readConfig, type Reach } from './base-url.ts'
import { connect, realNetwork, type AppConnection, type Network } from './connect.ts'
import { parseJson, readBody, saysJson } from './json-answer.ts'

const operations: Plugin['operations'] = {
  get: {
    effect: 'reads',
    faultsOf: faultsOfGet,
    summaryOf: (config, args) => summaryOf('GET', config, args),
  },
  post: {
    effect: 'changes',
    faultsOf: faultsOfPost,
    summaryOf: (config, args) => summaryOf('POST', config, args),
  },
}

// One text for everything that keeps a call from the app, so that nobody can explore a network with it.
const unreachable: PluginOutcome = { outcome: 'unreachable', detail: 'The app cannot be reached.' }
const unknown: PluginOutcome = {
  outcome: 'outcome_unknown',
  detail: 'The app did not answer. It may or may not have carried out the operation.',
}
const failed = (outcome: 'refused' | 'access_refused' | 'invalid_answer', detail: string): PluginOutcome => ({
  outcome,
  detail,
})

/**
 * Reaches apps that answer with JSON over HTTP, on hosts that the operator of the service allows. It follows no redirects and uses
 * no proxy, and it keeps nothing of the headers.
 */
export function createHttpJson(settings: PluginSettings, network: Network = realNetwork): Plugin {
  const reach = reachOf(settings)
  return {
    name: 'http_json',
    kind: 'source',
    operations,
    settle(config) {
      const read = readConfig(config, reach)
      return 'faults' in read ? read : { config: { ...read.config }, origin: read.url.origin }
    },
    call: call => carryOut(call, reach, network),
  }
}

async function carryOut(call: PluginCall, reach: Reach, network: Network): Promise<PluginOutcome> {
  const { config, operation, arguments: args, signal } = call
  const url = readBaseUrl(String(config['base_url']), reach)
  const faults = Object.hasOwn(operations, operation) ? operations[operation]?.faultsOf(args) : undefined
  if (typeof url === 'string' || !faults || faults.length > 0) return unreachable
  const over = AbortSignal.any([signal, AbortSignal.timeout(network.totalTime)])
  let connection: AppConnection
  try {
    connection = await connect(url, network, { allowPrivate: reach.allowPrivate, signal: over })
  } catch {
    return unreachable
  }
  try {
    const answer = await send(connection.socket, url, call, over)
    return await outcomeOf(answer, () => readBody(answer, connection, over))
  } catch {
    return unknown
  } finally {
    connection.socket.destroy()
  }
}

/** Sends the request over a connected socket. Throws if no head of an answer comes. */
function send(
  socket: Socket,
  url: URL,
  { config, operation, arguments: args, idempotency_key }: PluginCall,
  signal: AbortSignal,
): Promise<IncomingMessage> {
  const body = operation === 'post' ? JSON.stringify(args['body']) : undefined
  const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
  const request = createRequest({
    createConnection: () => socket,
    method: body === undefined ? 'GET' : 'POST',
    path: targetOf(String(config['base_url']), args),
    headers: {
      host: url.host,
      accept: 'application/json',
      'accept-encoding': 'identity',
      'user-agent': 'workspace-business-service',
      connection: 'close',
      ...(body !== undefined && {
        'content-type': 'application/json',
        'content-length': Buffer.byteLength(body),
      }),
      ...(idempotency_key !== null && { 'idempotency-key': idempotency_key }),
    },
    maxHeaderSize: 16 * 1024,
    signal,
  })
  // It may fail after the head of the answer too; whoever reads the body notices then.
  request.on('response', resolve).on('error', reject)
  // An answer that is none, such as a switch of protocols, closes the request without an error.
  request.on('close', () => reject(new Error('The request was closed without an answer.'))).end(body)
  return promise
}

/** What an answer means. Once there is an answer, the app may have carried out the operation, unless it says that it did not. */
async function outcomeOf(
  answer: IncomingMessage,
  read: () => ReturnType<typeof readBody>,
): Promise<PluginOutcome> {
  const status = answer.statusCode ?? 0
  // 403 is about what the path names (RFC 9110, 15.5.4): by such a path one reader could end the connection for all others.
  if (status === 401) return failed('access_refused', 'The app refuses this connection.')
  if (status >= 400 && status < 500) return failed('refused', 'The app refused the request.')
  if (status >= 300 && status < 400)
    return failed('invalid_answer', 'The app answered with a redirect, which is not followed.')
  if (status < 200 || status > 299) return failed('invalid_answer', 'The app answered that it failed.')
  const body = await read().catch(() => null)
  if (body === null) return failed('invalid_answer', 'The answer of the app was cut off, or took too long.')
  if (body === undefined) return failed('invalid_answer', 'The app answered with more than 64 KiB.')
  if (body.length === 0) return { outcome: 'succeeded', output: null }
  const json = saysJson(answer) ? parseJson(body) : undefined
  return json
    ? { outcome: 'succeeded', output: json.value }
    : failed('invalid_answer', 'The app answered with something that is not JSON.')
}
