import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, afterEach, before, describe, it } from 'node:test'
import pg from 'pg'
import { lockWaits } from '../harness/lock-waits.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'

/** How many changes, and how many long reads, of one Workspace run at once. */
/** How many of one Workspace run at once: fewer while others compete, or did within a second. */
const changesOfOne = { besideOthers: 2, alone: 3 }
const longReadsOfOne = { besideOthers: 1, alone: 2 }
const areUnderWay = async ({ besideOthers, alone }: typeof changesOfOne) => {
  const waits = await lockWaits(service)
  return waits >= besideOthers && waits <= alone
}

interface Tenant {
  owner: Person
  workspace_id: string
  room_id: string
}

type Answer = Awaited<ReturnType<TestService['request']>>

let service: TestService
let holder: pg.Client
let busy: Tenant
let quiet: Tenant

const inWorkspace = ({ workspace_id }: Tenant, { token }: Person, more = {}) => ({
  token,
  headers: { 'svc-workspace-id': workspace_id, ...more },
})
const get = (tenant: Tenant, path: string) => service.request(path, inWorkspace(tenant, tenant.owner))
const change = (tenant: Tenant, who = tenant.owner, key: string = randomUUID(), signal?: AbortSignal) =>
  service.request('/v1/rooms', {
    method: 'POST',
    ...inWorkspace(tenant, who, { 'idempotency-key': key, 'content-type': 'application/json' }),
    body: JSON.stringify({ title: 'One more' }),
    ...(signal && { signal }),
  })

/** Begins many requests, and counts those that were answered. */
function many(count: number, send: (i: number) => Promise<Answer>) {
  let answered = 0
  const answers = Array.from({ length: count }, async (_, i) => {
    const answer = await send(i)
    answered++
    return answer
  })
  return { all: Promise.all(answers), answered: () => answered }
}

async function tenant(name: string): Promise<Tenant> {
  const owner = service.person(name)
  const workspace_id = await service.workspace(`${name}'s`, owner)
  const { client } = owner
  const { room } = await client.createRoom({ title: 'A Room' }, { workspace_id })
  return { owner, workspace_id, room_id: room.room_id }
}

/**
 * Asserts that the quiet Workspace is served well. It must ask at once: blocked changes give up their lock after two
 * seconds.
 */
async function assertQuietGoesOn() {
  const paths = [`/v1/rooms/${quiet.room_id}`, '/v1/rooms', '/v1/events']
  const answers = await Promise.all([...paths.map(path => get(quiet, path)), change(quiet)])
  assert.deepEqual(
    answers.map(({ status }) => status),
    [200, 200, 200, 201],
  )
}

before(async () => {
  service = await startTestService()
  holder = new pg.Client({ ...service.testDatabase.address, options: '-c search_path=svc,public' })
  await holder.connect()
  busy = await tenant('Bea')
  quiet = await tenant('Quentin')
})
after(async () => {
  await holder.end()
  await service.close()
})

describe('while the changes of a Workspace wait for each other', () => {
  const hold = () =>
    holder
      .query('begin')
      .then(() =>
        holder.query('select from feed_positions where workspace_id = $1 for update', [busy.workspace_id]),
      )
  const release = () => holder.query('rollback')
  afterEach(release)

  it('those of others go on, and what it reads itself', async () => {
    await hold()
    const waiting = many(16, () => change(busy))
    await eventually(() => areUnderWay(changesOfOne))
    await assertQuietGoesOn()
    assert.equal((await get(busy, '/v1/rooms')).status, 200)
    assert.equal(waiting.answered(), 0)
    assert.ok(await areUnderWay(changesOfOne))
    await release()
    await waiting.all
  })

  it('those beyond its queue are rate limited, and nobody else is', async () => {
    await hold()
    const waiting = many(128 + changesOfOne.alone + 10, () => change(busy))
    await eventually(() => waiting.answered() >= 10)
    await assertQuietGoesOn()
    await release()
    const answers = await waiting.all
    const refused = answers.filter(({ status }) => status === 429)
    assert.ok(refused.length >= 10, `${refused.length} were refused`)
    for (const { body, headers } of refused) {
      assert.equal(body.code, 'rate_limited')
      assert.deepEqual(body['violated-policies'], ['turns'])
      assert.equal(headers.get('retry-after'), '1')
    }
    for (const { status } of answers) assert.ok([201, 429, 503].includes(status), String(status))
    assert.ok(answers.some(({ status }) => status === 201))
  })

  it('one that was refused is done by its key afterwards', async () => {
    await hold()
    const keys = Array.from({ length: 150 }, () => randomUUID())
    const waiting = many(keys.length, i => change(busy, busy.owner, keys[i]))
    await eventually(() => waiting.answered() > 0)
    await release()
    const answers = await waiting.all
    const key = keys[answers.findIndex(({ status }) => status === 429)]
    const again = await change(busy, busy.owner, key)
    assert.equal(again.status, 201)
    assert.equal(again.body.idempotent_replay, false)
  })

  it('clients that hang up keep no turn', async () => {
    await hold()
    const hangUp = new AbortController()
    const gone = Array.from({ length: 12 }, () => change(busy, busy.owner, randomUUID(), hangUp.signal))
    await eventually(() => areUnderWay(changesOfOne))
    hangUp.abort()
    await Promise.allSettled(gone)
    await release()
    await eventually(async () => (await lockWaits(service)) === 0)
    await hold()
    const waiting = many(changesOfOne.alone, () => change(busy))
    await eventually(() => areUnderWay(changesOfOne))
    await release()
    for (const { status } of await waiting.all) assert.equal(status, 201)
  })
})

