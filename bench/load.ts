import { Agent, request } from 'node:http'
import { quantile } from './results.ts'

/** Sends GETs over kept-alive connections for a while, one at a time on each, and gives how many were answered a second. */
export const throughput = (url: string, options: { seconds: number; connections: number }): Promise<number> =>
  throughputOf((_, agent) => get(url, agent), options)

/** The same of any request, told on which of the connections it goes out. */
async function throughputOf(
  send: (connection: number, agent: Agent) => Promise<unknown>,
  options: { seconds: number; connections: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections })
  const end = performance.now() + options.seconds * 1000
  let answered = 0
  const connection = async (_: unknown, number: number) => {
    while (performance.now() < end) {
      await send(number, agent)
      answered++
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: options.connections }, connection))
  agent.destroy()
  return answered / ((performance.now() - begun) / 1000)
}

/** One GET, read to its end. Anything but 200 stops the run: a refusal is quick and would look like speed. */
export const get = (url: string, agent: Agent): Promise<string> => exchange(url, agent, { method: 'GET' })

/** One request of any kind, read to its end. Anything but 200 or 201 stops the run. */
function exchange(
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

/** What came of a load: how many requests were answered a second, and after how long. */
export interface Load {
  per_second: number
  p50_ms: number
  p99_ms: number
}

/** Throughput as `throughputOf` has it, with how long the requests took. */
export async function loadOf(
  send: (connection: number, agent: Agent) => Promise<unknown>,
  options: { seconds: number; connections: number },
): Promise<Load> {
  const times: number[] = []
  const timed = async (connection: number, agent: Agent) => {
    const begun = performance.now()
    await send(connection, agent)
    times.push(performance.now() - begun)
  }
  const per_second = await throughputOf(timed, options)
  return { per_second, p50_ms: quantile(times, 0.5), p99_ms: quantile(times, 0.99) }
}
