import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { InputOf } from '@wbs/contract/operation'
import type { updateBusiness } from '@wbs/contract/businesses/facts'
import { importBusinesses } from '../../../src/businesses/import/import-businesses.ts'
import { createSystemChangeOfRooms } from '../../../src/call/system-change.ts'
import { connectWriter, jobsWriterConfig } from '../../../src/database/database.ts'
import { createJobs, sendOn } from '../../../src/jobs/jobs.ts'
import { notifyRoomsOfBusinessUpdate } from '../../../src/rooms/businesses/notify-rooms-of-business-update.ts'
import { csv, row } from '../../businesses/import/import-harness.ts'
import { addBusiness } from '../../harness/businesses.ts'
import { eventually } from '../../harness/eventually.ts'
import { makeRoomWorld, type RoomWorld } from '../room-fixture.ts'

const source = { kind: 'website', url: 'https://said.example/here' } as const

describe('a change of public facts of a Business', () => {
  let world: RoomWorld
  before(async () => void (world = await makeRoomWorld()))
  after(() => world.close())

  /** A Business that the owner's Workspace edits. */
  async function business(publication_status: 'published' | 'draft' = 'published'): Promise<string> {
    const id = await addBusiness(world.service, {
      name: 'Glacier',
      publication_status,
      locations: [{ city: 'Macon', state: 'GA', published: false }],
    })
    await world.service.link(world.workspace_id, id, world.people.owner, 'full_access')
    return id
  }

  const update = (business_id: string, rest: Omit<InputOf<typeof updateBusiness>, 'business_id'>) =>
    world.as(world.people.owner).updateBusiness({ business_id, ...rest })

  /** Another Workspace, and a client in it. */
  async function elsewhere() {
    const { rival } = world.people
    const workspace_id = await world.service.workspace('Theirs', rival)
    return { workspace_id, them: world.service.client({ access_token: rival.token, workspace_id }) }
  }

  /** The events about a Business in all Workspaces, in order. */
  const told = (business_id: string) =>
    world.service.sql<{ room_id: string; actor: object; about: null; data: object; subject: object }>(
      `select room_id, actor, about, data, subject from events
       where type = 'business.updated' and subject ->> 'id' = $1 order by workspace_id, position`,
      [business_id],
    )

  /** Waits until no notification job is left. */
  const settled = () =>
    eventually(
      async () =>
        (
          await world.service.sql(
            `select from svc_jobs.job where name = 'tell_rooms_of_business' and state < 'completed'`,
          )
        ).length === 0,
    )

  it('notifies each Room with it, in every Workspace, without the author and the old values', async () => {
    const id = await business()
    const us = world.as(world.people.member)
    const { them } = await elsewhere()
    const ours = (await us.createRoom({ title: 'Sale', business_id: id })).room
    const sub = (await us.createRoom({ title: 'Bids', parent_room_id: ours.room_id })).room
    const attached = await world.room()
    await us.attachRoomResource({ room_id: attached, resource_type: 'business', resource_id: id })
    const theirs = (await them.createRoom({ title: 'Purchase', business_id: id })).room
    await world.room('Another matter')
    await update(id, {
      expected_revision: 1,
      name: 'Glacier Works',
      description: 'Cold.',
      line1: '1 Kept Back St',
      source,
    })

    await eventually(async () => (await told(id)).length === 4)
    await settled()
    const events = await told(id)
    assert.deepEqual(
      events.map(event => event.room_id).sort(),
      [ours.room_id, sub.room_id, attached, theirs.room_id].sort(),
    )
    for (const event of events)
      assert.deepEqual(
        { ...event, room_id: null },
        {
          room_id: null,
          actor: { type: 'system', user_id: null, name: null, via: null },
          about: null,
          data: { changed: ['name', 'description'] },
          subject: { type: 'business', id, name: 'Glacier Works' },
        },
      )

    const { data } = await them.listEvents({ business_id: id, types: ['business.*'] })
    assert.deepEqual(
      data.map(({ type, room, mine, subject }) => ({ type, room, mine, subject })),
      [
        {
          type: 'business.updated',
          room: { id: theirs.room_id, title: 'Purchase' },
          mine: false,
          subject: { type: 'business', id, name: 'Glacier Works' },
        },
      ],
    )
    const heard = JSON.stringify(data)
    for (const secret of [world.people.owner.user_id, world.workspace_id, 'Kept Back', 'said.example'])
      assert.ok(!heard.includes(secret), secret)
  })

  it('does not notify if nothing changed, of private facts, or in archived Rooms', async () => {
    const [published, draft] = [await business(), await business('draft')]
    const us = world.as(world.people.member)
    const { room } = await us.createRoom({ title: 'Sale', business_id: published })
    const archived = (await us.createRoom({ title: 'Earlier sale', business_id: published })).room
    await us.archiveRoom({ room_id: archived.room_id, expected_revision: 1 })
    const drafted = (await us.createRoom({ title: 'Draft', business_id: draft })).room
    await update(draft, { expected_revision: 1, name: 'Glacier Works' })
    await update(published, { expected_revision: 1, line1: '1 Kept Back St', source })
    await update(published, { expected_revision: 2, name: 'Glacier', source })
    await update(published, { expected_revision: 2, status: 'inactive', source })
    await eventually(async () => (await told(published)).length > 0)
    await settled()
    assert.deepEqual(
      (await told(published)).map(({ room_id, data }) => ({ room_id, data })),
      [{ room_id: room.room_id, data: { changed: ['status'] } }],
    )
    assert.deepEqual(await world.eventsOf(archived.room_id), ['room.created', 'room.archived'])
    assert.deepEqual(await world.eventsOf(drafted.room_id), ['room.created'])
  })

  it('queues no job if no Room has it', async () => {
    const jobs = async () =>
      (await world.service.sql(`select from svc_jobs.job where name = 'tell_rooms_of_business'`)).length
    const before = await jobs()
    const id = await business()
    await update(id, { expected_revision: 1, name: 'Glacier Works', source })
    assert.equal(await jobs(), before)
  })

  it('notifies once, however often the job runs, and never of a withdrawn Business', async () => {
    const id = await business()
    const { room } = await world.as(world.people.member).createRoom({ title: 'Sale', business_id: id })
    const { readers, writers } = world.service.database
    const tell = notifyRoomsOfBusinessUpdate({
      readers,
      changeRooms: createSystemChangeOfRooms(writers, () => new Date()),
    })
    const job = { id: randomUUID() }
    await Promise.all([1, 2, 3].map(() => tell({ business_id: id, changed: ['name'] }, job)))
    await tell({ business_id: id, changed: ['name'] }, job)
    assert.deepEqual(
      (await told(id)).map(event => event.room_id),
      [room.room_id],
    )
    await world.as(world.people.owner).withdrawBusiness({ business_id: id, expected_revision: 1 })
    await tell({ business_id: id, changed: ['status'] }, { id: randomUUID() })
    assert.equal((await told(id)).length, 1)
  })

  it('notifies of changes by an import, and not if the import changes nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'wbs-told-'))
    const { address } = world.service.testDatabase
    const log = { info() {}, warn() {}, error() {} }
    const jobs = createJobs({ connection: jobsWriterConfig(address), log })
    const catalogue = join(folder, 'sources.csv')
    await writeFile(
      catalogue,
      'source,title,publisher,url,licence,observed_on\ndemo,Data,Tests,,public domain,\n',
    )
    async function bring(...records: Record<string, string>[]) {
      const file = join(folder, 'records.csv')
      await writeFile(file, csv(records.map(record => row(record))))
      const counts = await importBusinesses({
        connect: () => connectWriter(address),
        sendJobs: sendOn(jobs),
        files: [file],
        publish: true,
        rejectsFile: join(folder, 'rejects.csv'),
        sourceCatalogue: catalogue,
      })
      assert.equal(counts.rejected, 0)
    }
    try {
      const other = { source_id: 'other', name: 'In no Room' }
      const first = { source_id: 'mill', name: 'The Mill', city: 'Macon', state: 'GA' }
      await bring(first, other)
      const [record] = await world.service.sql<{ business_id: string }>(
        `select business_id from business_sources where source = 'demo' and source_id = 'mill'`,
      )
      const id = record?.business_id ?? ''
      const { room } = await world.as(world.people.member).createRoom({ title: 'Mill', business_id: id })
      const renamed = { ...first, name: 'The Old Mill', city: 'Bath' }
      await bring(renamed, { ...other, name: 'In no Room yet' })
      await eventually(async () => (await told(id)).length > 0)
      await bring(renamed, other)
      await settled()
      assert.deepEqual(
        (await told(id)).map(({ room_id, data, subject }) => ({ room_id, data, subject })),
        [
          {
            room_id: room.room_id,
            data: { changed: ['name', 'city'] },
            subject: { type: 'business', id, name: 'The Old Mill' },
          },
        ],
      )
    } finally {
      await jobs.close()
      await rm(folder, { recursive: true, force: true })
    }
  })
})
