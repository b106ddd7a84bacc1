import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { createSystemChangeOfRooms } from '../../../src/call/system-change.ts'
import type { WriterPool } from '../../../src/database/connections/writer.ts'
import { notifyRoomsOfBusinessUpdate } from '../../../src/rooms/businesses/notify-rooms-of-business-update.ts'
import { addBusiness } from '../../harness/businesses.ts'
import { makeRoomWorld, type RoomWorld } from '../room-fixture.ts'

const batch = 1000
const lockTimeout = '55P03'
/** More Rooms than a smallint counts for one Business, and enough for several batches for another. */
const counts = { huge: 33_000, large: 5_000 }
type Name = keyof typeof counts

describe('an update of a Business in very many Rooms', () => {
  let world: RoomWorld
  const businesses = {} as Record<Name, string>
  let job: { id: string }
  before(async () => {
    world = await makeRoomWorld()
    for (const name of ['huge', 'large'] as const) {
      businesses[name] = await addBusiness(world.service, { name, publication_status: 'published' })
      // A fourth of the Rooms has it as an attachment, and some of these are also about it.
      await world.service.sql(
        `insert into rooms (workspace_id, id, business_id, title, general_access, created_by, created_at, updated_at)
         select $1, 'rom_' || $5 || lpad(i::text, 25, '0'), case when i % 4 > 0 then $2 end, 'A Room', 'invited_only', $3, now(), now()
         from generate_series(1, $4) i`,
        [
          world.workspace_id,
          businesses[name],
          world.people.member.user_id,
          counts[name],
          name === 'huge' ? '1' : '2',
        ],
      )
      await world.service.sql(
        `insert into room_attachments (workspace_id, room_id, id, type, resource_id, attached_by, attached_at)
         select workspace_id, id, gen_random_uuid(), 'business', $1, created_by, now() from rooms
         where left(id, 5) = $2 and (business_id is null or right(id, 3) = '007')`,
        [businesses[name], name === 'huge' ? 'rom_1' : 'rom_2'],
      )
    }
  })
  after(() => world.close())
  beforeEach(() => void (job = { id: randomUUID() }))

  const tellWith = (writers: Pick<WriterPool, 'transaction'>, name: Name = 'large') =>
    notifyRoomsOfBusinessUpdate({
      readers: world.service.database.readers,
      changeRooms: createSystemChangeOfRooms(writers, () => new Date()),
    })({ business_id: businesses[name], changed: [job.id] }, job)
  const tell = () => tellWith(world.service.database.writers)

  /** An attempt that is repeated, as the queue repeats it, if it has waited too long for the lock of the other one. */
  const attempt = (): Promise<void> =>
    tell().catch((error: unknown) => {
      if ((error as { code?: string }).code !== lockTimeout) throw error
      return attempt()
    })

  /** The events of this job: how many, in how many Rooms and transactions. */
  async function told() {
    const [counts] = await world.service.sql<{ events: number; rooms: number }>(
      `select count(*)::int as events, count(distinct room_id)::int as rooms from events where data -> 'changed' ->> 0 = $1`,
      [job.id],
    )
    const transactions = await world.service.sql<{ events: number; positions: number }>(
      `select count(*)::int as events, (max(position) - min(position) + 1)::int as positions from events
       where data -> 'changed' ->> 0 = $1 group by xmin::text`,
      [job.id],
    )
    return { ...counts, transactions }
  }
  async function assertToldOnce(name: Name = 'large') {
    const many = counts[name]
    const { events, rooms, transactions } = await told()
    assert.deepEqual([events, rooms], [many, many])
    assert.deepEqual(
      transactions,
      Array.from({ length: many / batch }, () => ({ events: batch, positions: batch })),
    )
  }

  it('notifies each Room once, a thousand in a transaction, also after the process was killed half-way', async () => {
    const { writers } = world.service.database
    let transactions = 0
    /** Simulates a process that is killed after a number of transactions, or before it receives the last commit. */
    const cutOff = (most: number, heard: boolean): Pick<WriterPool, 'transaction'> => {
      let left = most
      return {
        async transaction(scope, work) {
          if (left-- > 1) return writers.transaction(scope, work)
          if (!heard) await writers.transaction(scope, work)
          throw new Error('The process has ended.')
        },
      }
    }
    const counted: Pick<WriterPool, 'transaction'> = {
      transaction: (scope, work) => {
        transactions++
        return writers.transaction(scope, work)
      },
    }
    await assert.rejects(tellWith(cutOff(8, true), 'huge'), /The process has ended/)
    assert.equal((await told()).rooms, 7 * batch)
    await assert.rejects(tellWith(cutOff(20, false), 'huge'), /The process has ended/)
    assert.equal((await told()).rooms, 20 * batch)
    await tellWith(counted, 'huge')
    await assertToldOnce('huge')
    // The transactions before the kill, those after it, and a last one that finds no Rooms.
    assert.equal(transactions, counts.huge / batch + 1)
  })

  it('notifies once if two attempts run at the same time', async () => {
    await Promise.all([attempt(), attempt()])
    await assertToldOnce()
  })

  it('does not notify Rooms that were archived meanwhile', async () => {
    const { writers } = world.service.database
    let left = 3
    const archiving: Pick<WriterPool, 'transaction'> = {
      async transaction(scope, work) {
        if (left-- === 0)
          await world.service.sql(
            `update rooms set status = 'archived', archived_at = now() where id like 'rom_2%' and right(id, 3) = '500'`,
          )
        return writers.transaction(scope, work)
      },
    }
    await tellWith(archiving)
    await tell()
    await world.service.sql(
      `update rooms set status = 'active', archived_at = null where archived_at is not null`,
    )
    const { events, rooms } = await told()
    // Rooms 500, 1500 and 2500 were notified before; 3500 and 4500 were archived first.
    assert.deepEqual([events, rooms], [counts.large - 2, counts.large - 2])
  })

  it('lets others write in the Workspace between one batch and the next', async () => {
    const member = world.as(world.people.member)
    const opened: string[] = []
    const telling = new AbortController()
    const write = async () => {
      while (!telling.signal.aborted)
        opened.push((await member.createRoom({ title: 'Meanwhile' })).room.room_id)
    }
    const writing = Promise.all([write(), write()])
    await tell()
    telling.abort()
    await writing
    await assertToldOnce()
    const [between] = await world.service.sql<{ count: number }>(
      `select count(*)::int from events where room_id = any ($2) and position between
         (select min(position) from events where data -> 'changed' ->> 0 = $1)
         and (select max(position) from events where data -> 'changed' ->> 0 = $1)`,
      [job.id, opened],
    )
    assert.ok((between?.count ?? 0) > 0)
  })
})
