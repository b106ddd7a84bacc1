import assert from 'node:assert/strict'
import { randomBytes, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { serializerOf } from '../../../src/call/serialize.ts'
import { bodyOf, noteEdit, type NoteCommand } from './commands.ts'
import { refusal, startTwoNodes, type TwoNodes } from '../node.ts'
import { editNote } from '../probe.ts'

/** Text that is recognizable wherever it appears. */
const canary = () => `canary${randomBytes(12).toString('hex')}`

/** Every row of every table, as text. */
async function everyRow(sql: TwoNodes['sql']): Promise<string> {
  const tables = await sql<{ name: string }>(
    `select format('%I', relname) as name from pg_class where relnamespace = 'svc'::regnamespace and relkind = 'r'`,
  )
  assert.ok(tables.length > 10)
  const rows = await Promise.all(
    tables.map(({ name }) => sql<{ row: string }>(`select t::text as row from svc.${name} t`)),
  )
  return rows.flatMap(table => table.map(({ row }) => row)).join('\n')
}

describe('the secret in an answer', () => {
  let world: TwoNodes
  let command: NoteCommand
  before(async () => {
    world = await startTwoNodes()
    command = await noteEdit(world)
  })
  after(() => world.close())

  it('is in the first answer only, and never in a replay', async () => {
    const first = bodyOf(await command.ask())
    assert.equal(first.note?.edit_token, command.probe.secrets[0])
    for (const node of world.nodes) {
      const again = await command.ask({ node })
      assert.equal(bodyOf(again).note?.edit_token, null)
      assert.ok(!JSON.stringify(again).includes('secret-'))
      assert.deepEqual(JSON.parse(serializerOf(editNote)(again.body)), again.body)
    }
  })

  it('is in no row of any table', async () => {
    await command.ask({ key: randomUUID(), body: { expected_revision: 2, text: 'second' } })
    const rows = await everyRow(world.sql)
    assert.ok(rows.includes('edit_note'))
    assert.equal(command.probe.secrets.length, 2)
    for (const secret of command.probe.secrets)
      for (const written of [secret, Buffer.from(secret).toString('hex')]) assert.ok(!rows.includes(written))
  })
})

describe('the content of a request', () => {
  let world: TwoNodes
  before(async () => void (world = await startTwoNodes()))
  after(() => world.close())

  it('is kept nowhere but where its handler puts it: of the rest there is a keyed digest', async () => {
    const command = await noteEdit(world)
    const said = canary()
    const body = { expected_revision: 1, text: 'text', labels: { [`k${said}`]: said } }
    await command.ask({ body })
    assert.equal((await command.ask({ body })).replay, true)
    await refusal(command.ask({ body: { ...body, labels: { other: said } } }))
    assert.ok(!(await everyRow(world.sql)).includes(said))
  })

  it('is not repeated by a refusal', async () => {
    const command = await noteEdit(world)
    const said = canary()
    const bodies = [
      { expected_revision: said, text: 'text' },
      { expected_revision: 1, text: { said } },
      { expected_revision: 1, text: said.repeat(100) },
      { expected_revision: 1, text: 'text', labels: said },
      { expected_revision: 1, text: 'text', labels: { said: [said] } },
      { expected_revision: 1, text: `${said}\u0000` },
      { expected_revision: 9, text: said },
    ]
    for (const body of bodies) {
      const problem = await refusal(command.ask({ body }))
      assert.ok(!JSON.stringify([problem.message, problem.members, problem.headers]).includes(said))
    }
  })
})
