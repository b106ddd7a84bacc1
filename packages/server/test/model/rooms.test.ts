import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Role } from '@wbs/contract/scopes'
import { isProblem, type Client } from '@wbs/sdk'
import { addBusiness } from '../harness/businesses.ts'
import { isFullProof, proofRuns } from '../harness/proof.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { randomAsk } from './random-ask.ts'
import { randomFrom } from './random.ts'
import {
  judge,
  levelIn,
  opens,
  visible,
  type Ask,
  type Model,
  type ModelBusiness,
  type ModelRoom,
} from './room-model.ts'

// MODEL_STEPS sets the number of steps, MODEL_SEED repeats a run.
const steps = Number(process.env['MODEL_STEPS'] ?? proofRuns({ full: 2_500, short: 400 }))
const seed = Number(process.env['MODEL_SEED'] ?? Math.floor(Math.random() * 2 ** 31))

/** The memberships: three Workspaces, two people in two of them, four in none. */
const teams: Record<string, Partial<Record<string, Role>>> = {
  harbor: { olivia: 'owner', adam: 'admin', mia: 'member', max: 'member', viktor: 'viewer' },
  northgate: { nora: 'owner', mia: 'member', vera: 'viewer' },
  pier: { paul: 'owner', olivia: 'viewer' },
}
const actors = [
  'olivia',
  'adam',
  'mia',
  'max',
  'viktor',
  'nora',
  'vera',
  'paul',
  'gail',
  'gus',
  'otto',
  'ida',
]

/** What a walk must come to. A short one need not come to what is rare. */
const outcomes = [
  'done',
  'not_found',
  'forbidden',
  ...(isFullProof ? ['unchanged', 'state_conflict', 'revision_conflict', 'validation_error'] : []),
]

