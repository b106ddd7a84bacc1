import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isProblem, type Client } from '@wbs/sdk'
import { addFile } from '../files/file-fixture.ts'
import { isFullProof, proofRuns } from '../harness/proof.ts'
import { enterRoom } from '../harness/rooms.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { randomFrom } from './random.ts'
import {
  judge,
  knows,
  levelIn,
  levelOn,
  levelOnFile,
  type Ask,
  type Model,
  type ModelRoom,
  type ModelRoomFile,
} from './room-file-model.ts'

// MODEL_STEPS sets the number of steps, MODEL_SEED repeats a run.
const steps = Number(process.env['MODEL_STEPS'] ?? proofRuns({ full: 600, short: 120 }))
const seed = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

const members = ['olivia', 'mia', 'max']
const people = [...members, 'gail', 'gus']
const levels = ['view', 'edit', 'full_access'] as const

/** What a walk must come to. A short one need not come to what is rare. */
const outcomes = [
  'done',
  'not_found',
  'forbidden',
  ...(isFullProof ? ['unchanged', 'state_conflict', 'validation_error'] : []),
]

describe(`Files in Rooms against a plain model of their rules (MODEL_SEED=${seed})`, () => {
  let service: TestService
  let workspace_id: string
  const persons = new Map<string, Person>()
  const model: Model = { members, rooms: [], files: [], roomFiles: [] }
  const random = randomFrom(seed)
  const told = new Map<string, number>()
  let participations = 0

  before(async () => {
    service = await startTestService()
    for (const name of people) persons.set(name, service.person(name))
    workspace_id = await service.workspace('Harbor', person('olivia'), {
      member: person('mia'),
      admin: person('max'),
    })
    for (const name of people) await person(name).client.createWorkspace({ name: 'Their own' })
    for (const title of ['One', 'Two']) {
      const { room } = await client('olivia').createRoom({ title })
      const founder = { level: 'full_access', number: ++participations } as const
      model.rooms.push({ id: room.room_id, general: null, participants: new Map([['olivia', founder]]) })
    }
    for (const creator of ['olivia', 'mia', 'max'])
      model.files.push({ id: await addFile(service, workspace_id, person(creator)), creator })
  })
  after(() => service.close())

  const person = (name: string): Person => persons.get(name) as Person
  const client = (name: string): Client => service.client({ access_token: person(name).token, workspace_id })
  const note = (code: string) => told.set(code, (told.get(code) ?? 0) + 1)

  it(`${steps} random steps end as the model says, and show everybody what it says`, async t => {
    for (let step = 0; step < steps; step++) {
      if (random.chance(0.25)) await changeRoom(random.pick(model.rooms))
      else await ask(step)
      await compare(random.pick(people), random.pick(model.rooms), `step ${step}`)
    }
    t.diagnostic(`outcomes: ${[...told].map(([code, count]) => `${code} × ${count}`).join(', ')}`)
    for (const code of outcomes) assert.ok((told.get(code) ?? 0) > 0, `no step came to ${code}`)
    for (const name of people) for (const room of model.rooms) await compare(name, room, 'at the end')
  })

  /** Somebody enters the Room, leaves it or is expelled from it, or general access changes. */
  async function changeRoom(room: ModelRoom): Promise<void> {
    const name = random.pick(people.slice(1))
    if (random.chance(0.3)) {
      room.general = random.pick([null, 'view', 'edit'])
      await service.sql('update rooms set general_access = $2, general_access_level = $3 where id = $1', [
        room.id,
        room.general ? 'workspace' : 'invited_only',
        room.general,
      ])
    } else if (!room.participants.has(name)) {
      const level = random.pick(levels)
      await enterRoom(service, { workspace_id, room_id: room.id }, person(name), level)
      room.participants.set(name, { level, number: ++participations })
    } else {
      await client(name).leaveRoom({ room_id: room.id })
      room.participants.delete(name)
    }
  }

  function randomAsk(): Ask {
    const of = random.maybe(model.roomFiles.slice(-8))
    if (!of || random.chance(0.2))
      return { kind: 'attach', room: random.pick(model.rooms), file: random.pick(model.files) }
    const [whom, revision] = [random.pick(people), random.chance(0.9) ? of.revision : of.revision + 1]
    if (random.chance(0.4)) return { kind: 'grant', of, person: whom, level: random.pick(levels) }
    if (random.chance(0.4))
      return { kind: 'revoke', of, person: random.maybe([...of.permissions.keys()]) ?? whom }
    return { kind: random.pick(['move', 'lift', 'archive', 'restore'] as const), of, revision }
  }

  async function ask(step: number): Promise<void> {
    const wanted = randomAsk()
    const involved = people.filter(name =>
      wanted.kind === 'attach'
        ? levelIn(model, name, wanted.room) !== null
        : levelOn(model, name, wanted.of) !== null,
    )
    const actor = (random.chance(0.8) ? random.maybe(involved) : undefined) ?? random.pick(people)
    const verdict = judge(model, actor, wanted)
    const what = `step ${step}: ${actor} asks to ${wanted.kind}`
    const outcome = await perform(actor, wanted).then(
      answer => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if ('refused' in verdict) {
      note(verdict.refused)
      if (!('error' in outcome)) return assert.fail(`${what}: it was not refused with ${verdict.refused}`)
      if (!isProblem(outcome.error, verdict.refused as 'not_found'))
        return assert.fail(`${what}: expected ${verdict.refused}, but ${String(outcome.error)}`)
      return
    }
    if ('error' in outcome) return assert.fail(`${what}: expected to be done, but ${String(outcome.error)}`)
    note(verdict.apply ? 'done' : 'unchanged')
    verdict.apply?.()
    assert.equal(outcome.answer.action_receipt.changed.length > 0, verdict.apply !== undefined, what)
    if (wanted.kind === 'attach' && verdict.apply && 'room_file' in outcome.answer) {
      const { room_file_id, index_path } = outcome.answer.room_file
      const { room, file } = wanted
      const rest = { archived: false, restricted: false, revision: 1, permissions: new Map() }
      model.roomFiles.push({ id: room_file_id, room, file, path: index_path, ...rest })
    }
  }

  // oxlint-disable-next-line typescript/consistent-return -- the switch has a case for every kind, and the compiler sees to that
  async function perform(actor: string, wanted: Ask) {
    const as = client(actor)
    if (wanted.kind === 'attach')
      return as.attachRoomFile({ room_id: wanted.room.id, file_id: wanted.file.id })
    const named = { room_file_id: wanted.of.id }
    if (wanted.kind === 'grant')
      return as.setRoomFilePermission({
        ...named,
        user_id: person(wanted.person).user_id,
        access_level: wanted.level,
      })
    if (wanted.kind === 'revoke')
      return as.revokeRoomFilePermission({
        ...named,
        permission_id: await permissionOf(wanted.of, wanted.person),
      })
    const revised = { ...named, expected_revision: wanted.revision }
    switch (wanted.kind) {
      case 'move':
        return as.updateRoomFile({ ...revised, index_path: `Moved ${wanted.of.revision + 1}.md` })
      case 'lift':
        return as.updateRoomFile({ ...revised, access_mode: 'inherit_room' })
      case 'archive':
        return as.archiveRoomFile(revised)
      case 'restore':
        return as.restoreRoomFile(revised)
    }
  }

  async function permissionOf({ id }: ModelRoomFile, name: string): Promise<string> {
    const [row] = await service.sql<{ id: string }>(
      'select id from room_file_permissions where room_file_id = $1 and user_id = $2 order by status, id desc limit 1',
      [id, person(name).user_id],
    )
    return row?.id ?? crypto.randomUUID()
  }

  /** The answer of a call, or null if it is refused because the resource or the Workspace is hidden. */
  const answerOf = <T>(call: Promise<T>): Promise<T | null> =>
    call.catch((error: unknown) => {
      if (isProblem(error, 'not_found') || isProblem(error, 'forbidden')) return null
      throw error
    })

  /** What somebody is shown of a Room, in every operation, compared with the model. */
  async function compare(name: string, room: ModelRoom, step: string): Promise<void> {
    const [as, what] = [client(name), `${step}: ${name} looks`]
    const room_id = room.id
    const here = model.roomFiles.filter(of => of.room === room)
    const openTo = here.filter(of => levelOn(model, name, of) !== null)
    const byPlace = (a: ModelRoomFile, b: ModelRoomFile) =>
      a.path === b.path ? (a.id < b.id ? -1 : 1) : a.path < b.path ? -1 : 1
    for (const archived of [false, true]) {
      const list = await answerOf(
        as.listRoomFiles({ room_id, limit: 100, ...(archived && { status: 'archived' as const }) }),
      )
      const expected = openTo.filter(of => of.archived === archived).toSorted(byPlace)
      assert.deepEqual(
        list?.data.map(one => [one.room_file_id, one.access_level, one.revision, one.access_mode]) ?? null,
        levelIn(model, name, room) === null
          ? null
          : expected
              .slice(0, 100)
              .map(of => [
                of.id,
                levelOn(model, name, of),
                of.revision,
                of.restricted ? 'restricted' : 'inherit_room',
              ]),
        what,
      )
    }
    const one = random.maybe(here)
    if (one) {
      const shown = await answerOf(as.getRoomFile({ room_file_id: one.id }))
      assert.equal(shown?.room_file.access_level ?? null, levelOn(model, name, one), what)
    }
    for (const file of model.files) {
      const shown = await answerOf(as.getFile({ file_id: file.id }))
      assert.equal(shown?.file.access_level ?? null, levelOnFile(model, name, file), `${what} at a File`)
    }
    const events = await answerOf(as.listEvents({ room_id, types: ['file.*'], limit: 100 }))
    const all = await service.sql<{ id: string; file_id: string }>(
      `select id, subject ->> 'id' as file_id from events where room_id = $1 and type like 'file.%' order by position desc`,
      [room_id],
    )
    assert.deepEqual(
      events?.data.map(event => event.id) ?? null,
      levelIn(model, name, room) === null
        ? null
        : all
            .filter(event => knows(model, name, room, event.file_id))
            .slice(0, 100)
            .map(event => event.id),
      `${what} at events`,
    )
  }
})
