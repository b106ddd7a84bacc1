import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { isProblem } from '@wbs/sdk'
import { refused } from '../../harness/refused.ts'
import { makeUploadWorld, partOf, put, sha256Of, someBytes, type UploadWorld } from './upload-fixture.ts'

let world: UploadWorld
before(async () => void (world = await makeUploadWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)

/** An upload whose parts are all stored. */
async function full(content: Buffer, more: Parameters<UploadWorld['begin']>[1] = {}) {
  const begun = await world.begin(content, more)
  await world.send(begun.upload, content)
  return begun
}

describe('POST /v1/uploads/{upload_id}/complete', () => {
  it('fails the version if the content has another SHA-256 than announced', async () => {
    const room_id = await world.room()
    const { upload, file } = await full(someBytes(1500), { room_id, sha256: sha256Of(someBytes(10)) })
    const { upload_id } = upload
    const completed = await member().completeUpload({ upload_id })
    assert.partialDeepStrictEqual(completed, {
      new_version: { processing_status: 'failed', processing_error: 'checksum_mismatch' },
      upload: { status: 'completed' },
      file: { revision: 2 },
    })
    assert.equal((await world.eventsOf(room_id)).at(-1), 'file.failed')
    const { file_version_id } = completed.new_version
    const { file_id } = file
    const retried = member().retryFileVersion({ file_id, file_version_id, expected_revision: 2 })
    await refused(retried, 'state_conflict')
  })

  it('fails the version if the content has another SHA-256 than the request says', async () => {
    const { upload } = await full(someBytes(1500))
    const completed = await member().completeUpload({
      upload_id: upload.upload_id,
      sha256: sha256Of(someBytes(10)),
    })
    assert.equal(completed.new_version.processing_error, 'checksum_mismatch')
  })

  it('takes the SHA-256 of the request if it is right, and refuses one that contradicts the first', async () => {
    const content = someBytes(1500)
    const { upload } = await full(content, { sha256: sha256Of(content) })
    const { upload_id } = upload
    const wrong = member().completeUpload({ upload_id, sha256: sha256Of(someBytes(3)) })
    assert.equal((await refused(wrong, 'validation_error')).errors[0]?.pointer, '/sha256')
    const right = await member().completeUpload({ upload_id, sha256: sha256Of(content) })
    assert.equal(right.new_version.processing_status, 'processing')
  })

  it('fails the version if the content has another size', async () => {
    const content = someBytes(1000)
    const { upload } = await full(content)
    const { upload_id } = upload
    // Only a store that takes parts by itself could have content of another size than its parts were announced with.
    const { seal } = world.service.blobs.uploads
    world.service.blobs.uploads.seal = async (...order) => ({ ...(await seal(...order)), size_bytes: 999 })
    const completed = await member()
      .completeUpload({ upload_id })
      .finally(() => (world.service.blobs.uploads.seal = seal))
    assert.equal(completed.new_version.processing_error, 'size_mismatch')
    assert.equal(completed.upload.status, 'completed')
  })

  it('is answered once: another key gets 409, the same key the stored answer', async () => {
    const { upload } = await full(someBytes(1500))
    const { upload_id } = upload
    const idempotency_key = randomUUID()
    const first = await member().completeUpload({ upload_id }, { idempotency_key })
    const again = await member().completeUpload({ upload_id }, { idempotency_key })
    assert.deepEqual([again.idempotent_replay, again.new_version], [true, first.new_version])
    const other = await refused(member().completeUpload({ upload_id }), 'state_conflict')
    assert.equal(other.current_status, 'completed')
  })

  it('lets one of many win that run at once with different keys', async () => {
    const room_id = await world.room()
    const content = someBytes(4000)
    const begun = await full(content, { room_id })
    const { upload_id } = begun.upload
    const results = await Promise.allSettled(
      Array.from({ length: 6 }, () => member().completeUpload({ upload_id })),
    )
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1)
    for (const result of results)
      assert.ok(result.status === 'fulfilled' || isProblem(result.reason, 'state_conflict'))
    assert.equal((await world.processed(begun)).processing_status, 'ready')
    const events = await world.eventsOf(room_id)
    assert.equal(events.filter(type => type === 'file.ready').length, 1)
  })

  it('and an abort at the same time end the upload in one way', async () => {
    for (let round = 0; round < 5; round++) {
      const begun = await full(someBytes(1500))
      const { upload_id } = begun.upload
      const [completed, aborted] = await Promise.allSettled([
        member().completeUpload({ upload_id }),
        member().abortUpload({ upload_id }),
      ])
      assert.notEqual(completed.status, aborted.status)
      const { upload } = await member().getUpload({ upload_id })
      assert.equal(upload.status, completed.status === 'fulfilled' ? 'completed' : 'aborted')
      const { processing_error } = await world.processed(begun)
      assert.equal(processing_error, completed.status === 'fulfilled' ? null : 'upload_aborted')
    }
  })

  it('has its content discarded from the uploads afterwards', async () => {
    const begun = await world.upload(someBytes(1500))
    await world.processed(begun)
    const upload = { workspace_id: world.workspace_id, upload_id: begun.upload.upload_id, reference: '' }
    for (let tries = 0; (await world.service.blobs.uploads.parts(upload)).length > 0; tries++) {
      assert.ok(tries < 500, 'the parts are still there')
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  })
})

describe('POST /v1/uploads/{upload_id}/abort', () => {
  it('fails the version, and changes nothing when it is repeated', async () => {
    const room_id = await world.room()
    const { upload } = await full(someBytes(1500), { room_id })
    const { upload_id } = upload
    const aborted = await member().abortUpload({ upload_id })
    assert.partialDeepStrictEqual(aborted, {
      new_version: { processing_status: 'failed', processing_error: 'upload_aborted' },
      upload: { status: 'aborted', received_parts: [] },
    })
    const again = await member().abortUpload({ upload_id })
    assert.deepEqual([again.file, again.action_receipt.changed], [aborted.file, []])
    assert.equal((await world.eventsOf(room_id)).filter(type => type === 'file.failed').length, 1)
    await refused(member().completeUpload({ upload_id }), 'state_conflict')
    await refused(member().createPartUrls({ upload_id, part_numbers: [1] }), 'state_conflict')
    await refused(member().uploadContent({ upload_id, content: 'AAAA' }), 'state_conflict')
  })

  it('refuses a completed upload', async () => {
    const { upload } = await world.upload(someBytes(500))
    const refusal = await refused(member().abortUpload({ upload_id: upload.upload_id }), 'state_conflict')
    assert.equal(refusal.current_status, 'completed')
  })

  it('makes the addresses of its parts useless', async () => {
    const content = someBytes(1500)
    const { upload } = await world.begin(content)
    const { upload_id } = upload
    const { parts } = await member().createPartUrls({ upload_id, part_numbers: [1] })
    await member().abortUpload({ upload_id })
    assert.equal((await put(parts[0]?.url ?? '', partOf(content, 1))).status, 409)
  })
})
