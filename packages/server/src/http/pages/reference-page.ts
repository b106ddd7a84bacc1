import { endpointsOf, titleOf, type ApiDocument, type Endpoint, type Schema } from './reference/document.ts'
import { fieldsOf, fieldTable } from './reference/field-table.ts'
import { guide, type Chapter } from './reference/guide.ts'
import { html, line, prose, serializeHtml, type Html } from './reference/html.ts'
import { methodMark, operationArticle } from './reference/operation-article.ts'
import { style } from './reference/style.ts'
import { schemaLink, describeType } from './reference/describe-type.ts'

/**
 * Renders the API reference as one HTML page without scripts or external resources. `openApi` is an OpenAPI 3.1
 * document as openApiDocument() makes it.
 */
export function referencePage(openApi: object): string {
  const document = openApi as ApiDocument
  const endpoints = endpointsOf(document)
  const groups = document.tags.map(({ name }) => ({
    name,
    id: `tag-${name.toLowerCase().replaceAll(/\W+/g, '-')}`,
    endpoints: endpoints.filter(one => one.operation.tags.includes(name)),
  }))
  const chapters = guide(document)
  const content = html`${chapters.map(chapterSection)}${groups.map(group => groupSection(group, document))}${schemaSection(document)}`
  return serializeHtml(
    page(document, contents(chapters, groups, Object.keys(document.components.schemas)), content),
  )
}

interface Group {
  name: string
  id: string
  endpoints: Endpoint[]
}

const page = ({ info }: ApiDocument, navigation: Html, content: Html): Html =>
  html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${info.title}: reference</title>
        <style>
          ${style}
        </style>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header id="top">
          <h1>${info.title}</h1>
          <p class="quiet">
            Reference of version <code>${info.version}</code> · <a href="openapi.json">OpenAPI document</a>
          </p>
        </header>
        ${navigation}
        <main id="content" tabindex="-1">
          <div class="lead">${prose(info.description)}</div>
          ${content}
        </main>
        <a class="up" href="#top">Contents</a>
      </body>
    </html> `

const contents = (chapters: readonly Chapter[], groups: readonly Group[], schemas: readonly string[]): Html =>
  html`<nav aria-label="Contents">
    <details>
      <summary>Contents</summary>
      <ul>
        ${chapters.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul>
      ${groups.map(
        group =>
          html`<p><a href="#${group.id}">${group.name}</a></p>
            <ul>
              ${group.endpoints.map(({ method, operation }) => html`<li><a href="#operation-${operation.operationId}">${titleOf(operation)} ${methodMark(method)}</a></li>`)}
            </ul> `,
      )}
      <p><a href="#schemas">Schemas</a></p>
      <ul>
        ${schemas.map(name => html`<li>${schemaLink(name)}</li>`)}
      </ul>
    </details>
  </nav>`

const chapterSection = ({ id, title, body }: Chapter): Html =>
  html` <section id="${id}" aria-labelledby="${id}-title" class="chapter">
    <h2 id="${id}-title">${title}</h2>
    ${body}
  </section>`

const groupSection = ({ name, id, endpoints }: Group, document: ApiDocument): Html =>
  html` <section id="${id}" aria-labelledby="${id}-title">
    <h2 id="${id}-title">${name}</h2>
    ${endpoints.map(endpoint => operationArticle(endpoint, document))}
  </section>`

const schemaSection = ({ components }: ApiDocument): Html =>
  html` <section id="schemas" aria-labelledby="schemas-title">
    <h2 id="schemas-title">Schemas</h2>
    ${Object.entries(components.schemas).map(schemaArticle)}
  </section>`

const schemaArticle = ([name, schema]: [string, Schema]): Html =>
  html` <article id="schema-${name}" class="schema" aria-labelledby="schema-${name}-title">
    <h3 id="schema-${name}-title"><a href="#schema-${name}">${name}</a></h3>
    ${schema.description !== undefined && html`<p>${line(schema.description)}</p>`}
    ${fieldTable(`Fields of ${name}`, fieldsOf(schema, 'answer'), 'answer') || html`<p>${describeType(schema)}</p>`}
  </article>`
