import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { scopes } from '@wbs/contract/scopes'
import { startPrivateServer, type PrivateServer } from '../database/embedded/private-server.ts'
import { proofSeed } from '../harness/proof.ts'
import { randomFrom } from '../model/random.ts'
import { makeTemplate } from '../harness/postgres/template.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { representatives } from '../operations/classes.ts'
import { operations, samples, type NamedOperation } from '../operations/samples.ts'
import { makeWorld, type World } from '../operations/world.ts'
import { callOperation, type Input } from '../operations/wire.ts'

// A reading that is recorded as an event is the exception that a declaration names.
const reads = operations.filter(operation => operation.kind === 'query' && !operation.recorded)

const { pick } = randomFrom(proofSeed())

/**
 * Who asks: everybody for a representative, otherwise the first and one more. All reads run in a role that can write to no table
 * (svc-reader.test.ts).
 */
const callersOf = <T>({ name }: NamedOperation, callers: readonly T[]): readonly T[] =>
  representatives.has(name) ? callers : [...callers.slice(0, 1), pick(callers.slice(1))]

// On a server of its own, because transactions of other tests would be counted too.
describe('a read changes no row and gets no transaction id: ', () => {
  let server: PrivateServer
  let service: TestService
  let world: World
  const environment = { ...process.env }
  before(async () => {
    server = await startPrivateServer({ fsync: 'off', autovacuum: 'off' })
    Object.assign(process.env, await makeTemplate(server.address('postgres'), 'template_of_reads'))
    // pg-boss maintains its tables once at the start, and then not again during the test.
    service = await startTestService({ pace: { poll: 3600, firstPause: 1, supervise: 3600, attempt: 60 } })
    world = await makeWorld(service)
    await samples.get_participant.input(world)
    for (let before = ''; before !== (await nextTransaction());) {
      before = (await nextTransaction()) ?? ''
      await sleep(1_000)
    }
  })
  after(async () => {
    await service.close()
    Object.assign(process.env, environment)
    await server.close()
  })

  /** The id of the next transaction that changes anything. */
  const nextTransaction = async () =>
    (await service.sql<{ id: string }>(`select pg_snapshot_xmax(pg_current_snapshot())::text as id`))[0]?.id

  for (const operation of reads)
    it(operation.name, async () => {
      const { owner } = world.people
      const { secret } = await service.apiKey(world.workspace_id, owner, scopes)
      const workspace = { 'svc-workspace-id': world.workspace_id }
      const callers = {
        owner: { authorization: `Bearer ${owner.token}`, ...workspace },
        'an API key': { 'x-svc-api-key': secret, ...workspace },
        outsider: { authorization: `Bearer ${world.people.outsider.token}`, ...workspace },
        nobody: {},
        // The input of changes, which a read ignores.
        'owner, with an Idempotency-Key': {
          authorization: `Bearer ${owner.token}`,
          'idempotency-key': 'a-key-for-a-read',
          ...workspace,
        },
      }
      const sample = await samples[operation.name].input(world)
      const inputs: Input[] = [
        sample,
        { ...sample, limit: 1 },
        { ...sample, limit: 0 },
        { ...sample, no: 'x' },
      ]
      const next = await nextTransaction()
      const statuses = new Set<number>()
      for (const input of inputs)
        for (const headers of callersOf(operation, Object.values(callers)))
          statuses.add((await callOperation(service, operation, input, headers)).status)
      assert.ok(statuses.has(200), [...statuses].join())
      assert.equal(await nextTransaction(), next)
    })

  it('and a change does, by the same measure', async () => {
    const next = await nextTransaction()
    await world.people.owner.client.createWorkspace({ name: 'A change' })
    assert.notEqual(await nextTransaction(), next)
  })
})
