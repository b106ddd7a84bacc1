import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { ProblemError } from '@wbs/sdk'
import { holdLock, lockWaits } from '../../harness/lock-waits.ts'
import { proofRuns } from '../../harness/proof.ts'
import { eventually } from '../../harness/eventually.ts'
import { makeRoomFileWorld, type RoomFileWorld } from '../room-files/room-file-fixture.ts'

let world: RoomFileWorld
before(async () => void (world = await makeRoomFileWorld()))
after(() => world.close())
const us = () => world.as(world.people.member)

/** Transactions that deadlock are run again, so only the database knows of them. */
async function deadlocks(): Promise<number> {
  // Backends report what happened at most once in a second.
  await sleep(1_500)
  const [row] = await world.service.sql<{ deadlocks: number }>(
    'select deadlocks::integer from pg_stat_database where datname = current_database()',
  )
  return row?.deadlocks ?? 0
}

/** A Room and a sub-room of it. */
async function family() {
  const parent_id = await world.room()
  const { room } = await us().createRoom({ title: 'Financials', parent_room_id: parent_id })
  return { parent_id, child_id: room.room_id }
}

describe('changes that lock several Rooms', () => {
  it('lock a parent before its sub-room', async () => {
    const { parent_id, child_id } = await family()
    const file_id = await world.file()
    await us().attachRoomFile({ room_id: child_id, file_id })
    const known = await deadlocks()
    const release = await holdLock(world.service, world.workspace_id, ['room', child_id])
    // The first of them needs the sub-room shared and the parent alone, the second one the opposite.
    const attaching = us().attachRoomFile({ room_id: parent_id, file_id })
    await eventually(async () => (await lockWaits(world.service)) === 1)
    const renaming = us().updateRoom({ room_id: child_id, expected_revision: 1, title: 'Accounts' })
    await eventually(async () => (await lockWaits(world.service)) === 2)
    await release()
    await Promise.all([attaching, renaming])
    assert.equal((await deadlocks()) - known, 0)
  })

  it('do not deadlock, however many of them share Rooms and Files', { timeout: 120_000 }, async context => {
    const families = [await family(), await family(), await family()]
    const room_ids = families.flatMap(({ parent_id, child_id }) => [parent_id, child_id])
    const file_ids = await Promise.all(Array.from({ length: 4 }, () => world.file()))
    for (const room_id of room_ids)
      for (const person of [world.people.admin, world.people.owner])
        await world.invite(room_id, person, 'edit')
    const known = await deadlocks()
    const attempts = new Map<string, number>()
    let turn = 0
    /** One of a list, in an order that differs between callers. */
    const next = <Item>(items: readonly Item[]): Item =>
      items[(turn = (turn * 5 + 7) % 9973) % items.length] as Item
    const roomFiles = async (status?: 'archived') =>
      (await us().listRoomFiles({ room_id: next(room_ids), ...(status && { status }) })).data
    const changes: Record<string, (client: ReturnType<typeof us>) => Promise<unknown>> = {
      attach: () => us().attachRoomFile({ room_id: next(room_ids), file_id: next(file_ids) }),
      async archive(client) {
        for (const { room_file_id, revision } of (await roomFiles()).slice(0, 1))
          await client.archiveRoomFile({ room_file_id, expected_revision: revision })
      },
      async restore(client) {
        for (const { room_file_id, revision } of (await roomFiles('archived')).slice(0, 1))
          await client.restoreRoomFile({ room_file_id, expected_revision: revision })
      },
      async update(client) {
        const { file } = await us().getFile({ file_id: next(file_ids) })
        await client.updateFile({
          file_id: file.file_id,
          expected_revision: file.revision,
          tags: [`${turn}`],
        })
      },
      async grant() {
        for (const { room_file_id } of (await roomFiles()).slice(0, 1))
          await world.grant(room_file_id, next([world.people.admin, world.people.owner]))
      },
      async revoke() {
        for (const { room_file_id } of await roomFiles())
          for (const { permission_id } of (await us().listRoomFilePermissions({ room_file_id })).data)
            await us().revokeRoomFilePermission({ room_file_id, permission_id })
      },
      async rename(client) {
        const { room } = await us().getRoom({ room_id: next(room_ids) })
        await client.updateRoom({
          room_id: room.room_id,
          expected_revision: room.revision,
          title: `Room ${turn}`,
        })
      },
      async upload(client) {
        const content = Buffer.from('A new version of the File')
        const { file } = await us().getFile({ file_id: next(file_ids) })
        const { upload } = await client.addFileVersion({
          file_id: file.file_id,
          expected_revision: file.revision,
          size_bytes: content.length,
        })
        const { upload_id } = upload
        await client.uploadContent({ upload_id, content: content.toString('base64') })
        await client.completeUpload({ upload_id })
      },
      create: client =>
        client.createTextFile({ name: 'A.md', content: 'The same content', room_id: next(room_ids) }),
    }
    const clients = [world.people.member, world.people.admin, world.people.owner].map(world.as)
    const began = performance.now()
    const until = began + proofRuns({ full: 8_000, short: 2_000 })
    /** Until the time is over and each change was made, which takes longer on a busy machine. */
    const goesOn = () =>
      performance.now() < until ||
      (attempts.size < Object.keys(changes).length && performance.now() < began + 60_000)
    const work = async (at: number) => {
      for (let round = at; goesOn(); round++) {
        const [name, change] = Object.entries(changes)[round % Object.keys(changes).length] as [
          string,
          (typeof changes)[string],
        ]
        await change(clients[round % clients.length] as ReturnType<typeof us>).then(
          () => attempts.set(name, (attempts.get(name) ?? 0) + 1),
          (error: unknown) => {
            // Most changes are late: another one came before.
            if (!(error instanceof ProblemError) || error.problem.status >= 429) throw error
          },
        )
      }
    }
    await Promise.all(Array.from({ length: 18 }, (_, at) => work(at)))
    context.diagnostic(JSON.stringify(Object.fromEntries(attempts)))
    assert.deepEqual(
      Object.keys(changes).filter(name => !attempts.has(name)),
      [],
    )
    assert.equal((await deadlocks()) - known, 0)
  })
})
