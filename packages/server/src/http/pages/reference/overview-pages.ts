import { titleOf, type ApiDocument, type Tag } from './document.ts'
import type { Chapter } from './guide.ts'
import { addressOf, breakable, html, line, prose, type Html } from './html.ts'
import { methodMark } from './operation-page.ts'
import type { Page, Surroundings } from './page.ts'
import { pathOf } from './paths.ts'

/**
 * The first page: the beginning of the guide, and all operations. It has the ids that were on the single page of earlier
 * versions, so that their links lead to the new pages.
 */
export function startPage({ info }: ApiDocument, { tags, chapters }: Surroundings, start: Chapter): Page {
  return {
    title: 'Reference',
    path: pathOf.start,
    sections: [],
    body: html`<article>
      <h1>${info.title}</h1>
      <div class="lead">${prose(info.description)}</div>
      <p>
        Version <code>${info.version}</code> ·
        <a href="${addressOf('openapi.json')}">OpenAPI document</a>
      </p>
      <section id="${start.id}" aria-labelledby="start-title">
        <h2 id="start-title">${start.title}</h2>
        ${start.body}
      </section>
      <section id="guide" aria-labelledby="guide-title">
        <h2 id="guide-title">Guide</h2>
        <ul>
          ${chapters
            .filter(({ path }) => path !== pathOf.start)
            .map(({ title, path }) => html`<li><a href="${addressOf(path)}">${title}</a></li>`)}
          <li><a href="${addressOf(pathOf.problems)}">Problems</a></li>
        </ul>
      </section>
      <section id="operations" aria-labelledby="operations-title">
        <h2 id="operations-title">Operations</h2>
        ${tags.map(
          tag =>
            html`<section id="tag-${tag.slug}" aria-labelledby="tag-${tag.slug}-title">
              <h3 id="tag-${tag.slug}-title"><a href="${addressOf(pathOf.tag(tag.slug))}">${tag.name}</a></h3>
              ${tag.description !== '' && prose(tag.description)} ${listOf(tag)}
            </section>`,
        )}
      </section>
    </article>`,
  }
}

export function chapterPage({ id, title, body }: Chapter): Page {
  return {
    title,
    path: pathOf.chapter(id),
    sections: [],
    body: html`<article class="chapter">
      <h1>${title}</h1>
      ${body}
    </article>`,
  }
}

const listOf = ({ endpoints }: Tag): Html =>
  html`<ul class="operations">
    ${endpoints.map(
      ({ method, operation }) =>
        html`<li id="operation-${operation.operationId}">
          <a href="${addressOf(pathOf.operation(operation.operationId))}">${titleOf(operation)}</a>
          ${methodMark(method)}
        </li>`,
    )}
  </ul>`

/** The operations of a tag, with what each does. */
export function tagPage({ name, slug, description, endpoints }: Tag): Page {
  return {
    title: name,
    path: pathOf.tag(slug),
    sections: [],
    body: html`<article>
      <h1>${name}</h1>
      ${description !== '' && html`<div class="lead">${prose(description)}</div>`}
      <table>
        <caption>
          <span>Operations</span>
        </caption>
        <thead>
          <tr>
            <th scope="col"><span>Operation</span></th>
            <th scope="col"><span>What it does</span></th>
          </tr>
        </thead>
        <tbody>
          ${endpoints.map(
            ({ method, path, operation }) =>
              html`<tr>
                <th scope="row">
                  <a href="${addressOf(pathOf.operation(operation.operationId))}">${titleOf(operation)}</a>
                </th>
                <td>
                  ${line(operation.summary)}
                  <small>${methodMark(method)} <code>${breakable(path, '/')}</code></small>
                </td>
              </tr>`,
          )}
        </tbody>
      </table>
    </article>`,
  }
}
