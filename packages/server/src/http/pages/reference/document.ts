/** The parts of an OpenAPI 3.1 document that the page shows. */
export interface ApiDocument {
  info: { title: string; version: string; description: string }
  tags: readonly { name: string; description?: string }[]
  /** Groups of tags. */
  'x-tagGroups'?: readonly { name: string; tags: readonly string[] }[]
  /** The default for operations without `security` of their own. */
  security: readonly SecurityRequirement[]
  paths: Readonly<Record<string, Readonly<Record<string, WrittenOperation>>>>
  components: {
    schemas: Readonly<Record<string, Schema>>
    securitySchemes: Readonly<Record<string, { description: string }>>
    responses: Readonly<Record<string, ApiAnswer>>
    examples?: Readonly<Record<string, Example>>
  }
}

/** A recorded value, or a reference to one among the components. */
interface Example {
  $ref?: string
  value?: unknown
}

/** Schemes that are required together, each with its permissions. An empty object: no credential is needed. */
export type SecurityRequirement = Readonly<Record<string, readonly string[]>>

export interface ApiOperation {
  operationId: string
  summary: string
  description: string
  tags: readonly string[]
  security?: readonly SecurityRequirement[]
  parameters: readonly Parameter[]
  requestBody?: { content: Content }
  responses: Readonly<Record<string, ApiAnswer>>
}

export interface ApiAnswer {
  description: string
  content?: Content
}

/** An operation as the document writes it: answers that many operations have are components. */
type WrittenOperation = Omit<ApiOperation, 'responses'> & {
  responses: Readonly<Record<string, ApiAnswer | { $ref: string }>>
}

export interface Parameter {
  name: string
  in: 'path' | 'query' | 'header'
  required: boolean
  description?: string
  /** A value that was sent. */
  example?: unknown
  schema: Schema
}

export type Content = Readonly<
  Record<string, { schema: Schema; examples?: Readonly<Record<string, Example>> }>
>

export interface Schema {
  $ref?: string
  anyOf?: readonly Schema[]
  oneOf?: readonly Schema[]
  allOf?: readonly Schema[]
  /** Which of the schemas of `oneOf` an object has, by the value of one of its properties. */
  discriminator?: { propertyName: string; mapping?: Readonly<Record<string, string>> }
  not?: Schema
  const?: string | number | boolean
  type?: string | readonly string[]
  format?: string
  description?: string
  enum?: readonly (string | null)[]
  examples?: readonly unknown[]
  default?: string | number | boolean
  pattern?: string
  minLength?: number
  maxLength?: number
  minimum?: number
  maximum?: number
  items?: Schema
  minItems?: number
  maxItems?: number
  properties?: Readonly<Record<string, Schema>>
  required?: readonly string[]
  minProperties?: number
  /** The fields that a field requires. */
  dependentRequired?: Readonly<Record<string, readonly string[]>>
  additionalProperties?: Schema | boolean
  patternProperties?: Readonly<Record<string, Schema>>
  'x-values'?: readonly string[]
  'x-repeatable'?: boolean
}

/** An operation with its method and path. */
export interface Endpoint {
  method: string
  path: string
  operation: ApiOperation
}

export const endpointsOf = (document: ApiDocument): Endpoint[] =>
  Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, operation]) => ({
      method: method.toUpperCase(),
      path,
      operation: withAnswers(operation, document),
    })),
  )

const withAnswers = (operation: WrittenOperation, { components }: ApiDocument): ApiOperation => ({
  ...operation,
  responses: Object.fromEntries(
    Object.entries(operation.responses).map(([status, answer]) => [
      status,
      '$ref' in answer ? (components.responses[schemaNameOf(answer.$ref)] as ApiAnswer) : answer,
    ]),
  ),
})

/** The name of the schema that a reference points to. */
export const schemaNameOf = (reference: string): string => reference.slice(reference.lastIndexOf('/') + 1)

/** The title of an operation: `update_room` becomes "Update room". */
export function titleOf({ operationId }: ApiOperation): string {
  const words = operationId.replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

/** The schema of a body, whatever its media type. An operation has at most one. */
export const bodySchemaOf = (content: Content = {}): Schema => Object.values(content)[0]?.schema ?? {}

/** The recorded JSON of a request or an answer, if there is one. */
export const recordedIn = (content: Content = {}): unknown =>
  Object.values(content)
    .map(({ examples }) => examples?.['recorded']?.value)
    .find(value => value !== undefined)

/** The codes of the problems that an answer may have. */
export const problemCodesIn = ({ content = {} }: ApiAnswer): string[] =>
  Object.keys(content['application/problem+json']?.examples ?? {})

export const isSuccess = (status: string): boolean => status.startsWith('2')
export const isProblem = (status: string): boolean => status >= '400'

/** The operations of each tag, in the order of the document. */
export function tagsOf(document: ApiDocument): Tag[] {
  const endpoints = endpointsOf(document)
  return document.tags.map(({ name, description = '' }) => ({
    name,
    slug: name.toLowerCase().replaceAll(/\W+/g, '-'),
    description,
    endpoints: endpoints.filter(endpoint => endpoint.operation.tags.includes(name)),
  }))
}

/** A chapter of operations. */
export interface Tag {
  name: string
  /** Its name in addresses. */
  slug: string
  description: string
  endpoints: Endpoint[]
}
