import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { ProblemError } from '@wbs/sdk'
import { makeVisitorWorld, type Claimer, type Made, type VisitorWorld } from '../visitors/visitor-fixture.ts'

let world: VisitorWorld
let claimers: Claimer[]
before(async () => {
  world = await makeVisitorWorld()
  claimers = await Promise.all(['A', 'B', 'C', 'D'].map(name => world.claimer(name)))
})
after(() => world.close())

/** Four claims in each of four Workspaces, at once. */
async function sixteenClaims(made: Made) {
  const attempts = claimers.flatMap(claimer =>
    Array.from({ length: 4 }, async () => {
      try {
        return { claimer, status: 200, answer: await claimer.claim(made) }
      } catch (error) {
        if (!(error instanceof ProblemError)) throw error
        return { claimer, status: error.problem.status, code: error.problem.code }
      }
    }),
  )
  return Promise.all(attempts)
}

const placesOf = ({ valuation_id }: Made) =>
  world.service.sql<{ workspace_id: string }>('select workspace_id from valuations where id = $1', [
    valuation_id,
  ])

describe('sixteen claims in four Workspaces at once', () => {
  it('have one winner; its Workspace is told that it is claimed, the others that there is nothing', async () => {
    for (let round = 0; round < 5; round++) {
      const made = await world.made()
      const outcomes = await sixteenClaims(made)
      const winners = outcomes.filter(one => one.status === 200)
      assert.equal(winners.length, 1, JSON.stringify(outcomes.map(({ status }) => status)))
      const [winner] = winners
      assert.ok(winner)
      const { workspace_id } = winner.claimer
      assert.deepEqual(await placesOf(made), [{ workspace_id }])
      for (const { claimer, status, code } of outcomes.filter(one => one.status !== 200))
        assert.deepEqual(
          [status, code],
          claimer.workspace_id === workspace_id ? [409, 'state_conflict'] : [404, 'not_found'],
        )
      const told = await world.service.sql(
        `select (select count(*)::integer from events where type = 'valuation.claimed' and subject ->> 'id' = $1) as events,
           (select count(*)::integer from receipts where operation = 'claim_valuation' and resource_id = $1) as receipts`,
        [made.valuation_id],
      )
      assert.deepEqual(told, [{ events: 1, receipts: 1 }])
    }
  })

  it('of one request each win once, and give the same answer', async () => {
    const made = await world.made()
    const [claimer] = claimers as [Claimer]
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 16 }, () => claimer.claim(made, key)))
    assert.equal(new Set(answers.map(({ receipt }) => receipt.receipt_id)).size, 1)
    assert.equal(answers.filter(one => !one.idempotent_replay).length, 1)
  })
})

describe('a claim and a reading at once', () => {
  it('never show a visitor a part of a valuation', async () => {
    const [claimer] = claimers as [Claimer]
    for (let round = 0; round < 5; round++) {
      const made = await world.made()
      const reading = Array.from({ length: 8 }, () =>
        world.service.request(`/v1/valuations/${made.valuation_id}`, {
          headers: { 'svc-claim-token': made.claim_token },
        }),
      )
      const [, ...answers] = await Promise.all([claimer.claim(made), ...reading])
      for (const { status, body } of answers) {
        assert.ok(status === 404 || (status === 200 && body.data.inputs.periods.length > 0), String(status))
      }
    }
  })
})
