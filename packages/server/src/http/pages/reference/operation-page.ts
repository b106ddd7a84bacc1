import { problems, type ProblemCode } from '@wbs/contract/problems'
import { callers } from './callers.ts'
import { curlExample } from './curl-example.ts'
import { describeType } from './describe-type.ts'
import {
  bodySchemaOf,
  isProblem,
  isSuccess,
  problemCodesIn,
  recordedIn,
  titleOf,
  type ApiDocument,
  type ApiOperation,
  type Endpoint,
  type Parameter,
} from './document.ts'
import { remarksOn } from './field-rules.ts'
import { fieldsOf, fieldTable, rulesBelow, withIds, type Field } from './field-table.ts'
import { addressOf, breakable, html, joined, line, prose, type Html } from './html.ts'
import { jsonText } from './json-text.ts'
import type { Page, Section } from './page.ts'
import { pathOf } from './paths.ts'
import { sdkExample } from './sdk-example.ts'

/** The page of one operation: who may call it, its input and answers, and its examples. */
export function operationPage(endpoint: Endpoint, document: ApiDocument): Page {
  const { method, path, operation } = endpoint
  const sections = [...requestSections(operation), ...answerSections(operation), problemSection(operation)]
  return {
    title: titleOf(operation),
    path: pathOf.operation(operation.operationId),
    sections,
    body: html`<article class="operation">
      <header>
        <h1>${titleOf(operation)}</h1>
        <p class="route">${methodMark(method)} <code>${breakable(path, '/')}</code></p>
        <div class="lead">${prose(operation.summary)}</div>
        ${operation.description !== '' && prose(operation.description)} ${callers(operation, document)}
      </header>
      <aside aria-label="Examples">
        <div>${requestExamples(endpoint, document)}${requestJson(operation)}${answerExamples(operation)}</div>
      </aside>
      ${sections.map(sectionOf)}
    </article>`,
  }
}

/** Methods that read have a calmer colour than those that change. */
export const methodMark = (method: string): Html =>
  html`<span class="${method === 'GET' ? 'reads' : 'changes'}">${method}</span>`

interface FilledSection extends Section {
  content: Html
}

const sectionOf = ({ id, title, content }: FilledSection): Html =>
  html`<section id="${id}" aria-labelledby="heading-${id}">
    <h2 id="heading-${id}"><a href="#${id}">${title}</a></h2>
    ${content}
  </section>`

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const

function requestSections({ parameters, requestBody }: ApiOperation): FilledSection[] {
  const sections = Object.entries(places).flatMap(([place, title]) => {
    const fields = parameters.filter(parameter => parameter.in === place).map(parameterField)
    const table = fieldTable(`${title} of the request`, withIds(fields, place), 'request')
    return table ? [{ id: place, title, content: table }] : []
  })
  if (!requestBody) return sections
  const schema = bodySchemaOf(requestBody.content)
  const fields = withIds(fieldsOf(schema, 'request'), 'body')
  const table = fieldTable('Body of the request', fields, 'request')
  const content = html`${table || html`<p>An object without fields: <code>{}</code>.</p>`}${rulesBelow(schema)}`
  return [...sections, { id: 'body', title: 'Body', content }]
}

const parameterField = ({ name, schema, required, description }: Parameter): Field => ({
  name,
  // The parameter's own description is shown, so the schema's would be a repetition.
  schema: description === undefined ? schema : { ...schema, description },
  remarks: [...(required ? ['required'] : []), ...remarksOn(name, schema)],
  description: description ?? schema.description,
})

function answerSections({ responses }: ApiOperation): FilledSection[] {
  return Object.entries(responses)
    .filter(([status]) => !isProblem(status))
    .map(([status, { content, description }]) => {
      const schema = bodySchemaOf(content)
      const fields = withIds(fieldsOf(schema, 'answer'), `answer-${status}`)
      const table =
        fieldTable(`Answer ${status}`, fields, 'answer') ||
        (content !== undefined && html`<p>${describeType(schema)}</p>`)
      return {
        id: `answer-${status}`,
        title: `Answer ${status}`,
        content: html`<p>${line(description)}</p>
          ${table}`,
      }
    })
}

function problemSection({ responses }: ApiOperation): FilledSection {
  const rows = Object.entries(responses).filter(([status]) => isProblem(status))
  return {
    id: 'problems',
    title: 'Problems',
    content: html`<table>
      <caption>
        <span>Problems by status</span>
      </caption>
      <thead>
        <tr>
          <th scope="col"><span>Status</span></th>
          <th scope="col"><span>Codes and what they mean</span></th>
        </tr>
      </thead>
      <tbody>
        ${rows.map(
          ([status, answer]) =>
            html`<tr>
              <th scope="row">${status}</th>
              <td>${codesOf(problemCodesIn(answer)) || line(answer.description)}</td>
            </tr>`,
        )}
      </tbody>
    </table>`,
  }
}

const codesOf = (codes: readonly string[]): Html | false =>
  codes.length > 0 &&
  joined(
    codes.map(
      code =>
        html`<a href="${addressOf(pathOf.problem(code))}"><code>${code}</code></a>
          ${problems[code as ProblemCode].title}.`,
    ),
    html`<br />`,
  )

/** Tabs. Without script they are shown one below the other. */
function requestExamples(endpoint: Endpoint, document: ApiDocument): Html {
  return tabs('Request', [
    { label: 'curl', content: html`${breakable(curlExample(endpoint, document), '/')}` },
    { label: 'TypeScript', content: html`${sdkExample(endpoint, document)}` },
  ])
}

function requestJson({ requestBody }: ApiOperation): Html | false {
  const value = recordedIn(requestBody?.content)
  return value !== undefined && tabs('Body', [{ label: 'JSON', content: jsonText(value) }])
}

function answerExamples({ responses }: ApiOperation): Html | false {
  const recorded = Object.entries(responses)
    .filter(([status]) => isSuccess(status))
    .map(([status, { content }]) => ({ label: status, value: recordedIn(content) }))
    .filter(({ value }) => value !== undefined)
  if (recorded.length === 0) return false
  return tabs(
    'Answer',
    recorded.map(({ label, value }) => ({ label, content: jsonText(value) })),
  )
}

const tabs = (title: string, panels: readonly { label: string; content: Html }[]): Html =>
  html`<figure class="tabs">
    <figcaption>${title}</figcaption>
    ${panels.map(
      ({ label, content }) =>
        html`<div class="panel" data-label="${label}">
          <p class="label">${label}</p>
          <pre tabindex="0" aria-label="${title}: ${label}"><code>${content}</code></pre>
        </div>`,
    )}
  </figure>`
