import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { createSlowStore, type SlowStore } from '../../blobs/slow-store.ts'
import { makeUploadWorld, someBytes, type UploadWorld } from './upload-fixture.ts'

describe('Completing an upload with a key that was used', () => {
  let world: UploadWorld
  let store: SlowStore
  /** How many uploads the store has read in whole. */
  let sealed = 0
  before(async () => {
    store = await createSlowStore()
    const { uploads } = store.blobs
    const counted: typeof uploads = {
      ...uploads,
      seal(...asked) {
        sealed++
        return uploads.seal(...asked)
      },
    }
    world = await makeUploadWorld({ blobs: { ...store.blobs, uploads: counted } })
  })
  after(async () => {
    await world.close()
    await store.remove()
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

  it('reads nothing while the first request runs, which the others are told', async () => {
    const [upload_id, other] = [await whole(), await whole()]
    const idempotency_key = randomUUID()
    const once = world.service.client({
      access_token: world.people.member.token,
      workspace_id: world.workspace_id,
      attempts: 1,
    })
    const before = sealed
    const first = store.whileAsked(
      'seal',
      () => once.completeUpload({ upload_id }, { idempotency_key }),
      () =>
        Promise.all(
          [upload_id, other].map(upload_id =>
            refused(once.completeUpload({ upload_id }, { idempotency_key }), 'idempotency_in_progress'),
          ),
        ),
    )
    assert.equal((await first).idempotent_replay, false)
    assert.equal(sealed, before + 1)
    assert.equal((await member().getUpload({ upload_id: other })).upload.status, 'open')
  })

  it('reads it once with a key that is new', async () => {
    const upload_id = await whole()
    const before = sealed
    await member().completeUpload({ upload_id })
    assert.equal(sealed, before + 1)
  })
})
