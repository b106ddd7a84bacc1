import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { proofDraws } from '../../../server/test/harness/proof.ts'
import { startFakeFiles } from './fake-files.ts'

const mebibyte = 1024 * 1024
const uploader = fileURLToPath(new URL('memory-upload.ts', import.meta.url))

it('the memory for a file does not grow with its size', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-upload-'))
  const fake = await startFakeFiles(8 * mebibyte)
  fake.forgetful = true
  try {
    const path = join(folder, 'large.bin')
    await writeFile(path, 'x')
    const peak = async (bytes: number, kind: string) => {
      await truncate(path, bytes)
      // A process of its own, so that only the client is measured.
      const { stdout } = await promisify(execFile)(process.execPath, [uploader, fake.base_url, path, kind])
      return Number(stdout)
    }
    for (const kind of proofDraws(['path', 'stream'])) {
      // Parts that were sent are garbage for a while, so only what a longer file adds tells.
      const short = await peak(100 * mebibyte, kind)
      const long = await peak(500 * mebibyte, kind)
      const more = Math.round((long - short) / mebibyte)
      assert.ok(more < 200, `${kind}: ${more} MiB more for a file that is 400 MiB longer`)
    }
  } finally {
    await fake.close()
    await rm(folder, { recursive: true, force: true })
  }
})
