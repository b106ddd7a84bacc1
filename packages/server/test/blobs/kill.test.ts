import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { describe, it } from 'node:test'
import { createFilesystemStore } from '../../src/blobs/filesystem/filesystem-store.ts'
import { allOf, newTestId, readAll, sha256Of } from './blob-world.ts'

const storeUrl = new URL('../../src/blobs/filesystem/filesystem-store.ts', import.meta.url).href

/** Stores content without end, four at a time, and prints the name of each as soon as it is stored. */
const puttingForever = `
  const { createFilesystemStore } = await import(${JSON.stringify(storeUrl)})
  const { randomBytes } = await import('node:crypto')
  const [root, workspace_id] = process.argv.slice(-2)
  const store = createFilesystemStore(root)
  async function put() {
    for (;;) {
      const { sha256 } = await store.put(workspace_id, randomBytes(200_000))
      process.stdout.write(sha256 + '\\n')
    }
  }
  await Promise.all([put(), put(), put(), put()])
`

describe('a process that is killed while it stores content', () => {
  it('has stored whole what it said it stored, and has named nothing that is not whole', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'wbs-blobs-'))
    const store = createFilesystemStore(folder)
    t.after(async () => {
      await store.close()
      await rm(folder, { recursive: true, force: true })
    })
    const workspace_id = newTestId('wsp')
    const said: string[] = []
    for (const count of [1, 7, 30, 60]) said.push(...(await killAfter(count, folder, workspace_id)))
    assert.ok(said.length >= 98)
    for (const sha256 of said) assert.equal(await store.has(workspace_id, sha256), true, sha256)
    const listed = await allOf(store.list())
    assert.ok(listed.length >= said.length)
    for (const { sha256 } of listed) {
      const bytes = await readAll(store, workspace_id, sha256)
      assert.equal(bytes.byteLength, 200_000)
      assert.equal(sha256Of(bytes), sha256)
    }
  })
})

async function killAfter(count: number, folder: string, workspace_id: string): Promise<string[]> {
  const child = spawn(
    process.execPath,
    ['--input-type=module', '--eval', puttingForever, '--', folder, workspace_id],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  )
  const ended = once(child, 'exit')
  const lines: string[] = []
  for await (const line of createInterface({ input: child.stdout })) {
    lines.push(line)
    if (lines.length === count) child.kill('SIGKILL')
  }
  await ended
  return lines.filter(line => line.length === 64)
}
