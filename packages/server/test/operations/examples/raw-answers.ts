import { answersBytesTo, inputParts, isStream, type Operation } from '@wbs/contract/operation'
import type { TestService } from '../../harness/service.ts'
import { performerOf } from '../performing.ts'
import { samples, type NamedOperation } from '../samples.ts'
import { callOperation, onTheWire, type Input } from '../wire.ts'
import { restore, type World } from '../world.ts'

/** What an operation was sent and what it answered, as it was. */
export interface RawExample {
  /** The parameters of the path and the query string. */
  parameters: Record<string, unknown>
  /** The body, if the operation takes one. */
  request?: unknown
  /** The successful answers by status: JSON, and of a stream the data of its first event. None where it is content. */
  answers: Record<string, unknown>
}

/** Performs the sample of an operation. Where it may find what exists already, the request is sent again as a new one. */
export async function performSample(world: World, operation: NamedOperation): Promise<RawExample> {
  const { service } = world
  const input = await samples[operation.name].input(world)
  const headers = {
    authorization: `Bearer ${performerOf(world, operation).token}`,
    ...(operation.audience === 'workspace' && { 'svc-workspace-id': world.workspace_id }),
  }
  const { path, query } = inputParts(operation)
  const named = { ...path, ...query }
  const { body } = onTheWire(operation, input)
  const parameters = Object.fromEntries(Object.entries(input).filter(([name]) => name in named))
  const sent = { parameters, ...(body !== undefined && { request: JSON.parse(body) as unknown }) }
  if (isStream(operation))
    return { ...sent, answers: { 200: await firstEvent(service, operation, input, headers) } }
  const answers: Record<string, unknown> = {}
  const { found } = samples[operation.name]
  const mayFind = operation.kind === 'mutation' && operation.status_if_found !== undefined
  for (const given of mayFind ? [input, (await found?.(world)) ?? input] : [input]) {
    const { status, body: answer } = await callOperation(service, operation, given, headers)
    if (status >= 300) throw new Error(`${operation.name} answers ${status}: ${JSON.stringify(answer)}`)
    answers[status] = answer
  }
  await restore(world)
  return { ...sent, answers: answersBytesTo(operation, input) ? {} : answers }
}

/** The data of the first event of a stream. */
async function firstEvent(
  service: Pick<TestService, 'base_url'>,
  operation: Operation,
  input: Input,
  headers: Record<string, string>,
): Promise<unknown> {
  const { path, search } = onTheWire(operation, input)
  const response = await fetch(service.base_url + path + search, { headers })
  let text = ''
  for await (const part of response.body?.pipeThrough(new TextDecoderStream()) ?? []) {
    text += part
    const [, data] = /^data: (.+)\n/m.exec(text) ?? []
    if (data !== undefined) return JSON.parse(data) as unknown
  }
  throw new Error(`${operation.name} ended without an event.`)
}
