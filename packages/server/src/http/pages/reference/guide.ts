import { problems, type ProblemBody } from '@wbs/contract/problems'
import type { ApiDocument } from './document.ts'
import { html, type Html } from './html.ts'

/** A chapter of the introduction, before the operations. */
export interface Chapter {
  id: string
  title: string
  body: Html
}

export const guide = (document: ApiDocument): Chapter[] => [
  { id: 'start', title: 'Start', body: start },
  { id: 'credentials', title: 'Credentials', body: credentials(document) },
  { id: 'changes', title: 'Changes', body: changes },
  { id: 'pages', title: 'Pages', body: pages },
  { id: 'problems', title: 'Problems', body: problemChapter() },
  { id: 'limits', title: 'Limits', body: limits },
  { id: 'compatibility', title: 'Compatibility', body: compatibility },
]

const start = html` <p>
    Requests and answers are JSON in UTF-8. The examples are for a shell. They read values that only you know
    from variables:
  </p>
  <pre><code>BASE_URL=http://127.0.0.1:8080
ACCESS_TOKEN=<var>an access token</var>
WORKSPACE_ID=<var>the ID of a Workspace</var></code></pre>
  <p>Other IDs, such as <code>$BUSINESS_ID</code>, are in earlier answers. A search needs no credential:</p>
  <pre><code>curl "$BASE_URL/v1/businesses?query=credit%20union&amp;state=MT&amp;limit=3"</code></pre>
  <p>
    A service with the development identity writes tokens, an API key and Workspace IDs for your first
    requests to the file <code>quickstart.json</code> in its data folder.
  </p>`

const credentials = ({ components }: ApiDocument) =>
  html` <dl>
      <dt><code>Authorization: Bearer …</code></dt>
      <dd>${components.securitySchemes.access_token?.description}</dd>
      <dt><code>X-SVC-API-Key: …</code></dt>
      <dd>${components.securitySchemes.api_key?.description} It acts for its owner, within its scopes.</dd>
    </dl>
    <p>
      Send one of them, not both. An operation in a Workspace needs the header
      <code>SVC-Workspace-Id</code> and the permission that it states. A member has the permissions of their
      role; an API key has at most those of its owner.
    </p>
    <p>
      If you cannot see a resource, the answer is <code>404</code>, as if it did not exist. If you can see it
      but lack a permission, the answer is <code>403</code>.
    </p>`

const changes = html` <p>
    Every change needs an <code>Idempotency-Key</code>: 8 to 200 visible ASCII characters, a new one for each
    new change. If you do not receive the answer, send the same request with the same key. The change happens
    only once; the repeated request gets the first answer again, with <code>idempotent_replay</code>
    <code>true</code>. Keys are kept for 30 days. A key that is sent with a different request is refused with
    <code>idempotency_key_reused</code>.
  </p>
  <p>
    A change of a resource that others can change too needs <code>expected_revision</code>, the revision that
    you read. If the resource has changed since, the answer is <code>revision_conflict</code> and nothing is
    changed: read it again, and decide again.
  </p>`

const pages = html` <p>
  A list takes a <code>limit</code>, and answers with <code>data</code> and <code>page</code>. While
  <code>page.has_more</code> is <code>true</code>, request the next page with <code>page.cursor</code> as
  <code>cursor</code> and the same other parameters. Only <code>has_more</code> tells whether there is more: a
  page before the last may be empty.
</p>`

const limits = html` <p>
  The rate of requests is limited for each credential and Workspace, and for each address that sends no
  credential. <code>RateLimit-Policy</code> has the quota (<code>q</code>) and its window in seconds
  (<code>w</code>). <code>RateLimit</code> has the remaining requests (<code>r</code>) and the seconds until
  the quota is full again or, if none remain, until the next request is accepted (<code>t</code>). A request
  over the limit is refused with <code>rate_limited</code> and changes nothing. Wait for
  <code>Retry-After</code> seconds, then send it again with the same <code>Idempotency-Key</code>.
</p>`

const compatibility = html` <p>
    Within <code>/v1</code>, the interface only grows: it may get optional parameters, fields of answers,
    values of enumerations and problem codes. Accept values and fields that you do not know. Requests are
    checked strictly: a field that the operation does not declare is refused, so that you notice a
    misspelling.
  </p>
  <p>
    Every answer has the version of the interface in <code>SVC-API-Version</code> and its ID in the log in
    <code>SVC-Request-Id</code>.
  </p>`

const exampleProblem: ProblemBody<'validation_error'> = {
  type: 'http://127.0.0.1:8080/problems/validation_error',
  title: problems.validation_error.title,
  status: problems.validation_error.status,
  code: 'validation_error',
  detail: 'limit must be at most 100.',
  instance: '/v1/businesses',
  request_id: 'req_01JD8ZC4T5N6V7W8X9Y0ZABCDE',
  retryable: false,
  errors: [{ in: 'query', pointer: '/limit', code: 'out_of_range', detail: 'limit must be at most 100.' }],
}

const problemChapter = () =>
  html` <p>
      A refusal has a body of the type <code>application/problem+json</code> (RFC 9457), a
      <a href="#schema-Problem">Problem</a>. Programs should use its <code>code</code>; <code>detail</code> is
      for people. If the request is invalid, <code>errors</code> points to each fault. If
      <code>retryable</code> is <code>true</code>, the same request may succeed later: wait for
      <code>Retry-After</code> seconds.
    </p>
    <pre><code>${JSON.stringify(exampleProblem, null, 2)}</code></pre>
    <table>
      <caption>
        Codes
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
              <th scope="row"><code>${code}</code> <small>${status}</small></th>
              <td>${title}.${retryable && ' Retryable.'}</td>
            </tr>`,
        )}
      </tbody>
    </table>`
