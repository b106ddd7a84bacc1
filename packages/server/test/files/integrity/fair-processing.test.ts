import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../harness/eventually.ts'
import { makeUploadWorld, plainText, type UploadWorld } from '../uploads/upload-fixture.ts'

describe('versions whose processing takes long', () => {
  let world: UploadWorld
  before(async () => void (world = await makeUploadWorld()))
  after(() => world.close())

  it('keep those of another Workspace waiting for none of them', { timeout: 60_000 }, async () => {
    const slow = Promise.withResolvers<typeof plainText>()
    let begun = 0
    world.inspection.next = name => {
      if (name !== 'Slow.txt') return Promise.resolve(plainText)
      begun++
      return slow.promise
    }
    const many = await Promise.all(
      Array.from({ length: 6 }, (_, at) => world.upload(Buffer.from(`Slow ${at}`), { name: 'Slow.txt' })),
    )
    await eventually(() => begun > 0)
    const { guest } = world.people
    const { workspace } = await guest.client.createWorkspace({ name: 'A neighbour' })
    const neighbour = world.service.client({ access_token: guest.token, workspace_id: workspace.id })
    const { file, upload } = await neighbour.createFileUpload({
      name: 'Quick.txt',
      content_type: 'text/plain',
      size_bytes: 5,
    })
    const { upload_id } = upload
    await neighbour.uploadContent({ upload_id, content: Buffer.from('Quick').toString('base64') })
    await neighbour.completeUpload({ upload_id })
    const statusOf = async () =>
      (await neighbour.getFile({ file_id: file.file_id })).file.current_version.processing_status
    await eventually(async () => (await statusOf()) === 'ready')
    // One at a time of a Workspace.
    assert.equal(begun, 1)
    slow.resolve(plainText)
    for (const one of many) assert.equal((await world.processed(one)).processing_status, 'ready')
  })
})
