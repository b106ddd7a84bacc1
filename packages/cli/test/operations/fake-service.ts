import type { ClientSettings } from '@wbs/sdk'

/** A request as it was sent. */
export interface SentRequest {
  method: string
  url: URL
  headers: Headers
  body: unknown
}

/** What a request is answered with. An error is thrown, as by fetch. */
export type Reply = { status?: number; body: unknown; headers?: Record<string, string> } | Error

/** Settings of a client whose requests are answered here, each by the next reply; the last one stays. */
export function fakeService(...replies: readonly Reply[]): { access: ClientSettings; sent: SentRequest[] } {
  const sent: SentRequest[] = []
  return {
    sent,
    access: {
      base_url: 'http://service.test',
      access_token: 'a-token',
      workspace_id: '5d8f3c1e-8a52-4c55-9d0b-6f2f5f0a1c11',
      attempts: 1,
      fetch: async (target, init) => {
        const reply = replies[Math.min(sent.length, replies.length - 1)] ?? { body: {} }
        sent.push({
          method: init?.method ?? 'GET',
          url: new URL(target instanceof Request ? target.url : String(target)),
          headers: new Headers(init?.headers),
          body: typeof init?.body === 'string' ? JSON.parse(init.body) : undefined,
        })
        if (reply instanceof Error) throw reply
        return answer(reply)
      },
    },
  }
}

function answer({ status = 200, body, headers = {} }: Exclude<Reply, Error>): Response {
  const type = status < 400 ? 'application/json' : 'application/problem+json'
  const isContent = body instanceof Uint8Array || typeof body === 'string'
  return new Response(isContent ? (body as string) : JSON.stringify(body), {
    status,
    headers: { 'content-type': type, 'svc-request-id': 'req_1', ...headers },
  })
}
