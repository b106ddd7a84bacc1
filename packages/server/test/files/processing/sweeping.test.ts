import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { sweepBlobs, type SweepAges } from '../../../src/files/processing/sweep-blobs.ts'
import { lockShared } from '../../../src/database/locks.ts'
import { whileOpen } from '../../rooms/room-fixture.ts'
import { makeUploadWorld, sha256Of, someBytes, type UploadWorld } from '../uploads/upload-fixture.ts'

let world: UploadWorld
before(async () => void (world = await makeUploadWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)
const atOnce: SweepAges = { blob_hours: 0, upload_hours: 0 }
const sweep = (ages?: SweepAges) => {
  const { blobs, database } = world.service
  const { readers, writers } = database
  return sweepBlobs({ blobs, readers, writers, now: () => new Date() }, ages)
}

async function blobsOf(workspace_id: string): Promise<string[]> {
  const found: string[] = []
  for await (const blob of world.service.blobs.list())
    if (blob.workspace_id === workspace_id) found.push(blob.sha256)
  return found
}

async function uploadsInStore(): Promise<string[]> {
  const found: string[] = []
  for await (const { upload_id } of world.service.blobs.uploads.list()) found.push(upload_id)
  return found
}

describe('The sweeper of content', () => {
  it('removes contents that no version names, and no others', async () => {
    const content = someBytes(1500)
    const begun = await world.upload(content)
    await world.processed(begun)
    const orphan = someBytes(700)
    await world.service.blobs.put(world.workspace_id, orphan)
    // The job that discards the completed upload may not have run yet.
    assert.equal((await sweep()).blobs, 0)
    assert.ok((await sweep(atOnce)).blobs >= 1)
    const left = await blobsOf(world.workspace_id)
    assert.ok(left.includes(sha256Of(content)))
    assert.ok(!left.includes(sha256Of(orphan)))
  })

  it('removes the content of a version that failed because its checksum was wrong', async () => {
    const content = someBytes(900)
    const { upload } = await world.begin(content, { sha256: sha256Of(someBytes(5)) })
    await world.send(upload, content)
    await member().completeUpload({ upload_id: upload.upload_id })
    await sweep(atOnce)
    assert.ok(!(await blobsOf(world.workspace_id)).includes(sha256Of(content)))
  })

  it('waits for a change that is about to name a content', async () => {
    const orphan = someBytes(800)
    const { sha256 } = await world.service.blobs.put(world.workspace_id, orphan)
    const room_id = await world.room()
    let isSwept = false
    const swept = await whileOpen(world, room_id, async tx => {
      await lockShared(tx, world.workspace_id, [['blob', sha256]])
      const sweeping = sweep(atOnce).then(() => (isSwept = true))
      for (let waits = 0; waits === 0;)
        waits = (
          await world.service.sql(
            `select from pg_locks where locktype = 'advisory' and not granted
             and database = (select oid from pg_database where datname = current_database())`,
          )
        ).length
      assert.equal(isSwept, false)
      assert.ok(await world.service.blobs.has(world.workspace_id, sha256))
      return { sweeping }
    })
    await swept.sweeping
    assert.ok(!(await world.service.blobs.has(world.workspace_id, sha256)))
  })

  it('discards uploads of which no row tells, and keeps those that are open', async () => {
    const content = someBytes(2500)
    const { upload } = await world.begin(content)
    await world.send(upload, content, [1, 3])
    const orphan = { workspace_id: world.workspace_id, upload_id: 'upl_01M82HHYW0FEAFTW7QTJBBJ4HB' }
    await world.service.blobs.uploads.begin(orphan)
    await sweep()
    assert.ok((await uploadsInStore()).includes(orphan.upload_id))
    assert.ok((await sweep(atOnce)).uploads >= 1)
    const left = await uploadsInStore()
    assert.deepEqual([left.includes(upload.upload_id), left.includes(orphan.upload_id)], [true, false])
    await world.send(upload, content, [2])
    await member().completeUpload({ upload_id: upload.upload_id })
  })
})
