import { createServer, request, type IncomingMessage } from 'node:http'
import type { AddressInfo } from 'node:net'

/** An error answer. */
export interface ErrorAnswer {
  request: string
  status: number
  /** The code of the problem; undefined if the answer is not a problem. */
  code: string
}

/** A proxy in front of a service that records each error answer. */
export interface WatchedService {
  base_url: string
  /** The errors since the last call. */
  errors(): ErrorAnswer[]
  close(): Promise<void>
}

export async function watch(target: string): Promise<WatchedService> {
  let errors: ErrorAnswer[] = []
  const server = createServer((asked, answer) => {
    const { method, url, rawHeaders } = asked
    const passed = request(new URL(url ?? '/', target), { method, headers: rawHeaders, agent: false })
    passed.on('response', answered => {
      const { statusCode = 502 } = answered
      answer.writeHead(statusCode, answered.rawHeaders)
      if (statusCode >= 400) note(answered, `${method} ${url}`)
      answered.pipe(answer)
    })
    passed.on('error', () => answer.destroy())
    answer.on('close', () => passed.destroy())
    asked.pipe(passed)
  })
  /** Recorded before the end of the answer is passed on, so that a client with the whole answer finds it recorded. */
  function note(answered: IncomingMessage, request: string): void {
    const error: ErrorAnswer = { request, status: answered.statusCode ?? 0, code: '' }
    errors.push(error)
    let text = ''
    answered.on('data', (chunk: Buffer) => {
      text += chunk.toString('latin1')
      error.code = /"code":"(\w+)"/.exec(text)?.[1] ?? ''
    })
  }
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  return {
    base_url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    errors() {
      const noted = errors
      errors = []
      return noted
    },
    async close() {
      server.closeAllConnections()
      await new Promise(resolve => server.close(resolve))
    },
  }
}
