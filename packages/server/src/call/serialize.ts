import { answerSchema, type Operation } from '@wbs/contract/operation'
import { withComponents } from '@wbs/contract/schema'
import fastJson from 'fast-json-stringify'

/** Writes answers by their declared schema, so that an undeclared property cannot leave the service. */
export type Serializer = (answer: object) => string

/** The serializer of an operation. A process has one, however many services it runs. */
export function serializerOf(op: Operation): Serializer {
  const serializer = made.get(op) ?? createSerializer(op)
  made.set(op, serializer)
  return serializer
}

const made = new WeakMap<Operation, Serializer>()

function createSerializer(op: Operation): Serializer {
  let write: ((answer: unknown) => string) | undefined
  return answer => {
    write ??= fastJson(JSON.parse(JSON.stringify(withComponents(answerSchema(op)))), {
      ajv: { keywords: ['x-trimmed', 'x-repeatable', 'x-values'] },
    })
    return write(answer)
  }
}
