import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startOtherNode } from '../../harness/other-node.ts'
import { refused } from '../../harness/refused.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { beginPeriod, passDays } from './periods.ts'

describe('a request that is repeated in a later period', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  let other: Awaited<ReturnType<typeof startOtherNode>>
  before(async () => {
    service = await startTestService()
    other = await startOtherNode(service)
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Harbor', olivia)
  })
  after(async () => {
    await other.close()
    await service.close()
  })

  const openRoom = (idempotency_key: string, title = 'A Room', client = olivia.client) =>
    client.createRoom({ title }, { idempotency_key, workspace_id })

  /** The rows of a key: its commands by period, and how many Rooms, receipts and events these made. */
  async function traces(idempotency_key: string) {
    const commands = await service.sql<{ period: number; command_id: string }>(
      'select period, command_id from commands where idempotency_key = $1 order by period',
      [idempotency_key],
    )
    const ids = commands.map(({ command_id }) => command_id)
    const [row] = await service.sql<{ receipts: number; events: number }>(
      `select (select count(*)::int from receipts where command_id = any ($1)) as receipts,
              (select count(*)::int from events where command_id = any ($1)) as events`,
      [ids],
    )
    return { commands: commands.length, ...row }
  }
  const once = { commands: 1, receipts: 1, events: 1 }

  it('is answered with the first answer, on every node', async () => {
    const key = randomUUID()
    const first = await openRoom(key)
    await beginPeriod(service)
    const elsewhere = service.client({ base_url: other.base_url, access_token: olivia.token })
    for (const client of [olivia.client, elsewhere]) {
      const again = await openRoom(key, 'A Room', client)
      assert.deepEqual([again.idempotent_replay, again.room.room_id], [true, first.room.room_id])
    }
    assert.deepEqual(await traces(key), once)
    const told = await olivia.client.getCommand({ idempotency_key: key }, { workspace_id })
    assert.deepEqual([told.status, told.receipt?.receipt_id], ['committed', first.action_receipt.receipt_id])
  })

  it('is refused if it is another request', async () => {
    const key = randomUUID()
    await openRoom(key)
    await beginPeriod(service)
    await refused(openRoom(key, 'Another Room'), 'idempotency_key_reused')
    assert.deepEqual(await traces(key), once)
  })

  it('is one change if it comes while the period begins, to two nodes at once', async () => {
    const elsewhere = service.client({ base_url: other.base_url, access_token: olivia.token })
    for (let round = 0; round < 8; round++) {
      const key = randomUUID()
      const clients = [olivia.client, elsewhere, olivia.client, elsewhere]
      const [answers] = await Promise.all([
        Promise.all(clients.map(client => openRoom(key, 'A Room', client))),
        beginPeriod(service),
      ])
      assert.equal(new Set(answers.map(answer => answer.room.room_id)).size, 1)
      assert.deepEqual(await traces(key), once)
    }
  })

  it('is a new change once the key has expired, while the first one is still stored, and after', async () => {
    const key = randomUUID()
    const first = await openRoom(key)
    await passDays(service, 31)
    const inSamePeriod = await openRoom(key, 'Another Room')
    assert.equal(inSamePeriod.idempotent_replay, false)
    assert.deepEqual(await traces(key), once)
    await passDays(service, 31)
    await beginPeriod(service)
    const later = await openRoom(key, 'A third Room')
    assert.equal(later.idempotent_replay, false)
    const again = await openRoom(key, 'A third Room')
    assert.deepEqual([again.idempotent_replay, again.room.room_id], [true, later.room.room_id])
    assert.deepEqual(await traces(key), { commands: 2, receipts: 2, events: 2 })
    const told = await olivia.client.getCommand({ idempotency_key: key }, { workspace_id })
    assert.equal(told.receipt?.receipt_id, later.action_receipt.receipt_id)
    assert.equal(new Set([first, inSamePeriod, later].map(answer => answer.room.room_id)).size, 3)
  })

  it('is a failure and no second change, if the key was taken without its claim', async () => {
    const [sample, key] = [randomUUID(), randomUUID()]
    await openRoom(sample)
    // Inserted while the change is running: after it has looked, before it settles.
    await service.sql(
      `create function take_key() returns trigger language plpgsql as $$
       begin
         if new.title = 'A race' then
           insert into commands select scope_id, principal, '${key}', command_id, operation, fingerprint, request_id, status,
             answer, receipt_workspace_id, created_at, expires_at, 1 from commands where idempotency_key = '${sample}';
         end if;
         return new;
       end $$;
       create trigger take_key after insert on rooms for each row execute function take_key()`,
    )
    const attempt = service.client({ access_token: olivia.token, attempts: 1 })
    await refused(openRoom(key, 'A race', attempt), 'internal_error')
    assert.equal((await service.sql(`select from rooms where title = 'A race'`)).length, 0)
    await service.sql('drop trigger take_key on rooms')
  })
})
