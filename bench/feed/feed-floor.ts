import type { ServerResponse } from 'node:http'
import Fastify, { type FastifyRequest } from 'fastify'

/**
 * The floor of the streams: a bare Fastify that sends the same bytes from memory to all listeners, as fast as they
 * read. It has no authentication and no visibility.
 */
const { bytes } = JSON.parse(process.env.FLOOR ?? '{}') as { bytes: number }

const listeners = new Set<ServerResponse>()
const server = Fastify()

server.get('/stream', (_request, reply) => {
  reply.hijack()
  reply.raw.writeHead(200, { 'content-type': 'text/event-stream' })
  reply.raw.write('retry: 1000\n\n')
  listeners.add(reply.raw)
  reply.raw.once('close', () => listeners.delete(reply.raw))
})

/** Sends to all listeners: so many events at once, for so many milliseconds. */
server.route({ method: 'POST', url: '/send', handler: send })

async function send(request: FastifyRequest): Promise<{ sent: number }> {
  const { at_once, milliseconds } = request.query as Record<string, string>
  const end = performance.now() + Number(milliseconds)
  let sent = 0
  while (performance.now() < end) {
    const text = eventNow().repeat(Number(at_once))
    await Promise.all([...listeners].map(listener => sendTo(listener, text)))
    sent += Number(at_once)
  }
  return { sent }
}

function eventNow(): string {
  const head = `id: 123456789012345678\ndata: {"occurred_at":"${new Date().toISOString()}","x":"`
  return `${head.padEnd(bytes - 4, 'x')}"}\n\n`
}

/** Waits for a listener that has not read yet. */
const sendTo = (serverResponse: ServerResponse, text: string): Promise<void> =>
  new Promise(resolve => {
    if (serverResponse.write(text)) setImmediate(resolve)
    else serverResponse.once('drain', resolve)
  })

console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
