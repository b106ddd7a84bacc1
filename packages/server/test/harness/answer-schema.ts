import { openApiDocument } from '@wbs/contract/openapi'
import { isStream, methodOf, pathOf, type Operation } from '@wbs/contract/operation'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

/** Tells what in an answer is not as the OpenAPI document has it; a key that is not declared counts too. */
export type AnswerChecker = (operation: Operation, status: number, body: unknown) => string[]

export function answerChecker(): AnswerChecker {
  // Most checks are compiled for a few answers, so that optimizing them takes longer than it saves.
  const code = { optimize: false }
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true, code })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  const document = closed(openApiDocument()) as object
  ajv.addSchema(document, 'interface')
  const compiled = new Map<string, ValidateFunction>()

  return (operation, status, body) => {
    // What is in a stream is for its own tests.
    if (isStream(operation) && status === 200 && body === undefined) return []
    const type = status < 400 ? 'application/json' : 'application/problem+json'
    const at = [
      'paths',
      pathOf(operation),
      methodOf(operation).toLowerCase(),
      'responses',
      status,
      'content',
      type,
      'schema',
    ]
    const pointer = schemaReferredTo(document, at) ?? at.map(segment).join('')
    const validate = compiled.get(pointer) ?? ajv.getSchema(`interface#${encodeURI(pointer)}`)
    if (!validate) return [`The document has no answer of status ${status} to ${operation.http}.`]
    compiled.set(pointer, validate)
    if (validate(body)) return []
    return (validate.errors ?? []).map(
      error => `${error.instancePath} ${error.message} ${JSON.stringify(error.params)}`,
    )
  }
}

const segment = (part: string | number) => `/${String(part).replaceAll('~', '~0').replaceAll('/', '~1')}`

/** Where the schema is that the one at a place is nothing but a reference to: that of problems is compiled once for all. */
function schemaReferredTo(document: object, at: readonly (string | number)[]): string | undefined {
  const schema = at.reduce<unknown>((within, part) => Object(within)[part], document)
  const { $ref } = Object(schema) as { $ref?: string }
  return $ref?.slice('#'.length)
}

/** The document says that answers may gain keys; what answers today must be in it. */
function closed(schema: unknown): unknown {
  if (Array.isArray(schema)) return schema.map(closed)
  if (typeof schema !== 'object' || schema === null) return schema
  const parts = Object.fromEntries(Object.entries(schema).map(([key, value]) => [key, closed(value)]))
  const isOpenObject = 'properties' in parts && !('additionalProperties' in parts)
  return isOpenObject ? { ...parts, additionalProperties: false } : parts
}
