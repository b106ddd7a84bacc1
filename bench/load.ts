import { Agent, request } from 'node:http'
import { quantile } from './quantiles.ts'

/** The result of a load: requests answered per second, and how long they took. */
export interface Load {
  per_second: number
  p50_ms: number
  p99_ms: number
}

export interface LoadOptions {
  seconds: number
  connections: number
}

/**
 * Sends requests over kept-alive connections for a while, one at a time on each. The request is told the number of its
 * connection.
 */
export async function loadOf(
  send: (connection: number, agent: Agent) => Promise<unknown>,
  options: LoadOptions,
): Promise<Load> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections })
  const end = performance.now() + options.seconds * 1000
  const took: number[] = []
  const connection = async (_: unknown, number: number) => {
    for (let begun = performance.now(); begun < end; begun = performance.now()) {
      await send(number, agent)
      took.push(performance.now() - begun)
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: options.connections }, connection))
  agent.destroy()
  return {
    per_second: took.length / ((performance.now() - begun) / 1000),
    p50_ms: quantile(took, 0.5),
    p99_ms: quantile(took, 0.99),
  }
}

/**
 * Sends a GET and reads the answer to its end. Anything but 200 stops the run, because refusals are fast and would look
 * like speed.
 */
export const get = (url: string, agent: Agent): Promise<string> => sendRequest(url, agent, { method: 'GET' })

/** Sends a request and reads the answer to its end. Anything but 200 or 201 stops the run. */
export function sendRequest(
  url: string,
  agent: Agent,
  { method, headers, body }: { method: string; headers?: Record<string, string>; body?: string },
): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent, method, ...(headers && { headers }) }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString()
        if (response.statusCode === 200 || response.statusCode === 201) resolve(text)
        else reject(new Error(`${method} ${url} answered ${response.statusCode}: ${text}`))
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end(body)
  })
}
