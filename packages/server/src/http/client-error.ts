import { newId } from '@wbs/contract/ids'
import { STATUS_CODES } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { invalid, Problem } from '../call/problem.ts'
import type { Connections } from './bounds/connections.ts'
import type { FinishedRequest } from './answers/finished-request.ts'
import type { RequestWatch } from './answers/request-watch.ts'
import { problemBody } from './answers/problem-json.ts'
import { commonHeaders } from './judge-route.ts'

export interface SocketTransport {
  baseUrl(): string
  watch: RequestWatch
}

/** How long a client may take to read the last answer and disconnect. */
const lingerMilliseconds = 2_000

/**
 * Answers, on the bare socket, what never became a request, and closes the connection: bytes that are not HTTP, headers
 * that are too large, a request that arrives too slowly. If an earlier request on the connection is still running, the
 * next answer must be that request's, so only that is sent; otherwise a change that takes effect could be reported as
 * failed.
 */
export function answerClientError(
  transport: SocketTransport,
  connections: Connections,
  error: NodeJS.ErrnoException,
  socket: Duplex,
): void {
  if (socket.writableEnded) return
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy()
  if (connections.endAfterAnswers(socket)) return
  const { status, problem } = socketProblem(error.code)
  endWith(transport, socket, status, problem, { method: null, parser_code: error.code ?? 'unknown' })
}

/** CONNECT asks for a tunnel and names no path, so no route refuses it. */
export function answerConnect(transport: SocketTransport, socket: Duplex): void {
  const problem = new Problem('method_not_allowed', 'This service is not a proxy.', {}, { allow: '' })
  endWith(transport, socket, problem.status, problem, { method: 'CONNECT' })
}

// 431 and 408 have no code of their own in the contract, so they use the code of a malformed request.
function socketProblem(code: string | undefined): { status: number; problem: Problem } {
  if (code === 'HPE_HEADER_OVERFLOW')
    return {
      status: 431,
      problem: malformed('too_long', 'The request line and headers are larger than 16 KiB.'),
    }
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT')
    return { status: 408, problem: malformed('required', 'The request was not received completely in time.') }
  return { status: 400, problem: malformed('format', 'This is not a well-formed HTTP/1.1 request.') }
}

const malformed = (code: 'format' | 'too_long' | 'required', detail: string): Problem =>
  invalid([{ in: 'header', pointer: '', code, detail }])

function endWith(
  transport: SocketTransport,
  socket: Duplex,
  status: number,
  problem: Problem,
  sent: Pick<FinishedRequest, 'method' | 'parser_code'>,
): void {
  const request_id = newId('req')
  const at = { base_url: transport.baseUrl(), instance: '/', request_id }
  // A request that timed out had no effect and may be retried.
  const body = JSON.stringify({ ...problemBody(problem, at), status, retryable: status === 408 })
  const headers = {
    ...commonHeaders(request_id),
    'cache-control': 'private, no-store',
    ...problem.headers,
    'content-type': 'application/problem+json; charset=utf-8',
    'content-length': String(Buffer.byteLength(body)),
    connection: 'close',
  }
  const head = Object.entries(headers).map(([name, value]) => `${name}: ${value}\r\n`)
  socket.end(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${head.join('')}\r\n${body}`)
  setTimeout(() => socket.destroy(), lingerMilliseconds).unref()
  transport.watch.tell({
    request_id,
    operation: null,
    path_pattern: null,
    status,
    problem_code: problem.code,
    milliseconds: 0,
    client_address: transport.watch.addressOf((socket as Socket).remoteAddress),
    replayed: false,
    incomplete: false,
    ...sent,
  })
}
