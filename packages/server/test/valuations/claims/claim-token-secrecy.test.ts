import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { unfinished } from '../valuation-document.ts'
import { makeVisitorWorld, type VisitorWorld } from '../visitors/visitor-fixture.ts'

describe('the claim token of a valuation', () => {
  let world: VisitorWorld
  before(async () => {
    world = await makeVisitorWorld()
  })
  after(() => world.close())

  /** Every row of every table, of jobs too, as text. */
  async function everyRow(): Promise<string> {
    const tables = await world.service.sql<{ name: string }>(
      `select format('%s', oid::regclass) as name from pg_class
       where relnamespace in ('svc'::regnamespace, 'svc_jobs'::regnamespace) and relkind = 'r'`,
    )
    assert.ok(tables.length > 30)
    const rows = await Promise.all(
      tables.map(({ name }) => world.service.sql<{ row: string }>(`select t::text as row from ${name} t`)),
    )
    return rows.flatMap(table => table.map(({ row }) => row)).join('\n')
  }

  it('is in its first answer alone: in no row, no line of the log, no event, no receipt, no replay and no refusal', async () => {
    const here = await world.claimer()
    const there = await world.claimer('Elsewhere')
    const inWorkspace = { workspace_id: here.workspace_id }
    const headers = { 'idempotency-key': randomUUID() }
    const first = await world.send(unfinished(), headers)
    const { claim_token } = first.body
    const { valuation_id } = first.body.data
    const made = { valuation_id, claim_token }
    assert.equal(first.text.split(claim_token).length, 2)
    const read = () =>
      world.service.request(`/v1/valuations/${valuation_id}`, { headers: { 'svc-claim-token': claim_token } })
    const key = randomUUID()
    const told = [
      (await world.send(unfinished(), headers)).text,
      (await read()).text,
      JSON.stringify(await here.claim(made, key)),
      JSON.stringify(await here.claim(made, key)),
      JSON.stringify(await refused(here.claim(made), 'state_conflict')),
      JSON.stringify(await refused(there.claim(made), 'not_found')),
      (await read()).text,
      (await world.send(unfinished(), headers)).text,
      JSON.stringify(await here.owner.client.getValuation({ valuation_id }, inWorkspace)),
      JSON.stringify(await here.owner.client.getCommand({ idempotency_key: key }, inWorkspace)),
      await everyRow(),
      world.service.logged.join('\n'),
    ].join('\n')
    assert.ok(told.includes(valuation_id))
    const secret = Buffer.from(claim_token.slice(4), 'base64url')
    assert.equal(secret.length, 32)
    for (const form of [claim_token, claim_token.slice(4), secret.toString('hex'), secret.toString('base64')])
      assert.ok(!told.includes(form))
    assert.ok(!told.includes(Buffer.from(claim_token).toString('hex')))
  })
})
