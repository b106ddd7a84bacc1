import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Id } from '@wbs/contract/ids'
import { addFile } from '../files/file-fixture.ts'
import { addRoomFile } from '../files/room-files/room-file-rows.ts'
import { eventually } from '../harness/eventually.ts'
import { startActivity, type Activity } from './activity-fixture.ts'
import { openStream } from './event-reader.ts'
import { proofDraws } from '../harness/proof.ts'

/** Something hidden from Gus that happens between his requests. */
type Happening = (world: World) => Promise<void>

interface World {
  activity: Activity
  /** A Room that hides guests from each other, or a File from all but one; Gus and Greta are guests. */
  room_id: string
  /** The File that is hidden from Gus in the Room. */
  file_id: string
  /** A Room that Gus cannot see. */
  elsewhere: string
}

const rivalActs: Happening = async ({ activity, room_id }) => {
  for (let i = 0; i < 3; i++) await activity.append({ room_id, actor: activity.greta })
  await activity.append({ room_id, about: activity.greta })
}
const restrictedFileChanges: Happening = async ({ activity, room_id, file_id }) => {
  for (let i = 0; i < 3; i++)
    await activity.append({ room_id, type: 'file.updated', subject: { type: 'file', id: file_id } })
}
const elsewhereActs: Happening = async ({ activity, elsewhere, room_id }) => {
  for (let i = 0; i < 3; i++) await activity.append({ room_id: elsewhere })
  await activity.append({ room_id: null })
  await activity.append({ room_id, feed: 'audit' })
}
/** More events at once than one scan reads. */
const many =
  (where: 'room_id' | 'elsewhere', count: number, type = 'room.archived'): Happening =>
  async ({ activity, file_id, ...rooms }) => {
    await activity.service.sql(
      `with counter as (
         update feed_positions set last_position = last_position + $3::integer where workspace_id = $1 returning last_position - $3 as before
       )
       insert into events (workspace_id, position, id, type, feed, occurred_at, actor, subject, room_id, command_id, ordinal)
       select $1, before + i, 'evt_' || lpad((before + i)::text, 26, '0'), $5, 'activity', now(), $4, $6, $2, gen_random_uuid(), 0
       from counter, generate_series(1, $3) i`,
      [
        activity.workspace_id,
        rooms[where],
        count,
        { type: 'person', user_id: activity.greta.user_id, name: 'Greta', via: null },
        type,
        type.startsWith('file.')
          ? { type: 'file', id: file_id, name: null }
          : { type: 'room', id: 'x', name: null },
      ],
    )
  }

/** Replaces values by the order of their first appearance, so that only their equality remains. */
function naming() {
  const names = new Map<string, string>()
  return (text: string | null | undefined, kind: string) => {
    if (text === null || text === undefined) return text
    const name = names.get(text) ?? `${kind} ${names.size}`
    names.set(text, name)
    return name
  }
}

/** All answers to Gus while something hidden happens between any two visible events. */
async function whatGusKnows(what: 'guests' | 'a File', hidden: readonly Happening[]): Promise<unknown[]> {
  const activity = await startActivity({ heartbeat: 200 })
  try {
    const room_id = await activity.room()
    const file_id = await addFile(activity.service, activity.workspace_id, activity.olivia)
    const world: World = { activity, room_id, file_id, elsewhere: await activity.room() }
    const gus = activity.as(activity.gus)
    await activity.invite(room_id, activity.gus)
    await activity.invite(room_id, activity.greta)
    const participant_visibility = what === 'guests' ? 'managers' : 'everyone'
    await activity.us.updateRoom({ room_id, expected_revision: 1, participant_visibility })
    if (what === 'a File') await addRoomFile(activity, { room_id, file_id }, { access_mode: 'restricted' })
    const name = naming()
    const known: unknown[] = []

    const page = (
      what: string,
      { data, has_more }: { data: { id: string }[]; has_more: boolean },
      cursor: string | null,
    ) => known.push([what, data.map(event => name(event.id, 'event')), name(cursor, 'cursor'), has_more])
    const cursors: Record<string, string | null> = {}
    async function follow(what: string, input: object, limit = 2): Promise<void> {
      const answer = await gus.listEventChanges({ ...input, cursor: cursors[what] ?? null, limit })
      cursors[what] = answer.cursor
      page(what, answer, answer.cursor)
    }
    async function lookBack(what: string, input: object): Promise<void> {
      let after: string | undefined
      for (let goesOn = true; goesOn;) {
        const answer = await gus.listEvents({ ...input, after, limit: 2 })
        page(what, answer, answer.next_cursor)
        after = answer.next_cursor ?? undefined
        goesOn = answer.has_more
      }
    }

    const stream = await openStream(activity, { authorization: `Bearer ${activity.gus.token}` })
    const shown: Id<'evt'>[] = []
    for (const happen of hidden) {
      await happen(world)
      for (let asked = 0; asked < 2; asked++) {
        await follow('changes', {})
        await follow('changes of the Room', { room_id })
        await follow('changes of some types', { types: ['room.archived'] })
        await follow('changes, with time to wait', { wait_seconds: 1 }, 100)
        page('changes from the beginning', await gus.listEventChanges({ limit: 100 }), null)
      }
      await lookBack('events', {})
      await lookBack('events of the Room', { room_id })
      await lookBack('events of some types', { types: ['room.archived'] })
      await happen(world)
      shown.push(await activity.append({ room_id, actor: activity.mia }))
      await eventually(() => stream.blocks.some(block => block.data?.id === shown.at(-1)))
      const told = stream.blocks.length
      await eventually(() => stream.blocks.length > told + 1)
    }
    known.push(
      stream.blocks
        .map(({ id, data, comment }) =>
          JSON.stringify([name(id, 'cursor'), name(data?.id, 'event'), comment]),
        )
        // The number of heartbeats depends on time.
        .filter((block, i, all) => block !== all[i - 1]),
    )
    stream.close()
    assert.equal(shown.length, hidden.length)
    return known
  } finally {
    await activity.close()
  }
}

describe('hidden events of the feed', () => {
  const elsewhere = [elsewhereActs, many('elsewhere', 1500)]
  const hidden = {
    guests: [rivalActs, ...elsewhere, many('room_id', 1500), many('room_id', 21_000)],
    'a File': [
      restrictedFileChanges,
      ...elsewhere,
      many('room_id', 1500, 'file.updated'),
      many('room_id', 21_000, 'file.updated'),
    ],
  }
  for (const what of ['guests', 'a File'] as const)
    it(`are not revealed by any answer of a Room that hides ${what}: by no cursor, id or end of a page`, async () => {
      const [first, ...others] = hidden[what]
      const happenings = [first, ...proofDraws(others)].filter(happening => happening !== undefined)
      const nothing = happenings.map((): Happening => async () => {})
      const [quiet, busy] = await Promise.all([whatGusKnows(what, nothing), whatGusKnows(what, happenings)])
      assert.ok(quiet.length > 10 * happenings.length)
      for (const [i, known] of quiet.entries()) assert.deepEqual(busy[i], known, `step ${i}`)
      assert.equal(busy.length, quiet.length)
    })
})
