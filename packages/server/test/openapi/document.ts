import { openApiDocument } from '@wbs/contract/openapi'
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js'
import addFormats from 'ajv-formats'

interface Media {
  schema: object
  examples?: Record<string, { $ref?: string; value?: unknown }>
}
interface Answer {
  $ref?: string
  description: string
  content?: Record<string, Media>
}
export interface Parameter {
  name: string
  in: string
  required: boolean
  schema: { items?: object; examples?: unknown[] }
  example?: unknown
}
export interface Described {
  operationId: string
  tags: string[]
  parameters: Parameter[]
  requestBody?: { content: Record<string, Media> }
  responses: Record<string, Answer>
}

/** The document, as far as these tests read it. */
export const document = openApiDocument() as {
  tags: { name: string; description: string }[]
  'x-tagGroups': { name: string; tags: string[] }[]
  paths: Record<string, Record<string, Described>>
  components: {
    schemas: Record<string, object>
    responses: Record<string, Answer>
    examples: Record<string, { value: unknown }>
  }
}

export const describedOperations = Object.values(document.paths).flatMap(methods => Object.values(methods))

/** The description of an operation by its name. */
export const described = (name: string): Described =>
  describedOperations.find(({ operationId }) => operationId === name) as Described

/** Compiles a schema of the document as a validator of OpenAPI 3.1 does, which knows nothing of the service. */
export function compileSchema(schema: object): ValidateFunction {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, allErrors: true })
  ;(addFormats as unknown as (ajv: Ajv2020) => void)(ajv)
  return ajv.compile({ ...schema, components: { schemas: document.components.schemas } })
}

/** What a value has that its schema does not allow. */
export function faultsOf(schema: object, value: unknown): string[] {
  const validate = compileSchema(schema)
  if (validate(value)) return []
  return (validate.errors ?? []).map(({ instancePath, message }) => `${instancePath} ${message}`)
}
