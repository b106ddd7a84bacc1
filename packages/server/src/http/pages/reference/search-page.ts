import { addressOf, html, type Html } from './html.ts'
import type { Page } from './page.ts'
import { pathOf } from './paths.ts'
import type { Entry } from './search-index.ts'

/** The results of a search, for readers without script. */
export function searchPage(query: string, found: readonly Entry[]): Page {
  return {
    title: query === '' ? 'Search' : `Search for ${query}`,
    path: pathOf.search,
    sections: [],
    body: html`<article>
      <h1>Search</h1>
      ${query !== '' && html`<p>${amount(found.length)} for <strong>${query}</strong>.</p>`}
      <ol class="results">
        ${found.map(resultOf)}
      </ol>
    </article>`,
  }
}

const amount = (count: number) =>
  count === 0 ? 'Nothing found' : `${count} ${count === 1 ? 'result' : 'results'}`

const resultOf = ({ kind, title, path, about }: Entry): Html =>
  html`<li>
    <a href="${addressOf(path)}">${title}</a> <small>${kind}</small>
    <p>${about}</p>
  </li>`
