import assert from 'node:assert/strict'
import { isProblem, type Client } from '@wbs/sdk'
import { all, may, sees, shownState, type Model, type Noun, type Room, type Thing } from './model.ts'

/** The lists that an answer shows, by noun: each with the ids and the states. */
type Shown = [id: string, state: string, revision?: number]

/** All items of a list, or null if it is refused because the caller may not see it. */
async function itemsOf<Item>(pages: AsyncIterable<Item>): Promise<Item[] | null> {
  const items: Item[] = []
  try {
    for await (const item of pages) items.push(item)
  } catch (error) {
    if (isProblem(error, 'forbidden') || isProblem(error, 'not_found')) return null
    throw error
  }
  return items
}

const limit = 100

/** What a list shows of a noun, and the permission that it takes. */
const lists = {
  room: {
    scope: 'rooms:read',
    read: async (as: Client) =>
      (await itemsOf(as.listRooms.each({ limit })))?.map((one): Shown => [
        one.room_id,
        one.status,
        one.revision,
      ]),
  },
  goal: {
    scope: 'goals:read',
    read: async (as: Client) =>
      (await itemsOf(as.listGoals.each({ limit })))?.map((one): Shown => [
        one.goal_id,
        one.status,
        one.revision,
      ]),
  },
  task: {
    scope: 'tasks:read',
    read: async (as: Client) =>
      (await itemsOf(as.listTasks.each({ limit })))?.map((one): Shown => [
        one.task_id,
        one.status,
        one.revision,
      ]),
  },
  approval: {
    scope: 'approvals:read',
    read: async (as: Client) =>
      (await itemsOf(as.listApprovals.each({ limit })))?.map((one): Shown => [
        one.approval_id,
        one.held_for === null ? one.status : 'held',
        one.revision,
      ]),
  },
  file: {
    scope: 'files:read',
    read: async (as: Client) =>
      (await itemsOf(as.listFiles.each({ limit })))?.map((one): Shown => [
        one.file_id,
        one.lifecycle,
        one.revision,
      ]),
  },
  list: {
    scope: 'lists:read',
    read: async (as: Client) =>
      (await itemsOf(as.listLists.each({ limit, include_archived: true })))?.map((one): Shown => [
        one.id,
        one.lifecycle_status,
        one.version,
      ]),
  },
} satisfies Partial<Record<Noun, unknown>>

/** Compares what a caller sees of the Workspace and of a Room with the model. */
export async function compareShown(
  model: Model,
  who: string,
  as: Client,
  room: Room | undefined,
  what: string,
): Promise<void> {
  for (const [noun, { scope, read }] of Object.entries(lists)) {
    const shown = (await read(as)) ?? null
    const expected = may(model, who, scope) ? seenOf(model, who, noun as Noun) : null
    assert.deepEqual(sorted(shown), sorted(expected), `${what}: ${who} lists every ${noun}`)
  }
  if (!room) return
  const isSeen = may(model, who, 'rooms:read') && sees(model, who, room)
  const inRoom = (noun: Noun, keeps: (thing: Thing) => boolean = () => true) =>
    isSeen ? seenOf(model, who, noun, thing => thing.room === room && keeps(thing)) : null
  const { id: room_id } = room
  const connections = await itemsOf(as.listConnections.each({ room_id, limit }))
  assert.deepEqual(
    sorted(connections?.map(one => [one.connection_id, one.status])),
    sorted(inRoom('connection')?.map(([id, state]) => [id, state])),
    `${what}: ${who} lists the connections of a Room`,
  )
  const files = await itemsOf(as.listRoomFiles.each({ room_id, limit }))
  assert.deepEqual(
    sorted(files?.map(one => [one.room_file_id, one.status, one.revision])),
    sorted(inRoom('room_file', one => one.state !== 'archived')),
    `${what}: ${who} lists the Files of a Room`,
  )
  const participants = await participantsOf(as, room_id)
  const goesOn = (thing: Thing) => ['pending', 'active'].includes(shownState(model, thing))
  assert.deepEqual(
    sorted(participants?.map(one => [one.participant_id, one.status])),
    sorted(inRoom('participant', goesOn)?.map(([id, state]) => [id, state])),
    `${what}: ${who} lists the participants of a Room`,
  )
}

/** The list of participants has pages of another form. A Room of the walk has less than one of them. */
async function participantsOf(as: Client, room_id: string) {
  try {
    return (await as.listParticipants({ room_id, limit })).participants
  } catch (error) {
    if (isProblem(error, 'forbidden') || isProblem(error, 'not_found')) return null
    throw error
  }
}

const seenOf = (
  model: Model,
  who: string,
  noun: Noun,
  keeps: (thing: Thing) => boolean = () => true,
): Shown[] =>
  (all(model, noun) as Thing[])
    .filter(thing => keeps(thing) && sees(model, who, thing))
    .map(thing => [thing.id, shownState(model, thing), thing.revision])

const sorted = (shown: Shown[] | null | undefined): Shown[] | null =>
  shown?.toSorted(([a], [b]) => (a < b ? -1 : 1)) ?? null
