import Fastify from 'fastify'

/** The floor of a neighbour's request: a bare Fastify route without authentication. Its time is that of the machine. */
const server = Fastify()
server.get('/nothing', async () => ({ data: [] }))
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
