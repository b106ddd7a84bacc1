import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { fillRoomWithFiles, grantEvenly } from '../../../../bench/room-files/room-file-world.ts'
import { explainedReader } from '../../../../bench/reads/explained-reader.ts'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { filesPage, type FileFilter } from '../../src/files/file-page-store.ts'
import type { Person } from '../harness/service.ts'
import { makeRoomWorld, type RoomWorld } from '../rooms/room-fixture.ts'

const files = 10_000
/** The most buffers that a page of 20 Files may read. The Files alone have many times as many. */
const most = 1300

const noFilter: FileFilter = {
  business_id: undefined,
  room_id: undefined,
  classification: undefined,
  tag: undefined,
  lifecycle: undefined,
  name: undefined,
  processing_status: undefined,
}

describe('a page of Files reads as much as it shows, in one statement', () => {
  let world: RoomWorld
  let restricted: string
  let outsider: Person

  before(async () => {
    world = await makeRoomWorld()
    const { service, workspace_id, people } = world
    outsider = service.person('Of three Files')
    await outsider.client.createWorkspace({ name: 'Their own' })
    const { user_id } = people.member
    // What is filled in here fits together, so no foreign key is checked.
    const options = '-c search_path=svc,public -c session_replication_role=replica'
    const pool = new pg.Pool({ ...service.testDatabase.address, options })
    let first = 1
    for (const access_mode of ['restricted', 'inherit_room'] as const) {
      const room_id = await world.room()
      await fillRoomWithFiles(pool, { workspace_id, room_id, user_id, first, files, access_mode })
      first += files
      if (access_mode === 'inherit_room') continue
      restricted = room_id
      await world.invite(room_id, outsider, 'view')
      await grantEvenly(pool, { workspace_id, room_id, ...outsider }, 3)
    }
    await pool.query('vacuum (analyze)')
    await pool.end()
  })
  after(() => world.close())

  async function taken(person: Person, is_member: boolean, filter: FileFilter, plans: string) {
    const { service, workspace_id } = world
    const { user_id } = person
    const scope = { 'svc.workspace_id': workspace_id, 'svc.user_id': user_id, plan_cache_mode: plans }
    const client = new pg.Client(connectionConfig(service.testDatabase.address, 'svc_reader', scope))
    await client.connect()
    try {
      const { reader, taken: reads } = explainedReader(client)
      const viewer = { workspace_id, user_id, is_member, reads_businesses: is_member, reads_lists: is_member }
      const page = await filesPage(reader, viewer, filter, { after: '', limit: 20 })
      const buffers = reads.reduce((sum, one) => sum + one.buffers, 0)
      return { files: page.files.length, statements: reads.length, buffers }
    } finally {
      await client.end()
    }
  }

  for (const plans of ['force_generic_plan', 'force_custom_plan']) {
    const inFull = async (person: Person, is_member: boolean, filter: FileFilter, expected: number) => {
      const read = await taken(person, is_member, filter, plans)
      const told = JSON.stringify(read)
      assert.deepEqual([read.files, read.statements], [expected, 1], told)
      assert.ok(read.buffers <= most, told)
    }
    it(`for a guest of three restricted Files, ${plans}`, () => inFull(outsider, false, noFilter, 3))
    it(`for a guest of three restricted Files, in their Room, ${plans}`, () =>
      inFull(outsider, false, { ...noFilter, room_id: restricted }, 3))
    it(`for a member who has full access to all of them, ${plans}`, () =>
      inFull(world.people.member, true, noFilter, 20))
    it(`for a member who has full access to all of them, in a Room, ${plans}`, () =>
      inFull(world.people.member, true, { ...noFilter, room_id: restricted }, 20))
  }
})
