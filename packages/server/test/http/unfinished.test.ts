import assert from 'node:assert/strict'
import { describe, it, type TestContext } from 'node:test'
import type { Most } from '../../src/http/bounds/bounds.ts'
import { eventually } from './eventually.ts'
import { assertProblem } from './problem-check.ts'
import { exchange, lines, rawConnection } from './raw-socket.ts'
import { otherToken, startDoor, token } from './test-door.ts'

const most = {
  unfinished: 100,
  unfinishedOfAddress: 100,
  unfinishedOfCaller: 100,
  bytes: 1_000_000,
  bytesOfAddress: 1_000_000,
}
const head = (length: number, by?: string) =>
  lines(
    by === undefined ? 'POST /v1/things/look-up HTTP/1.1' : 'POST /v1/things/1 HTTP/1.1',
    'Host: here',
    ...(by === undefined ? [] : [`Authorization: Bearer ${by}`]),
    'Content-Type: application/json',
    `Content-Length: ${length}`,
  )

async function startDoorWith(t: TestContext, bodies: Partial<Most['bodies']>) {
  const door = await startDoor({ most: { bodies: { ...most, ...bodies } } })
  t.after(() => door.close())
  const held = (name: string) => door.held()[name] as number
  /** Sends the first bytes of a body, and waits until they are there. */
  async function half(by?: string, sent = '{') {
    const before = held('unfinished')
    const connection = await rawConnection(door.base_url)
    t.after(() => connection.destroy())
    connection.write(head(sent.length + 1, by), sent)
    await eventually(() => held('unfinished') === before + 1)
    return connection
  }
  return { ...door, half, held: (name: string) => held(name) }
}

function assertRefused(answer: Awaited<ReturnType<typeof exchange>>, base_url: string): void {
  assertProblem(answer, 'rate_limited', base_url)
  const problem = JSON.parse(answer.body) as Record<string, unknown>
  assert.deepEqual(problem['violated-policies'], ['unfinished'])
}

describe('half-sent bodies', () => {
  it('are refused beyond what one caller may have; bodies that come whole are not', async t => {
    const door = await startDoorWith(t, { unfinishedOfCaller: 2 })
    const first = await door.half(token)
    await door.half(token)
    assertRefused(await exchange(door.base_url, head(2, token), '{'), door.base_url)
    await door.half(otherToken)
    assert.equal((await exchange(door.base_url, `${head(2, token)}{}`)).status, 201)

    first.write('}')
    assert.equal((await first.answer()).status, 201)
    await door.half(token)
  })

  it('are refused beyond what one address may have, with and without a credential', async t => {
    const door = await startDoorWith(t, { unfinishedOfAddress: 2 })
    await door.half()
    await door.half(token)
    assertRefused(await exchange(door.base_url, head(2), '{'), door.base_url)
    assertRefused(await exchange(door.base_url, head(2, token), '{'), door.base_url)
    assert.notEqual((await exchange(door.base_url, `${head(2)}{}`)).status, 429)
  })

  it('are refused with 503 beyond what all may have', async t => {
    const door = await startDoorWith(t, { unfinished: 2 })
    await door.half()
    await door.half(token)
    const refused = await exchange(door.base_url, head(2, otherToken), '{')
    assertProblem(refused, 'unavailable', door.base_url)
    assert.equal(refused.headers['retry-after'], '1')
    assert.equal((await exchange(door.base_url, `${head(2, otherToken)}{}`)).status, 201)
  })

  it('are refused where they are too large together; small ones are not', async t => {
    const large = `{"note":"${'a'.repeat(60_000)}`
    for (const bodies of [{ bytes: 100_000 }, { bytesOfAddress: 100_000 }]) {
      const door = await startDoorWith(t, bodies)
      const first = await door.half(token, large)
      await door.half(token, large)
      await eventually(() => door.held('bytes') > 80_000)
      const refused = await exchange(door.base_url, head(large.length + 2, otherToken), large)
      if ('bytes' in bodies) assertProblem(refused, 'unavailable', door.base_url)
      else assertRefused(refused, door.base_url)
      assert.equal((await exchange(door.base_url, `${head(2, otherToken)}{}`)).status, 201)

      first.destroy()
      await eventually(() => door.held('bytes') < 60_000)
      const whole = `${large}"}`
      assert.equal((await exchange(door.base_url, head(whole.length, otherToken), whole)).status, 201)
    }
  })

  it('of very many pieces are put together', async t => {
    const door = await startDoorWith(t, {})
    const connection = await rawConnection(door.base_url)
    t.after(() => connection.destroy())
    const text = JSON.stringify({ note: 'é'.repeat(20_000) })
    connection.write(head(Buffer.byteLength(text), token))
    const bytes = Buffer.from(text)
    for (let at = 0; at < bytes.length; at += 7) connection.write(bytes.subarray(at, at + 7))
    const { status, body } = await connection.answer()
    assert.equal(status, 201)
    assert.ok(body.includes(text.slice(1, -1)))
    await eventually(() => door.held('unfinished') === 0 && door.held('bytes') === 0)
  })
})
