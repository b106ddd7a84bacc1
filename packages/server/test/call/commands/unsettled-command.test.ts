import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { write } from '../../../src/database/statement.ts'
import type { Transaction } from '../../../src/database/connections/writer.ts'
import { creation, noteEdit } from './commands.ts'
import { startTwoNodes, type TwoNodes } from '../node.ts'

const insertCommand = write(
  'test_command',
  `insert into commands (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, period)
   values (:workspace_id, 'user:somebody', :idempotency_key, :command_id, 'a_bug', '\\x00', 'req_0', 1)`,
)
const answerCommand = write(
  'test_command_answered',
  `update commands set status = 200, answer = '{}', receipt_workspace_id = :workspace_id where command_id = :command_id`,
)
const pointToReceipt = write(
  'test_command_receipt',
  `update commands set receipt_workspace_id = :workspace_id where command_id = :command_id`,
)
const insertReceipt = write(
  'test_receipt',
  `insert into receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, occurred_at, period)
   values (:workspace_id, gen_random_uuid(), :command_id, 'a_bug', '{}', 'x', 'x', now(), 1)`,
)

/** A handler with a bug: it returns neither resource nor events. */
describe('a command commits only with its answer and its receipt', () => {
  let world: TwoNodes
  let workspace_id: string
  let user_id: string
  before(async () => {
    world = await startTwoNodes()
    const { owner, ...note } = await noteEdit(world)
    workspace_id = note.workspace_id
    user_id = owner.user_id
  })
  after(() => world.close())

  const transact = (work: (tx: Transaction, command_id: string) => Promise<unknown>) =>
    world.nodes[0].pipeline.writers.transaction({ workspace_id, user_id }, async tx => {
      const command_id = randomUUID()
      await tx.run(insertCommand, { workspace_id, idempotency_key: randomUUID(), command_id })
      await work(tx, command_id)
    })
  const answer = (tx: Transaction, command_id: string) => tx.run(answerCommand, { command_id, workspace_id })
  const receipt = (tx: Transaction, command_id: string) => tx.run(insertReceipt, { workspace_id, command_id })

  const cases: [string, (tx: Transaction, command_id: string) => Promise<unknown>][] = [
    ['without either', async () => {}],
    ['without its receipt', answer],
    ['without its answer', receipt],
    [
      'without its answer, though it points to its receipt',
      async (tx, command_id) => {
        await receipt(tx, command_id)
        await tx.run(pointToReceipt, { command_id, workspace_id })
      },
    ],
    [
      'with the receipt of another one',
      async (tx, command_id) => {
        await answer(tx, command_id)
        await receipt(tx, randomUUID())
      },
    ],
    [
      'when it moved to where it cannot be seen',
      async (tx, command_id) => {
        await answer(tx, command_id)
        await receipt(tx, command_id)
        tx.enter({ workspace_id: randomUUID(), user_id })
      },
    ],
  ]
  for (const [title, work] of cases)
    it(`not ${title}`, async () => {
      await assert.rejects(transact(work), { code: '23000', message: /without its answer or receipt/ })
      const left = await world.sql(`select from commands where operation = 'a_bug'`)
      assert.equal(left.length, 0)
    })

  it('with both it does', async () => {
    await transact(async (tx, command_id) => {
      await receipt(tx, command_id)
      await answer(tx, command_id)
    })
    assert.equal((await world.sql(`select from commands where operation = 'a_bug'`)).length, 1)
  })

  it('and every receipt there is belongs to one command, with its answer', async () => {
    await (await creation(world)).ask()
    await (await noteEdit(world)).ask()
    const [counts] = await world.sql(
      `select count(*)::int as receipts, count(c.command_id)::int as commands
       from receipts r left join commands c on c.command_id = r.command_id and c.answer is not null`,
    )
    assert.ok(counts?.receipts >= 4)
    assert.equal(counts?.receipts, counts?.commands)
  })
})
