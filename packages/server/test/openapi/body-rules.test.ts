import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inputParts, takesBody } from '@wbs/contract/operation'
import fc from 'fast-check'
import { canonicalAll, validatorOf, unstorableText } from '../../src/call/input/validate.ts'

import { arbitraryInput } from '../hostile/arbitrary-input.ts'
import { operations, type NamedOperation } from '../operations/samples.ts'
import { compileSchema, described, type Described } from './document.ts'

const bodyOf = (operation: NamedOperation) =>
  (described(operation.name).requestBody as NonNullable<Described['requestBody']>).content['application/json']

/** Bodies of an operation: random ones, and the recorded one with fields added, changed and removed. */
function bodies(operation: NamedOperation, recorded: object): fc.Arbitrary<unknown> {
  const { body, path } = inputParts(operation)
  const random = arbitraryInput(operation).map(input =>
    Object.fromEntries(Object.entries(input).filter(([name]) => !Object.hasOwn(path, name))),
  )
  const names = Object.keys(body)
  const changed = fc
    .tuple(random, fc.subarray(names), fc.subarray(names))
    .map(([some, added, removed]) =>
      Object.fromEntries([
        ...Object.entries(recorded).filter(([name]) => !removed.includes(name)),
        ...Object.entries(some).filter(([name]) => added.includes(name)),
      ]),
    )
  return fc.oneof(
    { weight: 2, arbitrary: random },
    { weight: 4, arbitrary: changed },
    { weight: 1, arbitrary: fc.constantFrom(null, {}, [], 'text', 1, recorded) },
  )
}

describe('a validator that knows only the document', () => {
  for (const operation of operations.filter(takesBody))
    it(`accepts the bodies of ${operation.name} that the service accepts`, () => {
      const { schema, examples } = bodyOf(operation) as NonNullable<ReturnType<typeof bodyOf>>
      const accepts = compileSchema(schema)
      const { body } = inputParts(operation)
      const recorded = Object(examples?.['recorded']?.value) as object
      const checks = validatorOf({ ...operation, http: 'POST /v1/anything', input: body })
      fc.assert(
        fc.property(bodies(operation, recorded), sent => {
          // The service first trims texts and brings times into one form; no schema can say so.
          const given = isObject(sent) ? canonicalAll(body, sent) : sent
          // Nor can a schema tell which texts a database cannot store.
          fc.pre(!isObject(given) || unstorableText(given, () => 'body').length === 0)
          const { errors } = checks({ path: {}, query: new Map(), body: given })
          assert.equal(accepts(given), errors.length === 0, JSON.stringify([given, errors, accepts.errors]))
        }),
        { numRuns: 60 },
      )
    })
})

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
