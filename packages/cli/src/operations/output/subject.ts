import { answerSchema, type Operation } from '@wbs/contract/operation'

/** The members of an answer that are about the request, or about the page. */
const envelope = new Set([
  'request_id',
  'original_request_id',
  'idempotent_replay',
  'receipt',
  'action_receipt',
  'page',
  'has_more',
  'next_cursor',
  'cursor',
])

/** What an answer is about: its only member beside the envelope, or all of them. */
export function subjectOf(op: Operation, answer: Readonly<Record<string, unknown>>): unknown {
  const names = Object.keys(answer).filter(name => !envelope.has(name))
  const declared = Object.keys(answerSchema(op).properties).filter(name => !envelope.has(name))
  const only = declared.length === 1 && names.length === 1 ? answer[names[0] as string] : undefined
  return typeof only === 'object' && only !== null
    ? only
    : Object.fromEntries(names.map(name => [name, answer[name]]))
}
