import { openApiDocument } from '@wbs/contract/openapi'
import { isStream, mayAnswerBytes, methodOf, pathOf, type Operation } from '@wbs/contract/operation'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Compares answers with the OpenAPI document. An undeclared key is an error too. */
export type AnswerChecker = (operation: Operation, status: number, body: unknown) => string[]

export function answerChecker(): AnswerChecker {
  // Most checks are used for a few answers only, so optimizing them costs more time than it saves.
  const code = { optimize: false }
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, code })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  const document = openApiDocument()
  // Only the schemas to which answers refer: adding the rest takes longer than all checks of a test file.
  ajv.addSchema(
    closed({ components: { schemas: within(document, ['components', 'schemas']) } }) as object,
    NAME,
  )
  const compiled = new Map<string, ValidateFunction>()

  return (operation, status, body) => {
    // The tests of streams and of content check what is sent.
    if ((isStream(operation) || mayAnswerBytes(operation)) && status === 200 && body === undefined) return []
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    const path = ['paths', pathOf(operation), methodOf(operation).toLowerCase(), 'responses', status]
    const answer = within(document, path)
    // Problems are components, which all operations share.
    const described = answer?.$ref === undefined ? answer : within(document, answer.$ref.split('/').slice(1))
    const schema = within(described ?? {}, ['content', type, 'schema'])
    if (!schema) return [`The document has no answer of status ${status} to ${operation.http}.`]
    // All problems share one schema, which is compiled once.
    const key = schema.$ref ?? `${operation.name} ${status}`
    const validate = compiled.get(key) ?? ajv.compile(closed(schema) as object)
    compiled.set(key, validate)
    if (validate(body)) return []
    return (validate.errors ?? []).map(
      error => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    )
  }
}

/** The id under which the schemas are registered. */
const NAME = 'interface'

function within(document: object, path: readonly (string | number)[]): { $ref?: string } | undefined {
  return path.reduce<unknown>((part, key) => Object(part)[key], document) as { $ref?: string } | undefined
}

/** Forbids undeclared keys, which the document allows for later versions, and makes references refer to that id. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(
    Object.entries(schema).map(([key, value]) => [key, key === '$ref' ? `${NAME}${value}` : closed(value)]),
  )
  const isOpenObject = 'properties' in parts && !('additionalProperties' in parts)
  return isOpenObject ? { ...parts, additionalProperties: false } : parts
}
