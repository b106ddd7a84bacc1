import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { fillRoomWithFiles } from '../../../../../bench/room-files/room-file-world.ts'
import { refused } from '../../harness/refused.ts'
import { makeRoomFileWorld, type RoomFileWorld } from './room-file-fixture.ts'

describe('A Room with almost 20,000 Files', () => {
  let world: RoomFileWorld
  let room_id: string
  before(async () => {
    world = await makeRoomFileWorld()
    room_id = await world.room()
    const { service, workspace_id, people } = world
    // What is filled in here fits together, so no foreign key is checked.
    const options = '-c search_path=svc,public -c session_replication_role=replica'
    const pool = new pg.Pool({ ...service.testDatabase.address, options })
    const shelf = { workspace_id, room_id, user_id: people.member.user_id, first: 1, files: 19_999 }
    await fillRoomWithFiles(pool, { ...shelf, access_mode: 'inherit_room' })
    await pool.end()
  })
  after(() => world.close())

  const us = () => world.as(world.people.member)
  const text = () => us().createTextFile({ room_id, name: 'Notes.md', content: 'Notes' })
  const upload = () =>
    us().createFileUpload({ room_id, name: 'Notes.txt', size_bytes: 100, content_type: 'text/plain' })

  it('takes one new File, of text or of an upload, and refuses the next', async () => {
    for (const create of [text, upload]) {
      const { room_file } = await create()
      assert.ok(room_file)
      await refused(text(), 'limit_reached')
      await refused(upload(), 'limit_reached')
      await us().archiveRoomFile({ room_file_id: room_file.room_file_id, expected_revision: 1 })
    }
  })

  it('takes one of many new Files that are created at once', async () => {
    const results = await Promise.allSettled([text(), upload(), text(), upload()])
    assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1, JSON.stringify(results))
    const [row] = await world.service.sql(
      `select count(*)::integer as files from room_files where room_id = $1 and status <> 'archived'`,
      [room_id],
    )
    assert.deepEqual(row, { files: 20_000 })
  })

  it('is full without a word about it to those who cannot see it', async () => {
    const other = world.as(world.people.admin)
    await refused(other.createTextFile({ room_id, name: 'Notes.md', content: 'Notes' }), 'not_found')
  })
})
