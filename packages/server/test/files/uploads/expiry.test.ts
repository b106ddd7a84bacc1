import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { refused } from '../../harness/refused.ts'
import { makeUploadWorld, partOf, put, someBytes, type UploadWorld } from './upload-fixture.ts'

/** Idle uploads expire after three seconds. */
const idleSeconds = 3

let world: UploadWorld
before(async () => {
  world = await makeUploadWorld({ uploads: { idle_hours: idleSeconds / 3600 } })
})
after(() => world.close())
const member = () => world.as(world.people.member)

describe('An upload that receives nothing', () => {
  it('expires, its version fails, and its parts are removed', async () => {
    const room_id = await world.room()
    const content = someBytes(2500)
    const begun = await world.begin(content, { room_id })
    const { upload_id } = begun.upload
    const { parts } = await member().createPartUrls({ upload_id, part_numbers: [1, 2] })
    await world.send(begun.upload, content, [1])
    const { processing_status, processing_error } = await world.processed(begun)
    assert.deepEqual([processing_status, processing_error], ['failed', 'upload_expired'])
    const { upload } = await member().getUpload({ upload_id })
    assert.deepEqual([upload.status, upload.received_parts], ['expired', []])
    assert.equal((await put(parts[1]?.url ?? '', partOf(content, 2))).status, 409)
    await refused(member().completeUpload({ upload_id }), 'state_conflict')
    await refused(member().abortUpload({ upload_id }), 'state_conflict')
    assert.deepEqual((await world.eventsOf(room_id)).slice(-1), ['file.failed'])
    const stored = { workspace_id: world.workspace_id, upload_id, reference: '' }
    for (let tries = 0; (await world.service.blobs.uploads.parts(stored)).length > 0; tries++) {
      assert.ok(tries < 1500, 'the parts are still there')
      await sleep(20)
    }
  })

  it('reads as expired at once, before that was recorded', async () => {
    const { upload } = await world.begin(someBytes(500))
    const { upload_id } = upload
    const { parts } = await member().createPartUrls({ upload_id, part_numbers: [1] })
    await world.service.sql(
      `update file_uploads set created_at = created_at - interval '1 day' where id = $1`,
      [upload_id],
    )
    assert.equal((await member().getUpload({ upload_id })).upload.status, 'expired')
    const { data } = await member().listUploads({ file_id: upload.file_id, status: 'expired' })
    assert.equal(data.length, 1)
    assert.deepEqual((await member().listUploads({ file_id: upload.file_id, status: 'open' })).data, [])
    assert.equal((await put(parts[0]?.url ?? '', someBytes(500))).status, 409)
    await refused(member().completeUpload({ upload_id }), 'state_conflict')
  })
})

describe('An upload that keeps receiving parts', () => {
  it('does not expire before parts stop arriving', async () => {
    const content = someBytes(3000)
    const begun = await world.begin(content)
    const { upload_id, expires_at } = begun.upload
    for (let sent = 0; sent < 5; sent++) {
      await sleep(idleSeconds * 300)
      await world.send(begun.upload, content, [(sent % 3) + 1])
    }
    assert.ok(Date.parse(expires_at) < Date.now(), 'it would have expired without the parts')
    const { upload } = await member().getUpload({ upload_id })
    assert.equal(upload.status, 'open')
    await member().completeUpload({ upload_id })
    assert.equal((await world.processed(begun)).processing_status, 'ready')
  })
})