describe(`Rooms against a plain model of their rules (MODEL_SEED=${seed})`, () => {
  let service: TestService
  const people = new Map<string, Person>()
  const workspaceIds = new Map<string, string>()
  const model: Model = { roles: new Map(), businesses: [], rooms: [] }
  const random = randomFrom(seed)
  const told = new Map<string, number>()
  let canaries = 0

  before(async () => {
    service = await startTestService()
    for (const actor of actors) people.set(actor, service.person(actor))
    for (const [workspace, team] of Object.entries(teams)) {
      const roles = Object.entries(team) as [string, Role][]
      const [owner] = roles.find(([, role]) => role === 'owner') as [string, Role]
      const id = await service.workspace(workspace, person(owner))
      for (const [actor, role] of roles) if (role !== 'owner') await service.join(id, person(actor), role)
      workspaceIds.set(workspace, id)
      model.roles.set(workspace, new Map(roles))
    }
    for (let i = 0; i < 6; i++) {
      const is_public = i < 3
      const name = canary('business')
      const id = await addBusiness(service, { name, publication_status: is_public ? 'published' : 'draft' })
      const workspace = Object.keys(teams)[i - 3]
      const business: ModelBusiness = { id, name, is_public, linked: new Set(workspace ? [workspace] : []) }
      if (workspace) await service.link(idOf(workspace), id, person('olivia'), 'full_access')
      model.businesses.push(business)
    }
    // Everybody has signed in once, so that they can be added to Rooms.
    for (const one of people.values()) await one.client.createWorkspace({ name: 'Their own' })
  })
  after(() => service.close())

  const person = (actor: string): Person => people.get(actor) as Person
  const idOf = (workspace: string): string => workspaceIds.get(workspace) as string
  const canary = (kind: string): string => `${kind} canary ${++canaries} of ${seed}`
  const client = (actor: string, workspace: string): Client =>
    service.client({ access_token: person(actor).token, workspace_id: idOf(workspace) })

  it(`${steps} random steps end as the model says, each of them`, async t => {
    for (let step = 0; step < steps; step++) {
      if (random.chance(0.12)) await enter()
      else await ask(step)
    }
    t.diagnostic(`outcomes: ${[...told].map(([code, count]) => `${code} × ${count}`).join(', ')}`)
    for (const code of outcomes) assert.ok((told.get(code) ?? 0) > 0, `no step came to ${code}`)
    await compareAll()
  })

  /** Adds somebody to a Room, as accepting an invitation would. */
  async function enter(): Promise<void> {
    const room = random.maybe(model.rooms)
    const actor = random.pick(actors)
    if (!room || room.participants.has(actor)) return
    const level = random.pick(['view', 'edit', 'full_access'] as const)
    await service.sql(
      `insert into room_participants (workspace_id, room_id, id, user_id, as_guest, access_level, status, created_at, updated_at)
       values ($1, $2, gen_random_uuid(), $3, not exists (select from memberships m where m.workspace_id = $1 and m.user_id = $3 and m.status = 'active'), $4, 'active', now(), now())`,
      [idOf(room.workspace), room.id, person(actor).user_id, level],
    )
    room.participants.set(actor, level)
  }

  async function ask(step: number): Promise<void> {
    const workspace = random.pick(Object.keys(teams))
    const wanted = randomAsk(random, { model, actors, newTitle: () => canary('room') }, workspace)
    if (!wanted) return
    const actor = likelyActor(workspace, wanted)
    const verdict = judge(model, actor, workspace, wanted)
    const what = `step ${step}: ${actor} in ${workspace} asks to ${wanted.kind} ${'room' in wanted ? wanted.room.title : ''}`
    const outcome = await perform(actor, workspace, wanted).then(
      answer => ({ answer }),
      (error: unknown) => ({ error }),
    )
    if ('refused' in verdict) {
      note(verdict.refused)
      if (!('error' in outcome)) return assert.fail(`${what}: it was not refused with ${verdict.refused}`)
      if (!isProblem(outcome.error, verdict.refused as 'not_found'))
        return assert.fail(`${what}: expected ${verdict.refused}, but ${String(outcome.error)}`)
      return assertNoForeignCanary(actor, workspace, outcome.error.problem, what)
    }
    if ('error' in outcome) return assert.fail(`${what}: expected to be done, but ${String(outcome.error)}`)
    verdict.apply()
    note(verdict.changed ? 'done' : 'unchanged')
    if (wanted.kind === 'create') addRoom(actor, workspace, wanted, outcome.answer)
    assertNoForeignCanary(actor, workspace, outcome.answer, what)
    if (wanted.kind === 'list') return assertList(actor, workspace, outcome.answer, what)
    if (['level', 'revoke', 'leave', 'break_glass'].includes(wanted.kind)) return
    const room = wanted.kind === 'create' ? (model.rooms.at(-1) as ModelRoom) : wanted.room
    assertRoom(actor, room, (outcome.answer as { room: Shown }).room, what)
  }

  const note = (code: string) => told.set(code, (told.get(code) ?? 0) + 1)

  /** Mostly an actor with access, since otherwise nearly every request would be refused. */
  function likelyActor(workspace: string, wanted: Ask): string {
    const room = 'room' in wanted ? wanted.room : 'parent' in wanted ? wanted.parent : null
    const involved = actors.filter(actor =>
      room ? levelIn(model, actor, room) !== null : model.roles.get(workspace)?.has(actor),
    )
    return (random.chance(0.75) ? random.maybe(involved) : undefined) ?? random.pick(actors)
  }

  // oxlint-disable-next-line typescript/consistent-return -- the switch has a case for every kind, and the compiler sees to that
  async function perform(actor: string, workspace: string, wanted: Ask): Promise<unknown> {
    const as = client(actor, workspace)
    switch (wanted.kind) {
      case 'create':
        return as.createRoom({
          title: canary('room'),
          ...(wanted.business && { business_id: wanted.business.id }),
          ...(wanted.parent && { parent_room_id: wanted.parent.id }),
        })
      case 'list':
        return as.listRooms({ limit: 100 })
      case 'get':
        return as.getRoom({ room_id: wanted.room.id })
      case 'update':
        return as.updateRoom({
          room_id: wanted.room.id,
          expected_revision: wanted.revision,
          ...wanted.changes,
        })
      case 'archive':
        return as.archiveRoom({ room_id: wanted.room.id, expected_revision: wanted.revision })
      case 'restore':
        return as.restoreRoom({ room_id: wanted.room.id, expected_revision: wanted.revision })
      case 'attach':
        return as.attachRoomResource({
          room_id: wanted.room.id,
          resource_type: 'business',
          resource_id: wanted.business.id,
        })
      case 'level':
        return as.updateParticipant({
          ...(await participant(wanted.room, wanted.person)),
          access_level: wanted.level,
        })
      case 'revoke':
        return as.revokeParticipant(await participant(wanted.room, wanted.person))
      case 'leave':
        return as.leaveRoom({ room_id: wanted.room.id })
      case 'break_glass':
        return as.breakGlass({ room_id: wanted.room.id, reason: 'It has to be.' })
      case 'detach':
        return as.detachRoomResource({
          room_id: wanted.room.id,
          attachment_id: await attachmentId(wanted.room, wanted.business),
        })
    }
  }

  async function participant(
    room: ModelRoom,
    actor: string,
  ): Promise<{ room_id: string; participant_id: string }> {
    const [row] = await service.sql<{ id: string }>(
      `select id from room_participants where room_id = $1 and user_id = $2 and status = 'active'`,
      [room.id, person(actor).user_id],
    )
    return { room_id: room.id, participant_id: row?.id ?? crypto.randomUUID() }
  }

  async function attachmentId(room: ModelRoom, business: ModelBusiness): Promise<string> {
    const [row] = await service.sql<{ id: string }>(
      'select id from room_attachments where room_id = $1 and resource_id = $2',
      [room.id, business.id],
    )
    return row?.id ?? crypto.randomUUID()
  }

  function addRoom(
    actor: string,
    workspace: string,
    { business, parent }: Ask & { kind: 'create' },
    answer: unknown,
  ): void {
    const { room } = answer as { room: Shown }
    const isOpen = !parent && business !== null
    model.rooms.push({
      id: room.room_id,
      workspace,
      title: room.title,
      business: parent ? parent.business : business,
      parent,
      status: 'active',
      revision: 1,
      general_access: isOpen ? 'business' : 'invited_only',
      general_access_level: isOpen ? 'view' : null,
      attachments: [],
      participants: new Map([[actor, 'full_access']]),
    })
  }

  /** Everything that the model knows of a Room as somebody sees it, compared with what the service shows. */
  function assertRoom(actor: string, room: ModelRoom, shown: Shown, what: string): void {
    const subs = model.rooms.filter(
      one => one.parent === room && one.status === 'active' && levelIn(model, actor, one) !== null,
    )
    const {
      created_at: _,
      updated_at: __,
      archived_at,
      purpose: ___,
      participant_visibility: ____,
      guest_files: _____,
      attachments,
      ...rest
    } = shown
    assert.deepEqual(
      rest,
      {
        room_id: room.id,
        ...(room.business && { business_id: room.business.id }),
        title: room.title,
        status: room.status,
        revision: room.revision,
        access_level: levelIn(model, actor, room),
        general_access: room.general_access,
        general_access_level: room.general_access_level,
        sub_room_count: subs.length,
        ...(room.parent && {
          parent: {
            room_id: room.parent.id,
            title: levelIn(model, actor, room.parent) === null ? null : room.parent.title,
          },
        }),
      },
      what,
    )
    assert.equal(archived_at !== null, room.status === 'archived', what)
    assert.deepEqual(
      attachments.map(({ id, label }) => [id, label]),
      room.attachments.map(one => [one.id, opens(model, room.workspace, actor, one) ? one.name : null]),
      what,
    )
  }

  function assertList(actor: string, workspace: string, answer: unknown, what: string): void {
    const shown = (answer as { data: Shown[] }).data
    const expected = visible(model, actor, workspace)
      .toSorted((a, b) => (a.id < b.id ? -1 : 1))
      .slice(0, 100)
    assert.deepEqual(
      shown.map(room => room.room_id),
      expected.map(room => room.id),
      what,
    )
    for (const [i, room] of expected.entries()) assertRoom(actor, room, shown[i] as Shown, what)
  }

  /** No title or name is shown to somebody who may not see it. */
  function assertNoForeignCanary(actor: string, workspace: string, answer: unknown, what: string): void {
    const text = JSON.stringify(answer)
    for (const room of model.rooms)
      if (room.workspace !== workspace || levelIn(model, actor, room) === null)
        assert.ok(!text.includes(`"${room.title}"`), `${what}: it tells of the Room ${room.title}`)
    for (const business of model.businesses)
      if (!opens(model, workspace, actor, business))
        assert.ok(!text.includes(`"${business.name}"`), `${what}: it tells of the Business ${business.name}`)
  }

  /** Whatever happened on the way, in the end everybody sees the same as in the model. */
  async function compareAll(): Promise<void> {
    for (const actor of actors)
      for (const workspace of Object.keys(teams)) {
        if ('refused' in judge(model, actor, workspace, { kind: 'list' })) continue
        const data: Shown[] = []
        for await (const room of client(actor, workspace).listRooms.each({ limit: 100 })) data.push(room)
        const expected = visible(model, actor, workspace)
          .map(room => room.id)
          .sort()
        assert.deepEqual(
          data.map(room => room.room_id),
          expected,
          `${actor} in ${workspace} at the end`,
        )
      }
    const counts = await service.sql<{ room_id: string; events: number }>(
      `select room_id, count(*)::int as events from events where room_id is not null group by room_id`,
    )
    // One event for the creation of a Room, and for each later revision one or, if access and title changed, two.
    for (const { room_id, events } of counts) {
      const room = model.rooms.find(one => one.id === room_id) as ModelRoom
      assert.ok(events >= room.revision, `${room.title} has ${events} events at revision ${room.revision}`)
    }
  }
})

type Shown = Awaited<ReturnType<Client['getRoom']>>['room']
