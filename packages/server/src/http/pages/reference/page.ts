import { addressOf, html, serializeHtml, type Html } from './html.ts'
import { titleOf, type ApiDocument, type Tag } from './document.ts'
import { pathOf } from './paths.ts'

/** A page of the reference. */
export interface Page {
  title: string
  /** Its address from the root of the service, such as `docs/rooms`. */
  path: string
  /** Its sections, for the contents. */
  sections: readonly Section[]
  body: Html
}

/** A part of a page with a heading. */
export interface Section {
  id: string
  title: string
}

/** What all pages have around them. */
export interface Surroundings {
  document: ApiDocument
  tags: readonly Tag[]
  /** The chapters of the guide. */
  chapters: readonly { title: string; path: string }[]
}

/** A whole page as HTML. `query` is what was searched for. */
export function renderPage(page: Page, surroundings: Surroundings, query = ''): string {
  const { info } = surroundings.document
  const whole = html`<!doctype html>
    <html lang="en">
      <head>
        <meta charset="utf-8" />
        <meta name="viewport" content="width=device-width, initial-scale=1" />
        <meta name="color-scheme" content="light dark" />
        <title>${page.title} · ${info.title}</title>
        <link rel="stylesheet" href="${addressOf(pathOf.style)}" />
        <script src="${addressOf(pathOf.script)}" data-root="${addressOf('')}"></script>
      </head>
      <body>
        <a class="skip" href="#content">Skip to the content</a>
        <header id="top">
          <p class="home">
            <a href="${addressOf(pathOf.start)}">${info.title}</a>
            <span class="quiet">${info.version}</span>
          </p>
          <form role="search" action="${addressOf(pathOf.search)}">
            <label for="search">Search</label>
            <input id="search" type="search" name="q" value="${query}" maxlength="200" autocomplete="off" />
            <button type="submit">Search</button>
          </form>
        </header>
        ${contents(page, surroundings)}
        <main id="content" tabindex="-1">${page.body}${neighbours(page, surroundings)}</main>
      </body>
    </html> `
  return serializeHtml(whole, '../'.repeat(page.path.split('/').length - 1))
}

/** The contents: all tags, and of the current one its operations. */
function contents(page: Page, { tags, chapters, document }: Surroundings): Html {
  const groups = document['x-tagGroups'] ?? [{ name: 'Operations', tags: tags.map(({ name }) => name) }]
  return html`<nav aria-label="Contents">
    <details open>
      <summary>Contents</summary>
      <p>Guide</p>
      <ul>
        ${chapters.map(chapter => entry(chapter, page))}
      </ul>
      ${groups.map(
        group =>
          html`<p>${group.name}</p>
            <ul>
              ${tags.filter(({ name }) => group.tags.includes(name)).map(tag => tagEntry(tag, page))}
            </ul> `,
      )}
      <p>Types</p>
      <ul>
        ${entry({ title: 'Schemas', path: pathOf.schemas }, page)}
        ${entry({ title: 'Problems', path: pathOf.problems }, page)}
      </ul>
    </details>
  </nav>`
}

function tagEntry(tag: Tag, page: Page): Html {
  const operations = tag.endpoints.map(({ operation }) => ({
    title: titleOf(operation),
    path: pathOf.operation(operation.operationId),
  }))
  const tagPath = pathOf.tag(tag.slug)
  const isOpen = page.path === tagPath || operations.some(({ path }) => path === page.path)
  return html`<li>
    ${link({ title: tag.name, path: tagPath }, page)}
    ${
      isOpen &&
      html`<ul>
        ${operations.map(operation => entry(operation, page))}
      </ul> `
    }
  </li>`
}

function entry(target: { title: string; path: string }, page: Page): Html {
  const isHere = target.path === page.path && page.sections.length > 0
  return html`<li>
    ${link(target, page)}
    ${
      isHere &&
      html`<ul class="sections">
        ${page.sections.map(({ id, title }) => html`<li><a href="#${id}">${title}</a></li>`)}
      </ul> `
    }
  </li>`
}

const link = ({ title, path }: { title: string; path: string }, page: Page): Html =>
  html`<a href="${addressOf(path)}" ${path === page.path && html` aria-current="page"`}>${title}</a>`

/** The operations before and after the one of this page. */
function neighbours(page: Page, { tags }: Surroundings): Html | false {
  const all = tags.flatMap(({ endpoints }) => endpoints)
  const pathAt = (at: number) => pathOf.operation(all[at]?.operation.operationId ?? '')
  const here = all.findIndex((_, at) => pathAt(at) === page.path)
  if (here < 0) return false
  const to = (at: number, words: string) => {
    const endpoint = all[at]
    return (
      endpoint &&
      html`<a href="${addressOf(pathAt(at))}"><small>${words}</small> ${titleOf(endpoint.operation)}</a>`
    )
  }
  return html`<nav class="neighbours" aria-label="Previous and next">
    ${to(here - 1, 'Previous')}${to(here + 1, 'Next')}
  </nav>`
}
