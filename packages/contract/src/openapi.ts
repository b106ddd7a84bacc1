import { describeOperation } from './openapi/describe-operation.ts'
import { eventSchemas } from './openapi/event-schemas.ts'
import { readExamples, type Examples } from './openapi/examples.ts'
import { headerComponents } from './openapi/headers.ts'
import { inputErrorSchema, problemSchema } from './openapi/problem-schemas.ts'
import { problemComponents } from './openapi/responses.ts'
import { tagGroupsOf, tagsOf } from './openapi/tags.ts'
import { methodOf, pathOf, type Operation } from './operation.ts'
import { problems, type ProblemCode } from './problems.ts'
import { operations } from './registry.ts'
import { components } from './schema.ts'
import { apiVersion } from './system.ts'

/** The OpenAPI 3.1 document of the interface, derived from the registry. It is the same for every installation. */
export function openApiDocument(): object {
  const examples = readExamples()
  const tags = new Set(operations.map(op => op.tag))
  const paths: Record<string, Record<string, object>> = {}
  for (const op of operations as readonly Operation[]) {
    const methods = (paths[pathOf(op)] ??= {})
    methods[methodOf(op).toLowerCase()] = describeOperation(op, examples.operations[op.name], examples.ids)
  }
  return plain({
    openapi: '3.1.1',
    jsonSchemaDialect: 'https://json-schema.org/draft/2020-12/schema',
    info: {
      title: 'Workspace Business Service',
      version: apiVersion,
      description:
        'Search published U.S. Businesses, and work with them in shared Workspaces. Later versions may add fields to answers and values to enumerations: your client must accept those that it does not know.\n\nThe examples are requests and answers of a test run. Values that differ in each run, such as IDs, times and tokens, have others in their place, and arrays have only their first items.',
      license: { name: 'Apache-2.0', identifier: 'Apache-2.0' },
    },
    servers: [{ url: '/' }],
    security: [{ access_token: [] }, { api_key: [] }],
    tags: tagsOf(tags),
    'x-tagGroups': tagGroupsOf(tags),
    paths,
    components: {
      schemas: {
        ...Object.fromEntries(components),
        ...eventSchemas(),
        Problem: problemSchema,
        InputError: inputErrorSchema,
      },
      securitySchemes,
      responses: problemComponents(operations),
      headers: headerComponents,
      examples: problemExamples(examples),
    },
  })
}

const problemExamples = ({ problems: recorded }: Examples): object =>
  Object.fromEntries(
    Object.entries(recorded).map(([code, value]) => [
      `problem_${code}`,
      { summary: problems[code as ProblemCode].title, value },
    ]),
  )

const securitySchemes = {
  access_token: {
    type: 'http',
    scheme: 'bearer',
    bearerFormat: 'JWT',
    description: 'An access token from an OpenID Connect issuer that the service trusts.',
  },
  api_key: {
    type: 'apiKey',
    in: 'header',
    name: 'X-SVC-API-Key',
    description: 'An API key of a Workspace. Works only for operations in that Workspace.',
  },
}

/** Removes what the schema library keeps in symbols and in keys that are not enumerable. */
const plain = (document: object): object => JSON.parse(JSON.stringify(document)) as object