describe('a Workspace', () => {
  /** Blocks changes of somebody in the first statement of their transaction, with all turns that they may have. */
  async function whileChangesOf(who: Person, work: () => Promise<void>) {
    const keys = Array.from({ length: 12 }, () => randomUUID())
    for (const key of keys)
      await holder.query('select pg_advisory_lock(command_lock($1, $2, $3))', [
        busy.workspace_id,
        `user:${who.user_id}`,
        key,
      ])
    try {
      const waiting = many(keys.length, i => change(busy, who, keys[i]))
      await eventually(() => areUnderWay(changesOfOne))
      await work()
      assert.equal(waiting.answered(), 0)
      await holder.query('select pg_advisory_unlock_all()')
      for (const { status } of await waiting.all) assert.equal(status, 403)
    } finally {
      await holder.query('select pg_advisory_unlock_all()')
    }
  }

  const itsMembersGoOn = async () => {
    const answers = await Promise.all([change(busy), get(busy, '/v1/events')])
    assert.deepEqual(
      answers.map(({ status }) => status),
      [201, 200],
    )
  }

  it('is not delayed by a stranger who names it', () =>
    whileChangesOf(service.person('Stranger'), itsMembersGoOn))

  it('is not delayed by a former member whose requests were refused', async () => {
    const leaver = service.person('Leaver')
    await service.join(busy.workspace_id, leaver, 'member')
    assert.equal((await change(busy, leaver)).status, 201)
    await leaver.client.leaveTeam({}, { workspace_id: busy.workspace_id })
    assert.equal((await change(busy, leaver)).status, 403)
    await whileChangesOf(leaver, itsMembersGoOn)
  })
})

describe('while the long reads of a Workspace are blocked', () => {
  const gate = 4711
  before(async () => {
    // A reader of an event of the busy Workspace waits for the gate, for as long as a statement may run.
    await service.sql(`
      create function svc.test_gate() returns boolean language plpgsql volatile as $$ begin
        perform set_config('lock_timeout', '0', true);
        perform pg_advisory_xact_lock_shared(${gate});
        return true;
      end $$`)
    await service.sql(`
      create policy test_gate on events as restrictive for select to svc_reader
      using (case when workspace_id = '${busy.workspace_id}' then svc.test_gate() else true end)`)
  })
  after(async () => void (await service.sql('drop policy test_gate on events')))
  const shut = () => holder.query('select pg_advisory_lock($1)', [gate])
  const open = () => holder.query('select pg_advisory_unlock_all()')
  afterEach(open)

  it('all reads and changes of others go on, and its own short ones', async () => {
    await shut()
    const waiting = many(12, () => get(busy, '/v1/events'))
    await eventually(() => areUnderWay(longReadsOfOne))
    await assertQuietGoesOn()
    assert.equal((await get(busy, `/v1/rooms/${busy.room_id}`)).status, 200)
    assert.equal((await change(busy)).status, 201)
    assert.equal(waiting.answered(), 0)
    assert.ok(await areUnderWay(longReadsOfOne))
    await open()
    for (const { status } of await waiting.all) assert.equal(status, 200)
  })

  it('none of them waits for ever, and all goes well when they are done', async () => {
    await shut()
    const waiting = many(12, () => get(busy, '/v1/events'))
    for (const { status, body, headers } of await waiting.all) {
      assert.equal(status, 503)
      assert.equal(body.code, 'unavailable')
      assert.match(headers.get('retry-after') ?? '', /^[1-9]\d*$/)
    }
    await open()
    for (let i = 0; i < 2 * longReadsOfOne.alone; i++)
      assert.equal((await get(busy, '/v1/events')).status, 200)
  })
})
