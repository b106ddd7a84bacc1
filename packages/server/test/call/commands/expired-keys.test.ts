import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createKeyCleanup } from '../../../src/call/commands/expired-keys.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { eventually } from '../../http/eventually.ts'
import { quietLog } from '../../harness/quiet-log.ts'

describe('the cleanup of expired keys', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Harbor', olivia)
  })
  after(() => service.close())

  const openRoom = (idempotency_key: string, title = 'A Room') =>
    olivia.client.createRoom({ title }, { idempotency_key, workspace_id })
  const keyCleanup = () => createKeyCleanup({ writers: service.database.writers, log: quietLog })
  const age = (keys: readonly string[]) =>
    service.sql(
      `update commands set expires_at = now() - interval '1 second' where idempotency_key = any ($1)`,
      [keys],
    )
  const kept = async () =>
    (await service.sql<{ idempotency_key: string }>('select idempotency_key from commands')).map(
      row => row.idempotency_key,
    )

  it('takes away keys whose 30 days are over, in every Workspace, and leaves their receipts', async () => {
    const [old, fresh] = [randomUUID(), randomUUID()]
    const first = await openRoom(old)
    await openRoom(fresh)
    const sam = service.person('Sam')
    const elsewhere = await service.workspace('Elsewhere', sam)
    const ofSam = randomUUID()
    await sam.client.createRoom({ title: 'His' }, { idempotency_key: ofSam, workspace_id: elsewhere })
    const [life] = await service.sql<{ days: number }>(
      `select extract(day from expires_at - created_at)::int as days from commands where idempotency_key = $1`,
      [fresh],
    )
    assert.equal(life?.days, 30)
    await age([old, ofSam])
    assert.equal(await keyCleanup().deleteAll(), 2)
    const left = await kept()
    assert.ok(left.includes(fresh) && !left.includes(old) && !left.includes(ofSam))
    const receipts = await service.sql('select from receipts where receipt_id = $1', [
      first.action_receipt.receipt_id,
    ])
    assert.equal(receipts.length, 1)
    const told = await olivia.client.getCommand({ idempotency_key: old }, { workspace_id })
    assert.deepEqual([told.status, told.receipt], ['unknown', null])
  })

  it('never takes away the key that a Workspace was made under', async () => {
    const key = randomUUID()
    const { workspace } = await olivia.client.createWorkspace({ name: 'Kept' }, { idempotency_key: key })
    await keyCleanup().deleteAll()
    const again = await olivia.client.createWorkspace({ name: 'Kept' }, { idempotency_key: key })
    assert.deepEqual([again.idempotent_replay, again.workspace.id], [true, workspace.id])
  })

  it('goes on until nothing is left, however much there is, and beside others of its kind', async () => {
    await service.sql(
      `insert into commands (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, status, answer, receipt_workspace_id, expires_at)
       select $1, 'user:' || $2, 'aged-key-' || n, r.command_id, 'create_room', '', 'req', 201, '{}', $1, now()
       from generate_series(1, 2500) n, (select command_id from receipts where workspace_id = $1 limit 1) r`,
      [workspace_id, olivia.user_id],
    )
    const counts = await Promise.all([
      keyCleanup().deleteAll(),
      keyCleanup().deleteAll(),
      keyCleanup().deleteAll(),
    ])
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      2500,
    )
    assert.ok(!(await kept()).some(key => key.startsWith('aged-key-')))
  })

  it('does not conflict with the reuse of an expired key', async () => {
    const keys = Array.from({ length: 40 }, () => randomUUID())
    await Promise.all(keys.map(key => openRoom(key)))
    await age(keys)
    const [answers] = await Promise.all([
      Promise.all(keys.map(key => openRoom(key, 'Another Room'))),
      keyCleanup().deleteAll(),
      keyCleanup().deleteAll(),
    ])
    for (const answer of answers)
      assert.deepEqual([answer.idempotent_replay, answer.room.title], [false, 'Another Room'])
    const left = await kept()
    assert.ok(keys.every(key => left.includes(key)))
  })

  it('comes round by itself', async () => {
    const other = await startTestService({ keyCleanupPause: 50 })
    try {
      const sam = other.person('Sam')
      await other.workspace('Elsewhere', sam)
      const key = randomUUID()
      await sam.client.createWorkspace({ name: 'More' }, { idempotency_key: key })
      await other.sql(`update commands set expires_at = now() where idempotency_key = $1`, [key])
      await eventually(
        async () => (await other.sql('select from commands where idempotency_key = $1', [key])).length === 0,
      )
    } finally {
      await other.close()
    }
  })
})
