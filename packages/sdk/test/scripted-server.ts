import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { problems, type ProblemCode } from '@wbs/contract/problems'

/** A request as the server received it. */
export interface SeenRequest {
  method: string
  url: string
  headers: IncomingHttpHeaders
  body: string
  /** In milliseconds of performance.now(). */
  at: number
}

/** What the server does with a request. */
export type Reaction = (response: ServerResponse) => void

/** A server that reacts to successive requests as scripted, and repeats the last reaction. */
export interface ScriptedServer {
  base_url: string
  seen: SeenRequest[]
  script(...reactions: Reaction[]): void
  close(): Promise<void>
}

export async function startScriptedServer(): Promise<ScriptedServer> {
  const seen: SeenRequest[] = []
  let reactions: Reaction[] = []
  const server = createServer((request, response) => {
    const { method = '', url = '', headers } = request
    let body = ''
    request.on('data', (chunk: Buffer) => (body += chunk.toString()))
    request.on('end', () => {
      seen.push({ method, url, headers, body, at: performance.now() })
      const reaction = reactions.length > 1 ? reactions.shift() : reactions[0]
      reaction?.(response)
    })
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    seen,
    script(...next) {
      seen.length = 0
      reactions = next
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}

export const answer =
  (status: number, body: unknown, headers: Record<string, string> = {}): Reaction =>
  response => {
    response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))
  }

export const problem = (
  code: ProblemCode,
  headers: Record<string, string> = {},
  members: object = {},
): Reaction => {
  const { status, title, retryable } = problems[code]
  const body = {
    type: `/problems/${code}`,
    title,
    status,
    code,
    detail: title,
    instance: '/',
    request_id: 'req_1',
    retryable,
    ...members,
  }
  return answer(status, body, { 'content-type': 'application/problem+json', ...headers })
}

export const page = (data: unknown[], cursor: string | null, has_more = cursor !== null): Reaction =>
  answer(200, { data, page: { cursor, has_more }, request_id: 'req_1' })

export const text =
  (status: number, content: string, type = 'text/html'): Reaction =>
  response =>
    void response.writeHead(status, { 'content-type': type }).end(content)

/** Closes the connection without an answer. */
export const hangUp: Reaction = response => void response.destroy()

/** Closes the connection in the middle of the answer. */
export const hangUpHalfway: Reaction = response => {
  response.writeHead(200, { 'content-type': 'application/json', 'content-length': '100' }).write('{"data":')
  setTimeout(() => response.destroy(), 20)
}

/** Never answers. */
export const silence: Reaction = () => {}
