import { problems, type ProblemCode } from '@wbs/contract/problems'
import { problemCodesIn, titleOf, type ApiDocument, type Endpoint } from './document.ts'
import { addressOf, html, line, type Html } from './html.ts'
import { jsonText } from './json-text.ts'
import { schemaLink } from './describe-type.ts'
import type { Page } from './page.ts'
import { pathOf } from './paths.ts'

/** The page at the URL of a problem's `type`, which explains it. */
export function problemPage(code: ProblemCode, document: ApiDocument, endpoints: readonly Endpoint[]): Page {
  const { status, title, retryable } = problems[code]
  const again = retryable ? 'may succeed' : 'will not succeed'
  const recorded = document.components.examples?.[`problem_${code}`]?.value
  return {
    title: code,
    path: pathOf.problem(code),
    sections: [],
    body: html`<article>
      <h1>${code}</h1>
      <div class="lead"><p>${title}. The status is ${status}.</p></div>
      <p>
        The same request, sent again unchanged, ${again}. <code>detail</code> says what was wrong, and if the
        request was invalid, <code>errors</code> points to each fault.
        <a href="${addressOf(pathOf.problems)}">Problems</a> says what all of them have in common.
      </p>
      ${recorded !== undefined && html`<pre tabindex="0" aria-label="Example"><code>${jsonText(recorded)}</code></pre>`}
      ${membersOf(code, document)} ${answeredBy(code, endpoints)}
    </article>`,
  }
}

/** What the schema says of further members: their descriptions begin with the code. */
function membersOf(code: string, { components }: ApiDocument): Html | false {
  const members = Object.entries(components.schemas['Problem']?.properties ?? {}).filter(
    ([, { description }]) => description?.startsWith(`With ${code}:`),
  )
  return (
    members.length > 0 &&
    html`<h2>Further members</h2>
      <dl>
        ${members.map(
          ([name, { description = '' }]) =>
            html`<dt><code>${name}</code></dt>
              <dd>${line(capitalized(description.slice(`With ${code}: `.length)))}</dd>`,
        )}
      </dl>`
  )
}

const capitalized = (text: string) => text.charAt(0).toUpperCase() + text.slice(1)

function answeredBy(code: string, endpoints: readonly Endpoint[]): Html | false {
  const answering = endpoints.filter(({ operation }) =>
    Object.values(operation.responses).some(answer => problemCodesIn(answer).includes(code)),
  )
  return (
    answering.length > 0 &&
    html`<section id="answered-by" aria-labelledby="answered-by-title">
      <h2 id="answered-by-title">Operations that answer it</h2>
      ${
        answering.length === endpoints.length
          ? html`<p>All operations.</p>`
          : html`<ul class="columns">
              ${answering.map(({ operation }) => html`<li><a href="${addressOf(pathOf.operation(operation.operationId))}">${titleOf(operation)}</a></li>`)}
            </ul>`
      }
    </section>`
  )
}

/** What all problems have in common, and a table of them. */
export function problemListPage(document: ApiDocument): Page {
  const recorded = document.components.examples?.['problem_validation_error']?.value
  return {
    title: 'Problems',
    path: pathOf.problems,
    sections: [],
    body: html`<article class="chapter">
      <h1>Problems</h1>
      <p>
        A refusal has a body of the type <code>application/problem+json</code> (RFC 9457), a
        ${schemaLink('Problem')}. Programs should use its <code>code</code>; <code>detail</code> is for
        people. If the request is invalid, <code>errors</code> points to each fault. If
        <code>retryable</code> is <code>true</code>, the same request may succeed later: wait for
        <code>Retry-After</code> seconds.
      </p>
      ${recorded !== undefined && html`<pre tabindex="0" aria-label="Example"><code>${jsonText(recorded)}</code></pre>`}
      <table>
        <caption>
          <span>Codes</span>
        </caption>
        <thead>
          <tr>
            <th scope="col"><span>Code and status</span></th>
            <th scope="col"><span>What it means</span></th>
          </tr>
        </thead>
        <tbody>
          ${Object.entries(problems).map(
            ([code, { status, title, retryable }]) =>
              html` <tr id="problem-${code}">
                <th scope="row">
                  <a href="${addressOf(pathOf.problem(code))}"><code>${code}</code></a>
                  <small>${status}</small>
                </th>
                <td>${title}.${retryable && ' Retryable.'}</td>
              </tr>`,
          )}
        </tbody>
      </table>
    </article>`,
  }
}
