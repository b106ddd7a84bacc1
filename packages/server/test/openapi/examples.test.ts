import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { problems } from '@wbs/contract/problems'
import { describedOperations, document, faultsOf, type Described, type Parameter } from './document.ts'

describe('the examples of the document', () => {
  for (const operation of describedOperations)
    it(`are there for the request and each answer of ${operation.operationId}, and fit their schemas`, () => {
      for (const [where, { schema, examples }] of jsonOf(operation)) {
        const example = examples?.['recorded']
        assert.ok(example, `${where} has no example: run npm run generate -- --examples`)
        assert.deepEqual(faultsOf(schema, example.value), [], where)
      }
      for (const parameter of operation.parameters)
        for (const value of examplesOf(parameter))
          assert.deepEqual(faultsOf(parameter.schema, value), [], parameter.name)
    })

  it('tell what each parameter may be', () => {
    const silent = describedOperations.flatMap(({ operationId, parameters }) =>
      parameters.filter(one => !tellsValue(one)).map(({ name }) => `${operationId} ${name}`),
    )
    assert.deepEqual(silent, [])
  })

  it('have every problem, and each answer shows those that it may be', () => {
    const { examples, responses, schemas } = document.components
    const codes = Object.keys(problems)
    assert.deepEqual(Object.keys(examples).sort(), codes.map(code => `problem_${code}`).sort())
    for (const code of codes) {
      const { value } = examples[`problem_${code}`] as { value: { code: string } }
      assert.equal(value.code, code)
      assert.deepEqual(faultsOf(schemas['Problem'] as object, value), [])
    }
    for (const { description, content } of Object.values(responses)) {
      const shown = content?.['application/problem+json']?.examples ?? {}
      const named = Array.from(description.matchAll(/`([a-z_]+)`/g), ([, code]) => code)
      assert.deepEqual(Object.keys(shown), named)
      for (const [code, { $ref }] of Object.entries(shown))
        assert.equal($ref, `#/components/examples/problem_${code}`)
    }
  })

  it('have no secret that could be one, and no place of the run', () => {
    const text = JSON.stringify(document)
    assert.doesNotMatch(text, /127\.0\.0\.1:\d|localhost/)
    for (const [, secret = ''] of text.matchAll(
      /(?:\b(?:svi|svr|clm|svc_test_\w{8})_|signature=|\/downloads\/)([\w-]{30,})/g,
    ))
      // Those of the declarations say so in base64.
      assert.match(
        `${secret} ${Buffer.from(secret, 'base64url').toString('latin1')}`,
        /example|^0+ /i,
        secret,
      )
  })
})

/** Each JSON that an operation takes or answers on success, with where it stands. */
function* jsonOf({ requestBody, responses }: Described) {
  const request = requestBody?.content['application/json']
  if (request) yield ['the request', request] as const
  for (const [status, { content = {} }] of Object.entries(responses))
    for (const type of ['application/json', 'text/event-stream'])
      if (content[type]) yield [`the answer ${status}`, content[type]] as const
}

const examplesOf = ({ schema, example }: Parameter): unknown[] => [
  ...(example === undefined ? [] : [example]),
  ...(schema.examples ?? []),
]

/** Whether a reader sees a value, or can tell one from the type. */
function tellsValue({ schema, example }: Parameter): boolean {
  const items: object = schema.items ?? schema
  const tells = ['examples', 'enum', 'const', 'format', 'default']
  const isPlain = 'type' in items && ['integer', 'boolean'].includes(items.type as string)
  return example !== undefined || isPlain || tells.some(key => key in items || key in schema)
}
