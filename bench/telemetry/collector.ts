import { createServer } from 'node:http'

/** A collector in a process of its own: it takes spans, counts them, and keeps none. `GET /` tells how many there were. */
let spans = 0
const server = createServer((request, response) => {
  const chunks: Buffer[] = []
  request.on('data', (chunk: Buffer) => chunks.push(chunk))
  request.on('end', () => {
    // Parsing them would take the processor from the services.
    if (request.method === 'POST')
      spans += Buffer.concat(chunks).toString('latin1').split('"spanId"').length - 1
    response
      .setHeader('content-type', 'application/json')
      .end(request.method === 'POST' ? '{}' : String(spans))
  })
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (typeof address === 'object' && address) process.stdout.write(`http://127.0.0.1:${address.port}\n`)
})
process.on('SIGTERM', () => process.exit())
