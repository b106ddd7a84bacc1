import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { readPublic } from '../../../src/database/statement.ts'
import { createMetrics } from '../../../src/telemetry/metrics.ts'
import { eventually } from '../../harness/eventually.ts'
import { addBusiness } from '../../harness/businesses.ts'
import { quietLog } from '../../harness/quiet-log.ts'
import { startReplicatedServer, type ReplicatedServer } from '../../harness/postgres/replicated-server.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'

/** In seconds. */
const mostLag = 8

// Long enough that the standby meets a conflict meanwhile.
const slowRead = readPublic<{ id: string }>(
  'test_slow_public_read',
  `select p.id, pg_sleep(case when pg_is_in_recovery() then 4 else 0 end)
   from (select id from published_businesses limit 1) p`,
  'custom_plan',
)

describe('a service with a read replica', () => {
  let servers: ReplicatedServer
  let service: TestService
  let olivia: Person
  let mia: Person
  let sam: Person
  let workspace_id: string
  let key: string
  const metrics = createMetrics(quietLog)
  before(async () => {
    servers = await startReplicatedServer({ max_standby_streaming_delay: '100ms' })
    service = await startTestService({
      replicas: name => ({ urls: [servers.standby.url(name)], most_lag: mostLag }),
      meter: metrics.meter,
    })
    ;[olivia, mia, sam] = ['Olivia', 'Mia', 'Sam'].map(name => service.person(name)) as [
      Person,
      Person,
      Person,
    ]
    workspace_id = await service.workspace('Harbor', olivia, { member: mia })
    await service.workspace('Elsewhere', sam)
    key = (await service.apiKey(workspace_id, olivia, ['businesses:read'])).secret
    await addBusiness(service, { name: 'Harbor Bakery', locations: [{ state: 'MA', city: 'Boston' }] })
    await isUsed()
    await servers.caughtUp()
  })
  after(async () => {
    await service.close()
    await servers.close()
    await metrics.close()
  })

  const isUsed = (used = true) =>
    eventually(async () => service.database.replicas.usage()[0]?.used === used || undefined)
  const usage = () => service.database.publicReads.usage()
  /** Asks until the replica has answered all of it, since a busy machine may leave it out for a moment. */
  const byReplica = <T>(ask: () => Promise<T>): Promise<T> =>
    eventually(async () => {
      const earlier = usage()
      const answer = await ask()
      const { primary, replica } = usage()
      return primary === earlier.primary && replica > earlier.replica ? answer : undefined
    })
  const inWorkspace = (person: Person) => service.client({ access_token: person.token, workspace_id })
  const leftOut = (node: TestService) =>
    node.logged
      .map(line => JSON.parse(line) as { msg: string; replica: number; reason: string })
      .filter(({ msg }) => msg === 'a read replica is left out')

  /** Whoever has changed something and those of the same Workspace, with every kind of credential. */
  const ours = () => ({
    'the member who did it': inWorkspace(olivia),
    'them without a Workspace': olivia.client,
    'another member': inWorkspace(mia),
    'an API key': service.client({ api_key: key }),
  })

  async function draftOf(name: string): Promise<{ business_id: string; expected_revision: number }> {
    const { data } = await inWorkspace(olivia).createBusiness({ name })
    return { business_id: data.id, expected_revision: Number(data.revision) }
  }

  it('answers searches from the replica, with a credential and without', async () => {
    for (const client of [service.anonymous, sam.client, ...Object.values(ours())]) {
      const { data, as_of } = await byReplica(() => client.searchBusinesses({ query: 'harbor' }))
      assert.deepEqual(
        data.map(({ name }) => name),
        ['Harbor Bakery'],
      )
      const age = Date.now() - Date.parse(as_of)
      assert.ok(age > 0 && age < mostLag * 1000, `as of ${age} ms ago`)
    }
  })

  it('shows how far behind the replica is, whether it is used, and who answers', async () => {
    const text = await metrics.text()
    const shown = (name: string) => Number(new RegExp(`^${name} ([\\d.e-]+)`, 'm').exec(text)?.[1])
    const lag = shown('svc_database_replica_lag_seconds\\{replica="1"[^}]*\\}')
    assert.ok(lag >= 0, text)
    const used = shown('svc_database_replica_used\\{replica="1"[^}]*\\}')
    assert.equal(used === 1, service.database.replicas.usage()[0]?.used)
    const answered = (by: string) => shown(`svc_database_public_reads_total\\{answered_by="${by}"[^}]*\\}`)
    assert.equal(answered('replica'), usage().replica)
    assert.equal(answered('primary') + answered('primary_after_replica'), usage().primary)
  })

  it('answers a Business by its id from the replica, but whoever could change it from the primary', async () => {
    const { data } = await service.anonymous.searchBusinesses({ query: 'harbor' })
    const business_id = String(data[0]?.id)
    const shown = await byReplica(() =>
      service.anonymous.getBusiness({
        business_id,
        include: ['locations', 'classifications', 'identifiers'],
      }),
    )
    assert.equal(shown.data.locations?.[0]?.city, 'Boston')
    const earlier = usage()
    const same = await inWorkspace(olivia).getBusiness({ business_id })
    assert.equal(same.data.name, 'Harbor Bakery')
    assert.deepEqual(usage(), earlier)
  })

  it('shows a publication and a withdrawal at once to those who made it, and to all when the replica is left out', async () => {
    const { business_id, expected_revision } = await draftOf('Glacier Tooling')
    const other = await draftOf('Glacier Mining')
    const published = await inWorkspace(olivia).publishBusiness(other)
    await servers.caughtUp()
    await service.anonymous.getBusiness({ business_id: other.business_id })
    await isUsed()
    await servers.standby.sql('select pg_wal_replay_pause()')
    await inWorkspace(olivia).publishBusiness({ business_id, expected_revision })
    await inWorkspace(olivia).withdrawBusiness({
      business_id: other.business_id,
      expected_revision: Number(published.data.revision),
    })
    for (const [who, client] of Object.entries(ours())) {
      const { data } = await client.searchBusinesses({ query: 'glacier' })
      assert.deepEqual(
        data.map(({ name }) => name),
        ['Glacier Tooling'],
        who,
      )
    }
    const earlier = usage()
    const { data: others } = await sam.client.searchBusinesses({ query: 'glacier' })
    // If all of this took longer than the bound, the primary has answered.
    const answer = usage().replica > earlier.replica ? 'Glacier Mining' : 'Glacier Tooling'
    assert.deepEqual(
      others.map(({ name }) => name),
      [answer],
    )
    const linked = await service.anonymous.getBusiness({ business_id })
    assert.equal(linked.data.name, 'Glacier Tooling')

    await isUsed(false)
    const { data } = await sam.client.searchBusinesses({ query: 'glacier' })
    assert.deepEqual(
      data.map(({ name }) => name),
      ['Glacier Tooling'],
    )
    await eventually(async () => (service.database.replicas.usage()[0]?.lag ?? 0) > mostLag || undefined)
  })

  it('takes a replica back that has caught up', async () => {
    await servers.standby.sql('select pg_wal_replay_resume()')
    await isUsed()
    await byReplica(() => service.anonymous.searchBusinesses({ query: 'glacier' }))
  })

  it('repeats a read at the primary that a conflict with the replay has canceled', async () => {
    await byReplica(() => service.anonymous.searchBusinesses({ query: 'harbor' }))
    const earlier = usage()
    const read = service.database.publicReads.reader(null).many(slowRead, {})
    await eventually(async () => {
      const [row] = await servers.standby.sql<{ runs: boolean }>(
        `select exists (select from pg_stat_activity where state = 'active' and query like '%pg_sleep(case%'
           and pid <> pg_backend_pid()) as runs`,
      )
      return row?.runs || undefined
    })
    await servers.primary.sql(
      'begin; lock table svc.published_businesses in access exclusive mode; commit',
      service.testDatabase.name,
    )
    assert.equal((await read).length, 1)
    assert.equal(usage().repeated, earlier.repeated + 1)
  })

  it('answers every search while the replica crashes and comes back', async () => {
    const load = searching(40)
    await load.done(100)
    await servers.standby.crash()
    await isUsed(false)
    await load.done(300)
    const earlier = usage()
    await servers.standby.start()
    await isUsed()
    await load.done(100)
    assert.ok(usage().replica > earlier.replica)
    assert.deepEqual(await load.end(), [])
  })

  it('answers every search while the replica hangs', async () => {
    await isUsed()
    const load = searching(20)
    await load.done(50)
    const thaw = await servers.standby.freeze()
    try {
      await isUsed(false)
      await load.done(100)
    } finally {
      thaw()
    }
    await isUsed()
    assert.deepEqual(await load.end(), [])
  })

  it('uses no server that is no replica of this database, says why, and is ready all the same', async () => {
    const { standby, primary } = servers
    const gone = standby.url('postgres').replace(/:\d+\//, ':1/')
    const node = await startTestService({
      replicas: name => ({
        urls: [standby.url('postgres'), standby.url(service.testDatabase.name), primary.url(name), gone],
        most_lag: mostLag,
      }),
    })
    try {
      for (const [i, reason] of [
        /^It is no replica of this database: /,
        /^It follows another database/,
        /^It is not a standby/,
        /^It does not answer: .*ECONNREFUSED/,
      ].entries())
        await eventually(async () => {
          const lines = leftOut(node).filter(({ replica }) => replica === i + 1)
          return lines.some(line => reason.test(line.reason)) || undefined
        })
      assert.equal((await node.request('/ready')).status, 200)
      await node.anonymous.searchBusinesses({ query: 'harbor' })
      assert.deepEqual(node.database.publicReads.usage(), { primary: 1, replica: 0, repeated: 0 })
      assert.doesNotMatch(node.logged.join(''), /svc@|postgresql:/)
    } finally {
      await node.close()
    }
  })

  it('leaves out a replica that was promoted', async () => {
    await isUsed()
    await servers.standby.sql('select pg_promote()')
    await isUsed(false)
    await service.anonymous.searchBusinesses({ query: 'harbor' })
    await eventually(async () =>
      leftOut(service).some(({ reason }) => reason.startsWith('It is not a standby')) ? true : undefined,
    )
  })

  /** So many callers who search again and again. */
  function searching(callers: number) {
    const failures: unknown[] = []
    const state = { count: 0, ended: false }
    const clients = [service.anonymous, olivia.client, inWorkspace(olivia), sam.client]
    const loops = Array.from({ length: callers }, async (_, i) => {
      while (!state.ended) {
        try {
          const { data } = await (clients[i % 4] as typeof service.anonymous).searchBusinesses({
            query: 'harbor',
          })
          if (data.length !== 1) failures.push(data)
        } catch (error) {
          failures.push(error)
        }
        state.count++
      }
    })
    return {
      /** Waits for so many more answers. */
      async done(more: number): Promise<void> {
        const goal = state.count + more
        await eventually(async () => state.count >= goal || undefined)
      },
      async end(): Promise<unknown[]> {
        state.ended = true
        await Promise.all(loops)
        return failures
      },
    }
  }
})
