import { curlExample } from './curl-example.ts'
import {
  bodySchemaOf,
  titleOf,
  type ApiDocument,
  type ApiOperation,
  type Endpoint,
  type Parameter,
  type SecurityRequirement,
} from './document.ts'
import { fieldsOf, fieldTable, type Field } from './field-table.ts'
import { breakable, html, joined, line, prose, type Html } from './html.ts'
import { describeType } from './describe-type.ts'

/** The reference of one operation: who may call it, its input and answers, and an example. */
export function operationArticle(endpoint: Endpoint, document: ApiDocument): Html {
  const { method, path, operation } = endpoint
  const id = `operation-${operation.operationId}`
  return html` <article id="${id}" aria-labelledby="${id}-title">
    <h3 id="${id}-title"><a href="#${id}">${titleOf(operation)}</a></h3>
    <p class="route">${methodMark(method)} <code>${breakable(path, '/')}</code></p>
    <div class="text">
      ${prose(operation.summary)}${operation.description !== '' && prose(operation.description)}
      ${access(operation.security ?? document.security)}
      ${requestTables(operation)}${answerTables(operation)}${problemTable(operation)}
    </div>
    <figure>
      <figcaption>Example</figcaption>
      <pre><code>${breakable(curlExample(endpoint, document), '/')}</code></pre>
    </figure>
  </article>`
}

/** Methods that read have a calmer colour than those that change. */
export const methodMark = (method: string): Html =>
  html`<span class="${method === 'GET' ? 'reads' : 'changes'}">${method}</span>`

function access(accepted: readonly SecurityRequirement[]): Html {
  const permissions = [...new Set(accepted.flatMap(requirement => Object.values(requirement).flat()))]
  return html`<dl class="access">
    <dt>Credential</dt>
    <dd>${credentialWords(accepted)}</dd>
    ${
      permissions.length > 0 &&
      html`<dt>Permission</dt>
        <dd>
          ${joined(
            permissions.map(one => html`<code>${one}</code>`),
            ', ',
          )}
        </dd>`
    }
  </dl>`
}

const schemeWords: Record<string, string> = {
  access_token: 'Access token',
  api_key: 'API key',
}

function credentialWords(accepted: readonly SecurityRequirement[]): string {
  const schemes = accepted
    .flatMap(requirement => Object.keys(requirement))
    .map(name => schemeWords[name] ?? name)
  if (schemes.length === 0) return 'None'
  const optional = accepted.some(requirement => Object.keys(requirement).length === 0)
  return `${schemes.join(' or ')}${optional ? ', or none' : ''}`
}

const places = { path: 'Path', query: 'Query', header: 'Headers' } as const

function requestTables({ parameters, requestBody }: ApiOperation): Html[] {
  const tables = Object.entries(places).map(([place, caption]) =>
    fieldTable(
      caption,
      parameters.filter(parameter => parameter.in === place).map(parameterField),
      'request',
    ),
  )
  const body =
    requestBody && fieldTable('Body', fieldsOf(bodySchemaOf(requestBody.content), 'request'), 'request')
  return [...tables, body].map(table => html`${table}`)
}

const parameterField = ({ name, schema, required, description }: Parameter): Field => ({
  name,
  // The parameter's own description is shown, so the schema's would be a repetition.
  schema: description === undefined ? schema : { ...schema, description },
  remark: required && 'required',
  description: description ?? schema.description,
})

const isSuccess = (status: string) => status.startsWith('2')
const isProblem = (status: string) => status >= '400'

function answerTables({ responses }: ApiOperation): Html[] {
  return Object.entries(responses)
    .filter(([status]) => isSuccess(status))
    .map(([status, { content }]) => {
      const schema = bodySchemaOf(content)
      return html`${fieldTable(`Answer ${status}`, fieldsOf(schema, 'answer'), 'answer') || html`<p>Answer ${status}: ${describeType(schema)}</p>`}`
    })
}

function problemTable({ responses }: ApiOperation): Html {
  const problems = Object.entries(responses).filter(([status]) => isProblem(status))
  return html`<details class="inner">
    <summary>Problems <span class="quiet">${problems.map(([status]) => status).join(' ')}</span></summary>
    <table>
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
        ${problems.map(
          ([status, { description }]) =>
            html`<tr>
              <th scope="row">${status}</th>
              <td>${line(description)}</td>
            </tr>`,
        )}
      </tbody>
    </table>
  </details>`
}
