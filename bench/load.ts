import { Agent, request } from 'node:http'

/** Sends GETs over kept-alive connections for a while, one at a time on each, and gives how many were answered a second. */
export async function throughput(
  url: string,
  options: { seconds: number; connections: number },
): Promise<number> {
  const agent = new Agent({ keepAlive: true, maxSockets: options.connections })
  const end = performance.now() + options.seconds * 1000
  let answered = 0
  const connection = async () => {
    while (performance.now() < end) {
      await get(url, agent)
      answered++
    }
  }
  const begun = performance.now()
  await Promise.all(Array.from({ length: options.connections }, connection))
  agent.destroy()
  return answered / ((performance.now() - begun) / 1000)
}

/** One GET, read to its end. Anything but 200 stops the run: a refusal is quick and would look like speed. */
export function get(url: string, agent: Agent): Promise<string> {
  return new Promise((resolve, reject) => {
    const sent = request(url, { agent }, response => {
      const chunks: Buffer[] = []
      response.on('data', (chunk: Buffer) => chunks.push(chunk))
      response.on('end', () => {
        if (response.statusCode === 200) resolve(Buffer.concat(chunks).toString())
        else reject(new Error(`${url} answered ${response.statusCode}`))
      })
      response.on('error', reject)
    })
    sent.on('error', reject)
    sent.end()
  })
}
