import { problems, type ProblemCode } from '@wbs/contract/problems'
import { endpointsOf, tagsOf, type ApiDocument } from './reference/document.ts'
import { findEntries } from './reference/find-entries.ts'
import { guide } from './reference/guide.ts'
import { operationPage } from './reference/operation-page.ts'
import { chapterPage, startPage, tagPage } from './reference/overview-pages.ts'
import { renderPage, type Page, type Surroundings } from './reference/page.ts'
import { pathOf } from './reference/paths.ts'
import { problemListPage, problemPage } from './reference/problem-pages.ts'
import { schemaListPage, schemaPage, usersOfSchema } from './reference/schema-pages.ts'
import { searchIndex, type Entry } from './reference/search-index.ts'
import { searchPage } from './reference/search-page.ts'

/** The reference: its pages by their addresses from the root of the service, each made when it is asked for. */
export interface Reference {
  pages: ReadonlyMap<string, () => string>
  /** What a search can find, as JSON. */
  index: () => string
  /** The page with the results of a search. */
  search: (query: string) => string
}

/**
 * Renders the API reference. `openApi` gives an OpenAPI 3.1 document as openApiDocument() makes it. It is asked for again
 * when something is rendered after its memory was reclaimed.
 */
export function createReference(openApi: () => ApiDocument): Reference {
  const parts = remade(() => partsOf(openApi()))
  const { document, tags, chapters, endpoints } = parts()
  const pages = new Map<string, () => string>()
  const add = (path: string, make: (parts: Parts) => Page) =>
    pages.set(path, () => renderPage(make(parts()), parts()))
  add(pathOf.start, reference => startPage(reference.document, reference, chapterOf(reference, 'start')))
  for (const { path, id } of chapters)
    if (path !== pathOf.start) add(path, reference => chapterPage(chapterOf(reference, id)))
  for (const [at, { slug }] of tags.entries())
    add(pathOf.tag(slug), reference => tagPage(found(reference.tags[at])))
  for (const [at, { operation }] of endpoints.entries())
    add(pathOf.operation(operation.operationId), reference =>
      operationPage(found(reference.endpoints[at]), reference.document),
    )
  add(pathOf.schemas, reference => schemaListPage(reference.document))
  for (const name of Object.keys(document.components.schemas))
    add(pathOf.schema(name), reference =>
      schemaPage(
        name,
        found(reference.document.components.schemas[name]),
        usersOfSchema(name, reference.endpoints),
      ),
    )
  add(pathOf.problems, reference => problemListPage(reference.document))
  for (const code of Object.keys(problems) as ProblemCode[])
    add(pathOf.problem(code), reference => problemPage(code, reference.document, reference.endpoints))
  let entries: readonly Entry[] | undefined
  const texts = new WeakMap<Entry, [title: string, rest: string]>()
  const index = () => (entries ??= searchIndex(parts().document))
  return {
    pages,
    index: () => JSON.stringify(index()),
    search: query => renderPage(searchPage(query, findEntries(index(), query, 50, texts)), parts(), query),
  }
}

/** What the pages are made of. */
interface Parts extends Surroundings {
  endpoints: ReturnType<typeof endpointsOf>
  chapters: readonly { id: string; title: string; path: string }[]
}

const partsOf = (document: ApiDocument): Parts => ({
  document,
  tags: tagsOf(document),
  endpoints: endpointsOf(document),
  chapters: guide(document).map(({ id, title }) => ({
    id,
    title,
    path: id === 'start' ? pathOf.start : pathOf.chapter(id),
  })),
})

function chapterOf({ document }: Parts, wanted: string) {
  return found(guide(document).find(({ id }) => id === wanted))
}

/** The document never changes, so what it had it has again. */
function found<Value>(value: Value | undefined): Value {
  if (value === undefined) throw new Error('The document lacks a part that it had.')
  return value
}

/** Keeps a value for as long as there is memory for it, and makes it again then. */
function remade<Value extends object>(make: () => Value): () => Value {
  let kept: WeakRef<Value> | undefined
  return () => {
    const value = kept?.deref() ?? make()
    kept = new WeakRef(value)
    return value
  }
}
