import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { fillRoomWithFiles, grantEvenly } from '../../../../../bench/room-files/room-file-world.ts'
import { roomFilesPage, type RoomFileFilter } from '../../../src/files/room-files/room-file-page-store.ts'
import { roomById } from '../../../src/rooms/room-store.ts'
import { createExplainedReads, type ExplainedReads } from '../../harness/explained-reads.ts'
import type { Person } from '../../harness/service.ts'
import { makeRoomWorld, type RoomWorld } from '../../rooms/room-fixture.ts'

const sizes = [1000, 10_000] as const
/** The most buffers that a page of 20 Files may read. The Files of the larger Room alone have many times as many. */
const most = 1000

/** Readers of lists: of a Room that all can read, and of one in which every File is restricted. */
const readers = {
  'with full access': { room: 'restricted', level: 'full_access', permissions: 0 },
  'of what everybody sees': { room: 'open', level: 'view', permissions: 0 },
  'of three restricted Files': { room: 'restricted', level: 'view', permissions: 3 },
  'of half of the restricted Files': { room: 'restricted', level: 'view', permissions: 0.5 },
} as const
type ReaderName = keyof typeof readers

const everything: RoomFileFilter = { status: undefined, under: undefined }
const middle = { index_path: 'Folder 25/', room_file_id: '' }
const pages = {
  'the first page': { filter: everything, after: null },
  'a page in the middle': { filter: everything, after: middle },
  'a page of a folder': { filter: { ...everything, under: 'Folder 7' }, after: null },
  'the Files that are active': { filter: { ...everything, status: 'active' as const }, after: null },
}

describe('a page of the Files of a Room reads as much as it shows, however many there are', () => {
  let world: RoomWorld
  let reads: ExplainedReads
  const people = new Map<ReaderName, Person>()
  const rooms = new Map<string, string>()

  before(async () => {
    world = await makeRoomWorld()
    reads = createExplainedReads(world.service.testDatabase.address)
    const { service, workspace_id } = world
    // Autovacuum is off, so that there are statistics only after ANALYZE.
    for (const table of ['files', 'file_versions', 'room_files', 'room_file_permissions'])
      await service.sql(`alter table ${table} set (autovacuum_enabled = off)`)
    for (const name of Object.keys(readers) as ReaderName[]) {
      const person = service.person(name)
      await person.client.createWorkspace({ name: 'Their own' })
      people.set(name, person)
    }
    // What is filled in here fits together, so no foreign key is checked.
    const options = '-c search_path=svc,public -c session_replication_role=replica'
    const pool = new pg.Pool({ ...service.testDatabase.address, options })
    let first = 1
    for (const files of sizes)
      for (const room of ['open', 'restricted']) {
        const room_id = await world.room()
        rooms.set(`${room} ${files}`, room_id)
        const access_mode = room === 'open' ? 'inherit_room' : 'restricted'
        const { user_id } = world.people.member
        await fillRoomWithFiles(pool, { workspace_id, room_id, user_id, first, files, access_mode })
        first += files
        for (const [name, reader] of Object.entries(readers) as [ReaderName, (typeof readers)[ReaderName]][])
          if (reader.room === room) {
            const person = people.get(name) as Person
            await world.invite(room_id, person, reader.level)
            const permissions = reader.permissions < 1 ? reader.permissions * files : reader.permissions
            if (permissions > 0) await grantEvenly(pool, { workspace_id, room_id, ...person }, permissions)
          }
      }
    await pool.end()
  })
  after(async () => {
    await reads.close()
    await world.close()
  })

  async function taken(
    name: ReaderName,
    files: number,
    page: (typeof pages)[keyof typeof pages],
    plans: string,
  ) {
    const { workspace_id } = world
    const { user_id } = people.get(name) as Person
    const room_id = rooms.get(`${readers[name].room} ${files}`) ?? ''
    const scope = { 'svc.workspace_id': workspace_id, 'svc.user_id': user_id, plan_cache_mode: plans }
    const viewer = { workspace_id, user_id, is_member: false, reads_businesses: false, reads_lists: false }
    const { answer: room } = await reads.run(scope, reader => roomById(reader, viewer, room_id))
    assert.ok(room)
    const { filter, after: from } = page
    const { answer, buffers } = await reads.run(scope, reader =>
      roomFilesPage(reader, viewer, room, filter, { after: from, limit: 21 }),
    )
    return { rows: answer.length, buffers }
  }

  const eachWay = (statistics: string, names: readonly ReaderName[]) => {
    for (const plans of ['force_generic_plan', 'force_custom_plan'])
      for (const [what, page] of Object.entries(pages))
        it(`${what}: ${statistics}, ${plans}`, async t => {
          const told: string[] = []
          for (const name of names) {
            const [small, large] = await Promise.all(sizes.map(files => taken(name, files, page, plans)))
            assert.ok(small && large)
            const line = `${name}: ${small.buffers} of ${sizes[0]} Files, ${large.buffers} of ${sizes[1]}`
            told.push(line)
            const expected = readers[name].permissions === 3 ? 3 : 21
            assert.ok(large.rows === expected || (expected === 3 && page !== pages['the first page']), line)
            assert.ok(large.buffers <= most, line)
          }
          t.diagnostic(told.join('; '))
        })
  }

  // Before the first ANALYZE, PostgreSQL 18 may skip through another index of permissions, which reads all of them once.
  eachWay('without statistics', ['with full access', 'of what everybody sees', 'of three restricted Files'])
  describe('with statistics', () => {
    before(async () => {
      await reads.close()
      await world.service.sql('analyze')
    })
    eachWay('with statistics', Object.keys(readers) as ReaderName[])
  })
})
