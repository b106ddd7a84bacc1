import { inputParts, methodOf, type Operation } from '@wbs/contract/operation'
import type { OperationName } from '@wbs/contract/registry'
import { isFullProof, proofSeed } from '../harness/proof.ts'
import { randomFrom } from '../model/random.ts'
import { operations, samples, type NamedOperation } from './samples.ts'

/** What a declaration says of one operation alone, or of its texts and schemas, which generic code treats alike. */
const ownProperties = new Set([
  'name',
  'http',
  'summary',
  'description',
  'tag',
  'scope',
  'input',
  'output',
  'problems',
  'emits',
])

/** Properties of which generic code only knows whether they are there. */
const listed = new Set(['rules', 'receipt', 'secrets', 'content_types', 'body_limit', 'null_body'])

/** What generic code tells operations apart by: the parts of a request and of an answer, and who may send it. */
function classOf(operation: Operation): string {
  const { path, query, body } = inputParts(operation)
  const has = (parts: object) => Object.keys(parts).length > 0
  const parts = [has(path) && 'path', has(query) && 'query', has(body) && 'body'].filter(
    part => part !== false,
  )
  return [operation.audience, methodOf(operation), ...parts, `answers ${answerOf(operation)}`].join(' ')
}

function answerOf(operation: Operation): string {
  if (operation.kind === 'query' && operation.waits === 'stream') return 'a stream'
  if (operation.kind === 'query' && operation.answers) return operation.answers
  return 'has_more' in operation.output ? 'a page' : 'a resource'
}

/** The class of an operation, and each property of its declaration that generic code asks for. A new property counts too. */
export function featuresOf(operation: NamedOperation): string[] {
  const properties = Object.entries(operation)
    .filter(([name, value]) => !ownProperties.has(name) && value !== undefined)
    .map(([name, value]) => (listed.has(name) ? name : `${name} ${JSON.stringify(value)}`))
  const { replay } = samples[operation.name]
  return [classOf(operation), ...properties, ...(replay ? [`replay ${replay}`] : [])]
}

/** For each feature one operation that has it, chosen by a seed; few, because each represents all of its features. */
export function representativesOf(all: readonly NamedOperation[], seed: number): NamedOperation[] {
  const { pick } = randomFrom(seed)
  const left = new Set(all.flatMap(featuresOf))
  const chosen: NamedOperation[] = []
  while (left.size > 0) {
    const gain = (one: NamedOperation) => featuresOf(one).filter(feature => left.has(feature)).length
    const most = Math.max(...all.map(gain))
    const next = pick(all.filter(one => gain(one) === most))
    for (const feature of featuresOf(next)) left.delete(feature)
    chosen.push(next)
  }
  return chosen
}

/**
 * The operations with which the suites test what generic code decides: one for each feature, others in each run, and all in a
 * full proof.
 */
export const representatives: ReadonlySet<OperationName> = new Set(
  (isFullProof ? operations : representativesOf(operations, proofSeed())).map(({ name }) => name),
)
