import type { ApiDocument } from './document.ts'
import { addressOf, html, type Html } from './html.ts'
import { pathOf } from './paths.ts'

/** A chapter of the guide. */
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
  { id: 'sdk', title: 'TypeScript SDK', body: sdk },
  { id: 'limits', title: 'Limits', body: limits },
  { id: 'compatibility', title: 'Compatibility', body: compatibility },
]

/** How a program makes the `client` that the examples of operations use. */
export const sdkSetup = `import { createClient } from '@wbs/sdk'

const client = createClient({
  base_url: 'http://127.0.0.1:8080',
  access_token: 'an access token',
  workspace_id: 'the ID of a Workspace',
})`

const sdk = html` <p>
    <code>@wbs/sdk</code> is a typed client for Node and browsers, with a method for each operation. The
    examples in TypeScript expect a <code>client</code>:
  </p>
  <pre><code>${sdkSetup}</code></pre>
  <p>
    An input has the parameters of path, query and body together. A list has <code>each</code> as well, which
    yields the items of all pages. The client sends an <code>Idempotency-Key</code> with each change, sends
    requests again that may succeed then, and throws <code>ProblemError</code> for a
    <a href="${addressOf(pathOf.problems)}">problem</a>.
  </p>`

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
    Every answer has the version of the interface in <code>SVC-API-Version</code>, that of the service in
    <code>SVC-Version</code>, and its ID in the log in <code>SVC-Request-Id</code>.
  </p>`
