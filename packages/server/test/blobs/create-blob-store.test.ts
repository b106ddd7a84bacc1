import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { promisify } from 'node:util'

const moduleUrl = new URL('../../src/blobs/create-blob-store.ts', import.meta.url).href

/** Opens a store, uses it, and prints how many files of the SDK were loaded. */
const using = `
  const { createRequire } = await import('node:module')
  const { createBlobStore } = await import(${JSON.stringify(moduleUrl)})
  const [settings, folder] = process.argv.slice(-2)
  const store = createBlobStore(JSON.parse(settings), folder)
  await store.check().catch(() => undefined)
  await store.close()
  const loaded = Object.keys(createRequire(import.meta.url).cache).filter(path => path.includes('@aws-sdk'))
  console.log(loaded.length)
`

describe('the store of the settings', () => {
  it('loads the SDK of S3 only with a bucket', async t => {
    const folder = await mkdtemp(join(tmpdir(), 'wbs-blobs-'))
    t.after(() => rm(folder, { recursive: true, force: true }))
    const credentials = { access_key_id: 'key', secret_access_key: 'secret' }
    const endpoint = 'http://127.0.0.1:1'
    const s3 = { bucket: 'content', prefix: '', endpoint, region: 'us-east-1', path_style: true, credentials }
    assert.equal(await loadedWith({ s3: null }, folder), 0)
    assert.ok((await loadedWith({ s3 }, folder)) > 0)
  })
})

async function loadedWith(settings: object, folder: string): Promise<number> {
  const code = ['--input-type=module', '--eval', using, '--', JSON.stringify(settings), folder]
  const { stdout } = await promisify(execFile)(process.execPath, code)
  return Number(stdout)
}
