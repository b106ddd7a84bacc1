import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { message, opening, stream, streamAndEnd } from './events/streams.ts'
import { answer, startScriptedServer } from './scripted-server.ts'
import { startFakeFiles } from './upload/fake-files.ts'

const run = promisify(execFile)
const tools = join(import.meta.dirname, '../../../tools/node_modules')
const node20 = join(tools, `node-20-linux-${process.arch}/bin/node`)
const skip = !existsSync(node20) && 'there is no Node 20 for this platform'

it('the client needs nothing that Node 20.0 does not have', { skip }, async t => {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-node-20-'))
  const server = await startScriptedServer()
  const files = await startFakeFiles()
  t.after(async () => {
    await Promise.all([server.close(), files.close(), rm(folder, { recursive: true, force: true })])
  })
  server.script(
    answer(200, { status: 'ok' }),
    answer(200, { data: [{ id: 'evt_5' }], next_cursor: null, has_more: false }),
    streamAndEnd(opening('5') + message(6)),
    stream(message(7)),
  )
  const program = join(folder, 'program.mjs')
  await run(join(tools, '.bin/esbuild'), [
    join(import.meta.dirname, 'on-node-20.ts'),
    '--bundle',
    '--platform=node',
    '--format=esm',
    `--outfile=${program}`,
  ])
  const { stdout, stderr } = await run(node20, [program, server.base_url, files.base_url])
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), {
    status: 200,
    listed: ['evt_5'],
    followed: ['evt_6', 'evt_7'],
    phases: ['hashing', 'sending', 'completing', 'processing'],
    processing_status: 'ready',
    isMonotone: true,
    last: 300_000,
  })
})
