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
    Requests and answers are JSON in UTF-8. The examples are for a shell, and take what only you can know from
    variables:
  </p>
  <pre><code>BASE_URL=http://127.0.0.1:8080
ACCESS_TOKEN=<var>an access token</var>
WORKSPACE_ID=<var>the id of a Workspace</var></code></pre>
  <p>
    Other ids, such as <code>$BUSINESS_ID</code>, come out of earlier answers. Searching needs no credential
    at all:
  </p>
  <pre><code>curl "$BASE_URL/v1/businesses?query=credit%20union&amp;state=MT&amp;limit=3"</code></pre>
  <p>
    A service that runs with its development identity writes tokens, an API key and Workspace ids for trying
    things out to the file <code>quickstart.json</code> in its data folder.
  </p>`

const credentials = ({ components }: ApiDocument) =>
  html` <dl>
      <dt><code>Authorization: Bearer …</code></dt>
      <dd>${components.securitySchemes.access_token?.description}</dd>
      <dt><code>X-SVC-API-Key: …</code></dt>
      <dd>
        ${components.securitySchemes.api_key?.description} It acts for its owner, within the scopes it was
        given.
      </dd>
    </dl>
    <p>
      Send one of them, never both. What happens in a Workspace names it in the header
      <code>SVC-Workspace-Id</code>, and needs the permission that the operation states: a member has those of
      their role, and a key no more than its owner.
    </p>
    <p>
      What you cannot see answers <code>404</code>, as though it did not exist. What you can see but may not
      do answers <code>403</code>.
    </p>`

const changes = html` <p>
    Every change carries an <code>Idempotency-Key</code>: 8 to 200 visible ASCII characters, new for each new
    change. If an answer gets lost, send the same request with the same key. The change happens once; the
    repeat is answered with the first answer, in which <code>idempotent_replay</code> is <code>true</code>. A
    key is remembered for 30 days. With another request it is refused as <code>idempotency_key_reused</code>.
  </p>
  <p>
    A change of something that others may change too states the <code>expected_revision</code> it was read at.
    If somebody was faster, it answers <code>revision_conflict</code> and nothing is changed: read again, and
    decide again.
  </p>`

const pages = html` <p>
  Lists take a <code>limit</code>, and answer <code>data</code> and <code>page</code>. While
  <code>page.has_more</code> is <code>true</code>, ask again with <code>page.cursor</code> as
  <code>cursor</code> and everything else unchanged. Go by <code>has_more</code> alone: a page in the middle
  may be empty.
</p>`

const limits = html` <p>
  How often a credential, a Workspace or, without a credential, an address may ask is limited.
  <code>RateLimit-Policy</code> tells the quota (<code>q</code>) and the seconds over which it comes back
  (<code>w</code>); <code>RateLimit</code> tells how many requests are left (<code>r</code>) and in how many
  seconds the quota is whole again, or with none left the next request is let in (<code>t</code>). One too
  many answers <code>rate_limited</code> and has done nothing, so that the same
  <code>Idempotency-Key</code> serves again: wait as long as <code>Retry-After</code> says.
</p>`

const compatibility = html` <p>
    Within <code>/v1</code> things are only added: parameters that may be left out, fields of answers, values
    of enumerations, problem codes. Accept what you do not know. Requests are read strictly: a field that an
    operation does not have is refused, so that a misspelt one cannot go unnoticed.
  </p>
  <p>
    Every answer says in <code>SVC-API-Version</code> which interface it speaks, and in
    <code>SVC-Request-Id</code> how to find it in the log.
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
      A refusal is an <code>application/problem+json</code> body (RFC 9457), a
      <a href="#schema-Problem">Problem</a>. Decide by its <code>code</code>; <code>detail</code> is for
      people. Where the request itself is wrong, <code>errors</code> points at each place. Where
      <code>retryable</code> is <code>true</code>, the same request may succeed later: wait as long as
      <code>Retry-After</code> says.
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
