import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { NodeLimits } from '../../src/http/bounds/bounds.ts'
import { eventually } from '../harness/eventually.ts'
import { assertProblem } from './problem-check.ts'
import { sendRaw, lines, rawConnection, type RawConnection } from './raw-socket.ts'
import { otherToken, startTransport, token } from './test-transport.ts'

const most = {
  unfinished: 100,
  unfinishedPerAddress: 100,
  unfinishedPerCaller: 100,
  bytes: 1_000_000,
  bytesPerAddress: 1_000_000,
}
const head = (length: number, by?: string) =>
  lines(
    by === undefined ? 'POST /v1/things/look-up HTTP/1.1' : 'POST /v1/things/1 HTTP/1.1',
    'Host: here',
    ...(by === undefined ? [] : [`Authorization: Bearer ${by}`]),
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  )

async function startTransportWith(t: TestContext, bodies: Partial<NodeLimits['bodies']>) {
  const transport = await startTransport({ most: { bodies: { ...most, ...bodies } } })
  const connections: RawConnection[] = []
  // A transport that is closed first waits for what is half sent on its connections.
  t.after(async () => {
    for (const connection of connections) connection.destroy()
    await transport.close()
  })
  async function connect(): Promise<RawConnection> {
    const connection = await rawConnection(transport.base_url)
    connections.push(connection)
    return connection
  }
  const held = (name: string) => transport.usage()[name] as number
  /** Sends the first bytes of a body, and waits until they have arrived. */
  async function half(by?: string, sent = '{') {
    const before = held('unfinished')
    const connection = await connect()
    connection.write(head(sent.length + 1, by), sent)
    await eventually(() => held('unfinished') === before + 1)
    return connection
  }
  return { ...transport, connect, half, held: (name: string) => held(name) }
}

function assertRefused(answer: Awaited<ReturnType<typeof sendRaw>>, base_url: string): void {
  assertProblem(answer, 'rate_limited', base_url)
  const problem = JSON.parse(answer.body) as Record<string, unknown>
  assert.deepEqual(problem['violated-policies'], ['unfinished'])
}

describe('incomplete bodies', () => {
  it('are refused beyond what one caller may have; bodies that come whole are not', async t => {
    const transport = await startTransportWith(t, { unfinishedPerCaller: 2 })
    const first = await transport.half(token)
    await transport.half(token)
    assertRefused(await sendRaw(transport.base_url, head(2, token), '{'), transport.base_url)
    await transport.half(otherToken)
    assert.equal((await sendRaw(transport.base_url, `${head(2, token)}{}`)).status, 201)

    first.write('}')
    assert.equal((await first.answer()).status, 201)
    await transport.half(token)
  })

  it('are refused beyond what one address may have, with and without a credential', async t => {
    const transport = await startTransportWith(t, { unfinishedPerAddress: 2 })
    await transport.half()
    await transport.half(token)
    assertRefused(await sendRaw(transport.base_url, head(2), '{'), transport.base_url)
    assertRefused(await sendRaw(transport.base_url, head(2, token), '{'), transport.base_url)
    assert.notEqual((await sendRaw(transport.base_url, `${head(2)}{}`)).status, 429)
  })

  it('are refused with 503 beyond what all may have', async t => {
    const transport = await startTransportWith(t, { unfinished: 2 })
    await transport.half()
    await transport.half(token)
    const refused = await sendRaw(transport.base_url, head(2, otherToken), '{')
    assertProblem(refused, 'unavailable', transport.base_url)
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await sendRaw(transport.base_url, `${head(2, otherToken)}{}`)).status, 201)
  })

  it('are refused where they are too large together; small ones are not', async t => {
    const large = `{"note":"${'a'.repeat(60_000)}`
    for (const bodies of [{ bytes: 100_000 }, { bytesPerAddress: 100_000 }]) {
      const transport = await startTransportWith(t, bodies)
      const first = await transport.half(token, large)
      await transport.half(token, large)
      await eventually(() => transport.held('bytes') > 80_000)
      const refused = await sendRaw(transport.base_url, head(large.length + 2, otherToken), large)
      if ('bytes' in bodies) assertProblem(refused, 'unavailable', transport.base_url)
      else assertRefused(refused, transport.base_url)
      assert.equal((await sendRaw(transport.base_url, `${head(2, otherToken)}{}`)).status, 201)

      first.destroy()
      await eventually(() => transport.held('bytes') < 60_000)
      const whole = `${large}"}`
      assert.equal((await sendRaw(transport.base_url, head(whole.length, otherToken), whole)).status, 201)
    }
  })

  it('of very many pieces are put together', async t => {
    const transport = await startTransportWith(t, {})
    const connection = await transport.connect()
    const text = JSON.stringify({ note: 'é'.repeat(20_000) })
    connection.write(head(Buffer.byteLength(text), token))
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 7) connection.write(bytes.subarray(at, at + 7))
    const { status, body } = await connection.answer()
    assert.equal(status, 201)
    assert.ok(body.includes(text.slice(1, -1)))
    await eventually(() => transport.held('unfinished') === 0 && transport.held('bytes') === 0)
  })
})
