import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createVisitorSweeper } from '../../../src/valuations/visitors/visitor-sweeper.ts'
import { eventually } from '../../harness/eventually.ts'
import { quietLog } from '../../harness/quiet-log.ts'
import { assertProblem } from '../../http/problem-check.ts'
import { makeVisitorWorld, type Made, type VisitorWorld } from './visitor-fixture.ts'

describe('the sweeper of valuations of visitors', () => {
  let world: VisitorWorld
  before(async () => {
    world = await makeVisitorWorld()
  })
  after(() => world.close())

  const sweep = () => createVisitorSweeper({ writers: world.service.database.writers, log: quietLog }).sweep()
  const exists = async ({ valuation_id }: Made) =>
    (await world.service.sql('select from visitor_valuations where id = $1', [valuation_id])).length > 0

  it('deletes them 30 days after their end, claimed or not, and no sooner', async () => {
    const { claim, workspace_id, owner } = await world.claimer()
    const [fresh, expired, old, claimed] = await Promise.all([
      world.made(),
      world.made(),
      world.made(),
      world.made(),
    ])
    await claim(claimed)
    await world.expire(expired.valuation_id, 29)
    await world.expire(old.valuation_id, 30)
    await world.expire(claimed.valuation_id, 31)
    assert.equal(await sweep(), 2)
    assert.deepEqual(await Promise.all([fresh, expired, old, claimed].map(exists)), [
      true,
      true,
      false,
      false,
    ])
    const answer = await world.service.request(`/v1/valuations/${old.valuation_id}`, {
      headers: { 'svc-claim-token': old.claim_token },
    })
    assertProblem(answer, 'not_found')
    const { data } = await owner.client.getValuation({ valuation_id: claimed.valuation_id }, { workspace_id })
    assert.equal(data.valuation_id, claimed.valuation_id)
  })

  it('goes on until nothing is left, however much there is, and beside others of its kind', async () => {
    await world.service.sql(
      `insert into visitor_valuations (id, request_digest, request_id, claim_digest, document, summary, status, created_at, expires_at)
       select 'val_' || lpad(to_hex(n), 32, '0'), int4send(n), 'req', int4send(n), '{}', '{}', 'draft', now(), now() - interval '31 days'
       from generate_series(1, 1050) n`,
    )
    const counts = await Promise.all([sweep(), sweep(), sweep()])
    assert.equal(
      counts.reduce((sum, count) => sum + count),
      1050,
    )
  })

  it('comes round by itself', async () => {
    const other = await makeVisitorWorld({ visitorSweepPause: 50 })
    try {
      const made = await other.made()
      await other.expire(made.valuation_id, 31)
      await eventually(
        async () =>
          (await other.service.sql('select from visitor_valuations where id = $1', [made.valuation_id]))
            .length === 0,
      )
    } finally {
      await other.close()
    }
  })

  it('does so soon after a start, so that a node that is restarted within the pause does it too', async () => {
    const made = await world.made()
    await world.expire(made.valuation_id, 31)
    const { writers } = world.service.database
    const sweeper = createVisitorSweeper({ writers, log: quietLog, firstMilliseconds: 20 })
    try {
      await eventually(async () => !(await exists(made)))
    } finally {
      await sweeper.close()
    }
  })
})
