import assert from 'node:assert/strict'
import { Duplex } from 'node:stream'
import { it } from 'node:test'
import { setImmediate as turnEnds } from 'node:timers/promises'
import type pg from 'pg'
import { gatherWrites } from '../../src/database/gather-writes.ts'

/** A connection that notes what reaches the system in one write. */
function connection() {
  const writes: string[] = []
  const stream = new Duplex({
    read() {},
    write(chunk: Buffer, _encoding, done) {
      writes.push(chunk.toString())
      done()
    },
    writev(chunks, done) {
      writes.push(chunks.map(({ chunk }) => (chunk as Buffer).toString()).join(''))
      done()
    },
  })
  const client = { connection: { stream } } as unknown as pg.Client
  /** As the driver sends a statement: in several parts. */
  function send(name: string): void {
    gatherWrites(client)
    stream.cork()
    for (const part of [name, ';']) stream.write(part)
    stream.uncork()
  }
  return { writes, send }
}

it('what one turn of the event loop sends goes out in one write, and what the next one sends in another', async () => {
  const { writes, send } = connection()
  send('a')
  await Promise.resolve()
  send('b')
  process.nextTick(() => send('c'))
  assert.deepEqual(writes, [])
  await turnEnds()
  assert.deepEqual(writes, ['a;b;c;'])
  send('d')
  await turnEnds()
  assert.deepEqual(writes, ['a;b;c;', 'd;'])
})
