import { answerSchema, type Operation } from '@wbs/contract/operation'
import { components } from '@wbs/contract/schema'
import fastJson from 'fast-json-stringify'

/** Writes answers by their declared schema, so that an undeclared property cannot leave the service. */
export type Serializer = (answer: object) => string

export function createSerializer(op: Operation): Serializer {
  const schema = { ...answerSchema(op), components: { schemas: Object.fromEntries(components) } }
  let write: ((answer: unknown) => string) | undefined
  return answer => {
    write ??= fastJson(JSON.parse(JSON.stringify(schema)), {
      ajv: { keywords: ['x-trimmed', 'x-repeatable', 'x-values'] },
    })
    return write(answer)
  }
}
