import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { Unvaluable, type ResolvedHolding } from '../../../src/valuations/engine/engine.ts'
import { holdingTree, type HeldRow } from '../../../src/valuations/resolving/holding-tree.ts'

const rowOf = (about: Partial<HeldRow>): HeldRow => ({
  portfolio_id: 'top',
  level: 1,
  key: 'a',
  subject_type: 'business',
  subject_id: 'biz_1',
  ownership_percent: '60',
  discount_rate: null,
  discount_reason: null,
  valuation_id: 'val_1',
  valuation_date: '2026-06-30',
  point: { amount: '100.00', currency: 'USD' },
  name: 'Corner Bakery',
  ...about,
})
const valueless = { valuation_id: null, valuation_date: null, point: null }
const through = (portfolio_id: string, held: string, key = held): HeldRow =>
  rowOf({ ...valueless, portfolio_id, key, subject_type: 'portfolio', subject_id: held, name: held })

const run = { use: 'run', valuation_date: '2026-06-30' } as const
const draft = { ...run, use: 'draft' } as const

const leaves = (tree: readonly ResolvedHolding[]): number =>
  tree.reduce((sum, { holds }) => sum + ('portfolio' in holds ? leaves(holds.portfolio) : 1), 0)

describe('the tree of holdings', () => {
  it('has the value of each holding, with its discount, and looks through portfolios', () => {
    const rows = [
      rowOf({ discount_rate: '0.1', discount_reason: 'Few buyers.' }),
      through('top', 'fund'),
      rowOf({ portfolio_id: 'fund', key: 'b', level: 2, name: null, subject_type: 'asset' }),
    ]
    assert.deepEqual(holdingTree(rows, 'top', run), [
      {
        key: 'a',
        subject_type: 'business',
        name: 'Corner Bakery',
        ownership_percent: '60',
        discount: { rate: '0.1', reason: 'Few buyers.' },
        holds: {
          value: { amount: '100.00', currency: 'USD' },
          valuation_id: 'val_1',
          valuation_date: '2026-06-30',
        },
      },
      {
        key: 'fund',
        subject_type: 'portfolio',
        name: 'fund',
        ownership_percent: '60',
        discount: null,
        holds: {
          portfolio: [
            {
              key: 'b',
              subject_type: 'asset',
              name: 'b',
              ownership_percent: '60',
              discount: null,
              holds: {
                value: { amount: '100.00', currency: 'USD' },
                valuation_id: 'val_1',
                valuation_date: '2026-06-30',
              },
            },
          ],
        },
      },
    ])
  })

  it('takes the value of a portfolio whose valuation is named, rather than what it holds', () => {
    const rows = [
      rowOf({ subject_type: 'portfolio', subject_id: 'fund' }),
      rowOf({ portfolio_id: 'fund', key: 'b' }),
    ]
    const [held] = holdingTree(rows, 'top', run)
    assert.ok(held && 'value' in held.holds)
  })

  it('is refused for a run if a holding has no value, with the way to it; a draft leaves it out', () => {
    const rows = [
      through('top', 'fund'),
      rowOf({ portfolio_id: 'fund', key: 'b', level: 2, ...valueless }),
      rowOf({ portfolio_id: 'fund', key: 'c', level: 2 }),
    ]
    assert.throws(
      () => holdingTree(rows, 'top', run),
      (error: Error) => {
        assert.ok(error instanceof Unvaluable)
        assert.match(error.message, /The holding fund\/b has no value.*2026-06-30/)
        return true
      },
    )
    assert.equal(leaves(holdingTree(rows, 'top', draft)), 1)
  })

  it('is refused where it has more than 1,000 holdings, each counted as often as it is held', () => {
    const many = (portfolio_id: string, count: number) =>
      Array.from({ length: count }, (_, i) => rowOf({ portfolio_id, key: `k${i}` }))
    const twice = [through('top', 'fund', 'x'), through('top', 'fund', 'y')]
    assert.equal(leaves(holdingTree([...twice, ...many('fund', 499)], 'top', run)), 998)
    assert.throws(() => holdingTree([...twice, ...many('fund', 500)], 'top', run), Unvaluable)
    assert.throws(() => holdingTree(many('top', 1001), 'top', run), Unvaluable)
    assert.deepEqual(holdingTree(many('top', 1001), 'top', draft), [])
    const deep = [through('top', 'fund'), rowOf({ portfolio_id: 'fund', level: 11 })]
    assert.throws(() => holdingTree(deep, 'top', run), Unvaluable)
  })

  it('grows as the ways to each holding multiply, and not with the time to build it', () => {
    fc.assert(
      fc.property(fc.integer({ min: 1, max: 9 }), fc.integer({ min: 1, max: 40 }), (levels, width) => {
        const names = Array.from({ length: levels }, (_, i) => (i === 0 ? 'top' : `p${i}`))
        const rows = names.flatMap((name, at) =>
          Array.from({ length: width }, (_, i) =>
            at === levels - 1
              ? rowOf({ portfolio_id: name, key: `k${i}`, level: at + 1 })
              : { ...through(name, names[at + 1] ?? '', `k${i}`), level: at + 1 },
          ),
        )
        let size = 0
        for (let level = 0; level < levels; level++) size = width + width * size
        if (rows.length > 1000 || size > 1000) assert.throws(() => holdingTree(rows, 'top', run), Unvaluable)
        else assert.equal(leaves(holdingTree(rows, 'top', run)), width ** levels)
      }),
    )
  })
})
