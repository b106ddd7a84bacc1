import assert from 'node:assert/strict'
import { connect, createServer, type AddressInfo, type Server, type Socket } from 'node:net'
import { createServer as createTlsServer } from 'node:tls'
import { after, before, describe, it } from 'node:test'
import { makeCertificate } from './certificate.ts'
import { ask, host, httpJson, localNetwork } from './local-app.ts'

/** How an app ends its answer. `never`: the time of the call is over some time after the answer. */
type Ending = 'close_notify' | 'end of TCP' | 'reset' | 'never'

describe('the end of an answer of an app', () => {
  const certificate = makeCertificate(host)
  let answer = ''
  let ending: Ending = 'never'
  let time = new AbortController()
  const open = new Set<Socket>()
  const servers: Server[] = []
  let secure = 0
  let plain = 0
  before(async () => {
    const behind = createTlsServer(certificate, socket => serve(socket))
    const front = createServer(socket => relay(socket, portOf(behind)))
    const direct = createServer(socket => serve(socket, socket))
    for (const server of [behind, front, direct]) {
      await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
      servers.push(server)
    }
    secure = portOf(front)
    plain = portOf(direct)
  })
  after(async () => {
    for (const socket of open) socket.destroy()
    for (const server of servers) await new Promise(resolve => server.close(resolve))
  })

  /** The TCP connections of the clients, which stand before TLS. */
  const relayed = new Map<number | undefined, Socket>()
  const keep = (socket: Socket) => {
    open.add(socket)
    socket.on('error', () => undefined)
  }

  /** Passes bytes on, and ends the connection as the test wants, without the knowledge of TLS. */
  function relay(client: Socket, port: number): void {
    const upstream = connect(port, '127.0.0.1', () => relayed.set(upstream.localPort, client))
    keep(client)
    keep(upstream)
    client.on('data', chunk => upstream.write(chunk)).on('close', () => upstream.destroy())
    upstream.on('data', chunk => client.write(chunk)).on('end', () => client.end())
  }

  function serve(socket: Socket, tcp?: Socket): void {
    keep(socket)
    socket.once('data', () => {
      socket.write(answer)
      // The answer must have left before the connection below it ends.
      setTimeout(() => end(socket, tcp ?? relayed.get(socket.remotePort)), 200)
    })
  }

  function end(socket: Socket, tcp: Socket | undefined): void {
    if (ending === 'close_notify') socket.end()
    else if (ending === 'end of TCP') tcp?.end()
    else if (ending === 'reset') tcp?.resetAndDestroy()
    else endTimeOf(time)
  }

  const outcomeOver = async (scheme: 'http' | 'https', given: string, how: Ending) => {
    answer = `HTTP/1.1 200 OK\r\ncontent-type: application/json\r\n${given}`
    ending = how
    time = new AbortController()
    const port = scheme === 'https' ? secure : plain
    // A handshake takes long on a busy machine, so the time is not counted from the start of the call.
    const network = localNetwork({ ca: certificate.cert, connectTime: 10_000, totalTime: 20_000 })
    const { signal } = time
    return ask(httpJson([`${host}:${port}`], network), `${scheme}://${host}:${port}`, undefined, { signal })
  }

  const endless = '\r\n17'
  const ofLength = 'content-length: 7\r\n\r\n1700000'
  const chunked = 'transfer-encoding: chunked\r\n\r\n7\r\n1700000\r\n0\r\n\r\n'
  const cutChunks = 'transfer-encoding: chunked\r\n\r\n2\r\n17\r\n'
  const cutLength = 'content-length: 7\r\n\r\n17'
  const encoded = 'transfer-encoding: identity\r\n\r\n17'

  it('may be that of the connection only if TLS says so', async () => {
    const said = await outcomeOver('https', endless, 'close_notify')
    assert.deepEqual(said, { outcome: 'succeeded', output: 17 })
    for (const how of ['end of TCP', 'reset', 'never'] as const)
      for (const body of [endless, encoded])
        assert.equal((await outcomeOver('https', body, how)).outcome, 'invalid_answer', `${how} ${body}`)
    for (const how of ['end of TCP', 'reset', 'never'] as const)
      assert.equal((await outcomeOver('http', endless, how)).outcome, 'invalid_answer', how)
  })

  it('is in the message itself if it has a length or chunks, however the connection ends', async () => {
    for (const scheme of ['http', 'https'] as const)
      for (const body of [ofLength, chunked])
        for (const how of ['end of TCP', 'never'] as const)
          assert.deepEqual(
            await outcomeOver(scheme, body, how),
            { outcome: 'succeeded', output: 1_700_000 },
            `${scheme} ${how} ${body}`,
          )
  })

  it('is missing if a length or chunks are cut off, whatever TLS says', async () => {
    for (const body of [cutLength, cutChunks])
      for (const how of ['close_notify', 'end of TCP', 'reset', 'never'] as const)
        assert.equal((await outcomeOver('https', body, how)).outcome, 'invalid_answer', `${how} ${body}`)
  })
})

/** The answer must have arrived before. */
const endTimeOf = (time: AbortController) => setTimeout(() => time.abort(), 500)

const portOf = (server: Server): number => (server.address() as AddressInfo).port
