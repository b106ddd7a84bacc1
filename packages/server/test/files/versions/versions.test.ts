import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../../harness/eventually.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'
import { readWhole } from '../content/read-whole.ts'
import { textFile } from '../fresh-file.ts'

let world: RoomWorld
before(async () => void (world = await makeRoomWorld()))
after(() => world.close())
const client = (name: keyof RoomWorld['people']) => world.as(world.people[name])
const member = () => client('member')

async function uploadVersion(file_id: string, expected_revision: number, text: string) {
  const size_bytes = Buffer.byteLength(text)
  const { upload } = await member().addFileVersion({
    file_id,
    expected_revision,
    size_bytes,
    content_type: 'text/plain',
  })
  await member().uploadContent({ upload_id: upload.upload_id, content: btoa(text) })
  await member().completeUpload({ upload_id: upload.upload_id })
  return eventually(async () => {
    const { file } = await member().getFile({ file_id })
    return file.current_version.file_version_id === upload.file_version_id ? file : undefined
  })
}

describe('versions of a File', () => {
  it('are listed with the newest first, in pages, and never change', async () => {
    const first = await textFile(member(), { content: 'one' })
    const { file_id } = first
    const second = await uploadVersion(file_id, 1, 'two')
    const third = await uploadVersion(file_id, second.revision, 'three')
    const page = await member().listFileVersions({ file_id, limit: 2 })
    assert.deepEqual(
      page.data.map(one => one.version_number),
      [3, 2],
    )
    const rest = await member().listFileVersions({ file_id, cursor: page.page.cursor })
    assert.deepEqual([rest.data, rest.page], [[first.current_version], { cursor: null, has_more: false }])
    assert.deepEqual(page.data[0], third.current_version)
    const { data } = await member().getFileVersion({
      file_id,
      file_version_id: first.current_version.file_version_id,
    })
    assert.deepEqual(data, first.current_version)
    assert.equal(await readWhole(member(), file_id), 'three')
    await refused(
      member().getFileVersion({ file_id, file_version_id: 'fvr_01JD0000000000000000000000' }),
      'not_found',
    )
    await refused(client('admin').listFileVersions({ file_id }), 'not_found')
  })

  it('are restored as a new version, which Rooms show at once', async () => {
    const room_id = await world.room()
    const first = await textFile(member(), { content: 'one', room_id })
    const { file_id } = first
    const { file_version_id } = first.current_version
    const second = await uploadVersion(file_id, 1, 'two')
    await refused(
      member().restoreFileVersion({ file_id, file_version_id, expected_revision: 1 }),
      'revision_conflict',
    )
    const { file, new_version, action_receipt } = await member().restoreFileVersion({
      file_id,
      file_version_id,
      expected_revision: second.revision,
    })
    assert.deepEqual([new_version.version_number, new_version.sha256], [3, first.current_version.sha256])
    assert.deepEqual([file.current_version, file.revision], [new_version, second.revision + 1])
    assert.equal(action_receipt.operation, 'restore_file_version')
    assert.equal(await readWhole(member(), file_id), 'one')
    const { data } = await member().listRoomFiles({ room_id })
    assert.equal(data[0]?.file_version_id, new_version.file_version_id)
    assert.equal((await world.eventsOf(room_id)).at(-1), 'file.version_added')
    assert.deepEqual((await member().getFile({ file_id })).file, file)
  })

  it('are not restored by those who may only view, nor in an archived File', async () => {
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'view')
    const file = await textFile(member(), { room_id })
    const named = { file_id: file.file_id, file_version_id: file.current_version.file_version_id }
    await refused(client('guest').restoreFileVersion({ ...named, expected_revision: 1 }), 'forbidden')
    await member().archiveFile({ file_id: file.file_id, expected_revision: 1 })
    const { current_status } = await refused(
      member().restoreFileVersion({ ...named, expected_revision: 2 }),
      'state_conflict',
    )
    assert.equal(current_status, 'archived')
    await refused(
      member().addFileVersion({ file_id: file.file_id, expected_revision: 2, size_bytes: 1 }),
      'state_conflict',
    )
  })
})
