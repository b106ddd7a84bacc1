import { Agent, request } from 'node:http'

/** Sends GETs over kept-alive connections for a while, one at a time on each, and gives how many were answered a second. */
export const throughput = (url: string, options: { seconds: number; connections: number }): Promise<number> =>
  throughputOf((_, agent) => get(url, agent), options)

/** The same of any request, told on which of the connections it goes out. */
export async function throughputOf(
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
export function exchange(
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
