import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import type { ServerResponse } from 'node:http'
import { text as textOf } from 'node:stream/consumers'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startScriptedServer } from '../scripted-server.ts'
import { opening, stream } from './streams.ts'

const count = 100_000
const mebibyte = 1024 * 1024
/** 400 MiB in all. */
const padding = 'x'.repeat(4 * 1024)

it('a reader that takes its time gets 100,000 events of 400 MiB in order, and holds only a few of them in memory', async t => {
  const server = await startScriptedServer()
  t.after(() => server.close())
  let written = 0
  const writeAll = (response: ServerResponse) => {
    while (written < count) {
      written++
      const data = JSON.stringify({ id: `evt_${written}`, padding })
      if (!response.write(`id: ${written}\ndata: ${data}\n\n`)) break
    }
    if (written < count) response.once('drain', () => writeAll(response))
  }
  server.script(stream(opening('1'), writeAll))
  const path = fileURLToPath(new URL('slow-reader.ts', import.meta.url))
  const reader = fork(path, [server.base_url, String(count)], { silent: true })
  let writtenWhileItSlept = 0
  reader.once('message', () => (writtenWhileItSlept = written))
  const output = await textOf(reader.stdout as NodeJS.ReadableStream)
  const { seen, inOrder, most } = JSON.parse(output) as { seen: number; inOrder: boolean; most: number }
  assert.deepEqual([seen, inOrder], [count, true])
  assert.ok(
    writtenWhileItSlept * 4096 < 40 * mebibyte,
    `${writtenWhileItSlept} events were sent to a sleeper`,
  )
  assert.ok(most < 250 * mebibyte, `${Math.round(most / mebibyte)} MiB`)
  assert.equal(server.seen.length, 1)
})
