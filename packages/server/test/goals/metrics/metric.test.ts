import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changedFields, type DescribedGoal } from '../../../src/goals/goal.ts'
import { metricErrors, metricSet, type GivenMetric } from '../../../src/goals/metrics/metric.ts'

const [first, later] = [new Date('2026-01-01T00:00:00Z'), new Date('2026-02-01T00:00:00Z')]
const manual = (rest: Partial<GivenMetric> = {}): GivenMetric => ({
  name: 'Letters',
  target: '3',
  source: { type: 'manual' },
  ...rest,
})
const counted = (id: string, rest: Partial<GivenMetric> = {}) =>
  manual({ source: { type: 'list_count', id }, ...rest })
const goal = (metric: DescribedGoal['metric']): DescribedGoal => ({
  title: 'Close',
  description: null,
  business_id: null,
  accountable_user_id: null,
  due_at: null,
  metric,
})

describe('the metric that a request sets', () => {
  it('has the time at which its value was set, and keeps it as long as the value stays', () => {
    const set = metricSet(manual({ current: '1' }), null, first)
    assert.deepEqual([set.current, set.as_of], ['1', first.toISOString()])
    const moved = metricSet(manual({ current: '1', target: '4', start: '0' }), set, later)
    assert.equal(moved.as_of, first.toISOString())
    for (const given of [
      manual({ current: '2' }),
      manual({ current: '1.0' }),
      manual({ current: '1', name: 'Calls' }),
      manual({ current: '1', unit: 'calls' }),
    ])
      assert.equal(metricSet(given, set, later).as_of, later.toISOString(), JSON.stringify(given))
    assert.equal(metricSet(manual(), set, later).as_of, null)
  })

  it('is a change only if something differs', () => {
    const set = metricSet(manual({ current: '1', unit: null }), null, first)
    const same = metricSet(manual({ current: '1', source: { type: 'manual', id: null } }), set, later)
    assert.deepEqual(changedFields(goal(set), goal(same)), [])
    for (const other of [
      manual({ current: '2' }),
      manual({ current: '1', target: '3.0' }),
      counted('list_1'),
    ])
      assert.deepEqual(changedFields(goal(set), goal(metricSet(other, set, later))), ['metric'])
    assert.deepEqual(changedFields(goal(set), goal(null)), ['metric'])
  })

  it('of a valuation stores no value', () => {
    const valued = manual({ source: { type: 'valuation', id: 'val_1' } })
    const before = metricSet(manual({ current: '1' }), null, first)
    const { source, current, as_of } = metricSet(valued, before, later)
    assert.deepEqual([source, current, as_of], [{ type: 'valuation', id: 'val_1' }, null, null])
  })

  it('of a List stores no value', () => {
    const before = metricSet(manual({ current: '1' }), null, first)
    const { source, current, as_of } = metricSet(counted('list_1'), before, later)
    assert.deepEqual([source, current, as_of], [{ type: 'list_count', id: 'list_1' }, null, null])
  })
})

describe('a metric whose fields do not go together', () => {
  const wrong: [GivenMetric, [pointer: string, code: string][]][] = [
    [manual({ source: { type: 'manual', id: 'list_1' } }), [['/metric/source/id', 'conflict']]],
    [manual({ source: { type: 'list_count' } }), [['/metric/source/id', 'required']]],
    [
      manual({ source: { type: 'list_count', id: null }, current: '1' }),
      [
        ['/metric/source/id', 'required'],
        ['/metric/current', 'conflict'],
      ],
    ],
    [counted('list_1', { current: '1' }), [['/metric/current', 'conflict']]],
    [counted('list_1', { current: null }), []],
    [manual({ source: { type: 'valuation' } }), [['/metric/source/id', 'required']]],
    [manual({ source: { type: 'valuation', id: 'val_1' }, current: '1' }), [['/metric/current', 'conflict']]],
    [manual({ current: '1' }), []],
    [manual({ source: { type: 'manual', id: null }, current: null }), []],
  ]
  for (const [given, expected] of wrong)
    it(`${JSON.stringify(given)}: ${expected.length} errors`, () => {
      assert.deepEqual(
        metricErrors(given).map(one => [one.pointer, one.code]),
        expected,
      )
    })
})
