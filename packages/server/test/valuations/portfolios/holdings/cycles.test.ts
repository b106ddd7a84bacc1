import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../../harness/refused.ts'
import { makePortfolioWorld, type PortfolioId, type PortfolioWorld } from '../portfolio-fixture.ts'

let world: PortfolioWorld
before(async () => void (world = await makePortfolioWorld()))
after(() => world.close())

const idAt = (ids: readonly PortfolioId[], at: number): PortfolioId =>
  ids.at(at) ?? assert.fail('There is no such portfolio.')

/** Whether a portfolio of the Workspace holds itself, by a walk over all holdings. */
async function hasCycle(): Promise<boolean> {
  const rows = await world.service.sql<{ portfolio_id: string; subject_id: string }>(
    `select portfolio_id, subject_id from portfolio_holdings where workspace_id = $1 and subject_type = 'portfolio'`,
    [world.workspace_id],
  )
  const below = Map.groupBy(rows, row => row.portfolio_id)
  const reaches = (from: string, wanted: string, seen: Set<string>): boolean =>
    (below.get(from) ?? []).some(({ subject_id }) => {
      if (subject_id === wanted) return true
      if (seen.has(subject_id)) return false
      seen.add(subject_id)
      return reaches(subject_id, wanted, seen)
    })
  return [...below.keys()].some(id => reaches(id, id, new Set()))
}

describe('portfolios that hold portfolios', () => {
  for (const length of [1, 2, 3, 10])
    it(`cannot hold each other in a circle of ${length}`, async () => {
      const ids = await world.chain(length)
      const closing = world.holdPortfolio(idAt(ids, -1), idAt(ids, 0))
      const { detail } = await refused(closing, 'unprocessable_content')
      assert.match(detail, /cannot hold itself/)
      assert.equal(await hasCycle(), false)
      const { data } = await world.client('member').getPortfolio({ portfolio_id: idAt(ids, -1) })
      assert.deepEqual([data.revision, data.holding_count], [1, 0])
    })

  it('cannot hold each other in a circle through a holding whose valuation is named', async () => {
    const [outer, inner] = [await world.portfolio(), await world.portfolio()]
    await world.hold(outer, 'a', {
      subject: { type: 'business' },
      ownership_percent: '100',
      valuation_id: (await world.completed()).valuation_id,
    })
    const { valuation_id } = await valuationOf(outer)
    const subject = { type: 'portfolio' as const, id: outer }
    await world.hold(inner, 'a', { subject, ownership_percent: '10', valuation_id })
    await refused(world.holdPortfolio(outer, inner), 'unprocessable_content')
  })

  it('may be held by several, so that the ways meet again', async () => {
    const [top, left, right, bottom] = [
      await world.portfolio(),
      await world.portfolio(),
      await world.portfolio(),
      await world.portfolio(),
    ]
    for (const side of [left, right]) {
      await world.holdPortfolio(top, side)
      await world.holdPortfolio(side, bottom)
    }
    await refused(world.holdPortfolio(bottom, top), 'unprocessable_content')
  })

  it('hold each other on at most ten levels, whether the chain grows above or below', async () => {
    const [upper, lower] = [await world.chain(5), await world.chain(6)]
    const tooLong = world.holdPortfolio(idAt(upper, -1), idAt(lower, 0))
    assert.match((await refused(tooLong, 'unprocessable_content')).detail, /at most 10 levels/)
    await world.holdPortfolio(idAt(upper, -1), idAt(lower, 1))
    await refused(world.holdPortfolio(await world.portfolio(), idAt(upper, 0)), 'unprocessable_content')
    await refused(world.holdPortfolio(idAt(lower, -1), await world.portfolio()), 'unprocessable_content')
    await world.hold(idAt(upper, -1), idAt(lower, 1).toLowerCase(), null)
    await world.holdPortfolio(await world.portfolio(), idAt(upper, 0))
  })

  it('close no circle when sixteen changes at once would close one together', async () => {
    for (const size of [2, 3, 16]) {
      const ids: PortfolioId[] = []
      for (let i = 0; i < size; i++) ids.push(await world.portfolio())
      const answers = await Promise.allSettled(
        Array.from({ length: 16 }, (_, i) =>
          world.holdPortfolio(idAt(ids, i % size), idAt(ids, (i + 1) % size)),
        ),
      )
      const refusals = answers.flatMap(one => (one.status === 'rejected' ? [one.reason as unknown] : []))
      assert.ok(refusals.length > 0 && refusals.length < 16, `${refusals.length} of 16 were refused`)
      for (const reason of refusals) await refused(Promise.reject(reason as Error), 'unprocessable_content')
      assert.equal(await hasCycle(), false)
    }
  })

  it('are walked in bounded time where every portfolio of a level holds all of the next', async () => {
    const levels: PortfolioId[][] = []
    for (let level = 0; level < 10; level++) {
      const made: PortfolioId[] = []
      for (let i = 0; i < 4; i++) made.push(await world.portfolio())
      levels.push(made)
    }
    for (const [at, held] of levels.slice(1).entries())
      for (const holder of levels[at] ?? []) for (const one of held) await world.holdPortfolio(holder, one)
    // 4^10 ways lead from the first level to the last one.
    const [first] = levels[0] ?? []
    const [last] = levels.at(-1) ?? []
    assert.ok(first && last)
    const before = performance.now()
    await refused(world.holdPortfolio(last, first), 'unprocessable_content')
    assert.ok(performance.now() - before < 20_000)
  })
})

const valuationOf = async (portfolio_id: PortfolioId) =>
  (
    await world.client('member').createValuation({
      subject: { type: 'portfolio', id: portfolio_id },
      engagement_type: 'indicative',
      purpose: 'planning',
      standard_of_value: 'fair_market_value',
      premise_of_value: 'going_concern',
      level_of_value: 'control_nonmarketable',
      interest: { percent: '100', kind: 'equity' },
      valuation_date: '2026-06-30',
      currency: 'USD',
      inputs: {},
      run: true,
    })
  ).data
