import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createFilesystemStore } from '../../../src/blobs/filesystem/filesystem-store.ts'
import { refused } from '../../harness/refused.ts'
import { makeUploadWorld, someBytes, type UploadWorld } from './upload-fixture.ts'

describe('Completing an upload with a key that was used', () => {
  let world: UploadWorld
  let folder: string
  /** How many uploads the store has read in whole. */
  let sealed = 0
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wbs-used-key-'))
    const store = createFilesystemStore(folder)
    const uploads: typeof store.uploads = {
      ...store.uploads,
      seal(...asked) {
        sealed++
        return store.uploads.seal(...asked)
      },
    }
    world = await makeUploadWorld({ blobs: { ...store, uploads } })
  })
  after(async () => {
    await world.close()
    await rm(folder, { recursive: true, force: true })
  })

  const member = () => world.as(world.people.member)

  async function whole(): Promise<string> {
    const content = someBytes(2500)
    const { upload } = await world.begin(content)
    await world.send(upload, content)
    return upload.upload_id
  }

  it('reads nothing for another upload, which is refused and stays open', async () => {
    const [upload_id, other] = [await whole(), await whole()]
    const idempotency_key = randomUUID()
    await member().completeUpload({ upload_id }, { idempotency_key })
    const before = sealed
    await refused(
      member().completeUpload({ upload_id: other }, { idempotency_key }),
      'idempotency_key_reused',
    )
    assert.equal(sealed, before)
    assert.equal((await member().getUpload({ upload_id: other })).upload.status, 'open')
  })

  it('reads nothing if the key was used for another operation', async () => {
    const upload_id = await whole()
    const idempotency_key = randomUUID()
    await member().createRoom({ title: 'A Room' }, { idempotency_key })
    const before = sealed
    await refused(member().completeUpload({ upload_id }, { idempotency_key }), 'idempotency_key_reused')
    assert.equal(sealed, before)
  })

  it('reads nothing for the same upload, and is answered as the first time', async () => {
    const upload_id = await whole()
    const idempotency_key = randomUUID()
    const first = await member().completeUpload({ upload_id }, { idempotency_key })
    const before = sealed
    const again = await member().completeUpload({ upload_id }, { idempotency_key })
    assert.deepEqual([again.idempotent_replay, again.file], [true, first.file])
    assert.equal(sealed, before)
  })

  it('reads it once with a key that is new', async () => {
    const upload_id = await whole()
    const before = sealed
    await member().completeUpload({ upload_id })
    assert.equal(sealed, before + 1)
  })
})
