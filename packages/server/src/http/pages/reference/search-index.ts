import { problems } from '@wbs/contract/problems'
import { bodySchemaOf, endpointsOf, titleOf, type ApiDocument } from './document.ts'
import { rowId } from './field-table.ts'
import { guide } from './guide.ts'
import { pathOf } from './paths.ts'

/** What a search can find: a page, or a field on one. */
export interface Entry {
  kind: 'operation' | 'chapter' | 'schema' | 'problem' | 'field'
  title: string
  /** The address, from the root of the service. */
  path: string
  about: string
}

/** Everything that a search can find, pages before fields. */
export const searchIndex = (document: ApiDocument): Entry[] => [...pagesOf(document), ...fieldsOf(document)]

const pagesOf = (document: ApiDocument): Entry[] => [
  ...endpointsOf(document).map(({ method, path, operation }) => ({
    kind: 'operation' as const,
    title: titleOf(operation),
    path: pathOf.operation(operation.operationId),
    about: `${method} ${path} ${operation.operationId}: ${operation.summary}`,
  })),
  ...guide(document).map(({ id, title }) => ({
    kind: 'chapter' as const,
    title,
    path: id === 'start' ? pathOf.start : pathOf.chapter(id),
    about: 'Guide',
  })),
  ...Object.entries(document.components.schemas).map(([name, { description = '' }]) => ({
    kind: 'schema' as const,
    title: name,
    path: pathOf.schema(name),
    about: description,
  })),
  ...Object.entries(problems).map(([code, { title, status }]) => ({
    kind: 'problem' as const,
    title: code,
    path: pathOf.problem(code),
    about: `${status} ${title}`,
  })),
]

/** The fields of schemas and of requests. Those of answers are mostly schemas. */
function fieldsOf(document: ApiDocument): Entry[] {
  const inSchemas = Object.entries(document.components.schemas).flatMap(([name, { properties = {} }]) =>
    Object.entries(properties).map(([field, { description }]) =>
      fieldEntry(`${name}.${field}`, pathOf.schema(name), rowId('field', field), description),
    ),
  )
  const inRequests = endpointsOf(document).flatMap(({ operation }) => {
    const path = pathOf.operation(operation.operationId)
    const { properties = {} } = bodySchemaOf(operation.requestBody?.content)
    return [
      ...operation.parameters
        .filter(parameter => parameter.in !== 'header')
        .map(parameter =>
          fieldEntry(parameter.name, path, rowId(parameter.in, parameter.name), titleOf(operation)),
        ),
      ...Object.keys(properties).map(field =>
        fieldEntry(field, path, rowId('body', field), titleOf(operation)),
      ),
    ]
  })
  return [...inSchemas, ...inRequests]
}

const fieldEntry = (title: string, path: string, id: string, about = ''): Entry => ({
  kind: 'field',
  title,
  path: `${path}#${encodeURIComponent(id)}`,
  about,
})
