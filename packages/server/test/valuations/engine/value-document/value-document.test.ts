import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import { canonicalJson } from '@wbs/contract/json/canonical-json'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { components } from '@wbs/contract/schema'
import { Result } from '@wbs/contract/valuations/result'
import { Ajv2020 } from 'ajv/dist/2020.js'
import { calculationTree } from '../../../../src/valuations/engine/calculation/tree.ts'
import { Decimal } from '../../../../src/valuations/engine/decimal.ts'
import { InvalidDocument, Unvaluable } from '../../../../src/valuations/engine/engine.ts'
import { inputHash, judgeDocument, valueDocument } from '../../../../src/valuations/engine/value-document.ts'
import { assertFollows } from '../calculation/assert-follows.ts'
import { bakery, manyMethods, resolvedWith, yearOf } from '../documents.ts'

const resolved = resolvedWith()
const value = (document: ValuationDocument) => valueDocument(document, resolved)
const pointOf = (document: ValuationDocument) => value(document).result.conclusion.point.amount

/** The same value with the members of all objects in the opposite order. */
function shuffled<Value>(one: Value): Value {
  if (Array.isArray(one)) return one.map(shuffled) as Value
  if (typeof one !== 'object' || one === null) return one
  return Object.fromEntries(
    Object.entries(one)
      .toReversed()
      .map(([name, member]) => [name, shuffled(member)]),
  ) as Value
}

const withDcf = (
  cash_flows: string[],
  growth: string,
  bridge: ValuationDocument['inputs']['bridge'],
): ValuationDocument =>
  bakery({
    engagement_type: 'calculation',
    level_of_value: 'control_marketable',
    inputs: { periods: [yearOf(2025)], bridge: bridge ?? {} },
    methods: [
      {
        method: 'discounted_cash_flow',
        cash_flows,
        discount_rate: '0.1',
        terminal: { kind: 'gordon', growth },
      },
    ],
  })

test('a share of Widget Inc. is worth 61.70 (worked example DCF-01d)', () => {
  const document = withDcf(['22', '27', '32', '36', '38'], '0.05', {
    cash: '10',
    interest_bearing_debt: '3',
    shares: '10',
  })
  const { result, calculation } = value(document)
  const perShare = new Decimal(calculation.at(-1)?.value ?? 0).dividedBy(10)
  assert.ok(perShare.minus('61.703483').abs().lessThan('1e-6'), perShare.toFixed())
  assert.equal(result.conclusion.per_share?.amount, '61.70')
  assert.equal(result.conclusion.point.amount, '617.03')
})

test('the equity of TechGrowth is worth 166.09 after debt (worked example DCF-02e)', () => {
  const document = withDcf(['10', '12', '14', '16', '18'], '0.03', { interest_bearing_debt: '50' })
  const point = new Decimal(value(document).calculation.at(-1)?.value ?? 0)
  assert.ok(point.minus('166.086918').abs().lessThan('1e-6'), point.toFixed())
})

test('the sensitivity tells drivers of several methods apart, and leaves other labels as they are', () => {
  const labels = (methods: NonNullable<ValuationDocument['methods']>) =>
    value(
      bakery({ level_of_value: 'control_marketable', methods, weights: {} }),
    ).result.sensitivity.tornado.map(({ label }) => label)
  const capitalized = {
    method: 'capitalized_cash_flow' as const,
    cash_flow: '100',
    cash_flow_is: 'next_year' as const,
    discount_rate: '0.2',
    growth: '0.02',
  }
  const { methods: discounted } = withDcf(['100'], '0.03', {})
  const both = labels([capitalized, ...(discounted ?? [])])
  for (const label of ['Growth', 'Discount rate'])
    for (const method of ['Capitalized cash flow', 'Discounted cash flow'])
      assert.ok(both.includes(`${label} (${method})`), both.join())
  assert.equal(new Set(both).size, both.length)
  assert.ok(labels([capitalized]).includes('Growth'))
})

test('a value below 0 is concluded as it is, and an assumption says why', () => {
  const says = (debt: string) => {
    const { conclusion, assumptions } = value(
      withDcf(['10', '12', '14', '16', '18'], '0.03', { interest_bearing_debt: debt }),
    ).result
    return [conclusion.point.amount, assumptions.some(text => text.startsWith('The value is below 0'))]
  }
  assert.deepEqual(says('1000'), ['-783.91', true])
  assert.deepEqual(says('50'), ['166.09', false])
})

test('every figure of the tree follows from its inputs, and the root is the point', () => {
  for (const document of [bakery(), manyMethods()]) {
    const { result, calculation } = value(document)
    const tree = calculationTree(calculation)
    assertFollows(tree)
    assert.equal(tree.id, 'conclusion.point')
    assert.equal(new Decimal(tree.value).toFixed(2), result.conclusion.point.amount)
  }
})

test('the result has the form of the contract', () => {
  const ajv = new Ajv2020({ strict: false, validateSchema: false, formats: { date: true, uuid: true } })
  const validate = ajv.compile({
    ...Result,
    components: { schemas: Object.fromEntries(components) },
  })
  for (const document of [bakery(), manyMethods()]) {
    const { result } = value(document)
    assert.ok(validate(result), JSON.stringify(validate.errors))
    assert.deepEqual(JSON.parse(JSON.stringify(result)), result)
  }
})

test('the same document gives the same bytes, whatever the order of its keys', () => {
  const text = JSON.stringify(value(manyMethods()))
  assert.equal(JSON.stringify(value(manyMethods())), text)
  assert.equal(JSON.stringify(value(shuffled(manyMethods()))), text)
})

test('no number with a fraction is in a result', () => {
  const numbers = JSON.stringify(value(manyMethods())).match(/(?<=[:,[])-?\d+[.eE][\d+-]*/g)
  assert.equal(numbers, null)
})

test('the hash of the result is that of the result without it', () => {
  const { result } = value(manyMethods())
  const { result_hash, ...engine } = result.engine
  const bytes = canonicalJson({ ...result, engine }) ?? ''
  assert.equal(result_hash, createHash('sha256').update(bytes).digest('hex'))
})

test('the hash of the input leaves out run, the id of the subject and the Business, and nothing else', () => {
  const document = bakery()
  const hash = inputHash(document)
  const { subject, ...rest } = document
  const bytes = canonicalJson({ ...rest, subject: { type: subject.type, name: subject.name } }) ?? ''
  assert.equal(hash, createHash('sha256').update(bytes).digest('hex'))
  const same = {
    ...document,
    subject: { ...subject, id: 'biz_01JD0000000000000000000000' },
    business_id: 'biz_01JD0000000000000000000000',
    run: true,
  } as ValuationDocument
  assert.equal(inputHash(same), hash)
  assert.notEqual(inputHash(bakery({ valuation_date: '2026-06-29' })), hash)
})

test('without a seed the hash of the document gives one; another seed moves only the draws', () => {
  const { result } = value(manyMethods())
  assert.ok(Number.isSafeInteger(result.engine.seed))
  assert.deepEqual(valueDocument(manyMethods(), resolved, { seed: result.engine.seed }).result, result)
  const other = valueDocument(manyMethods(), resolved, { seed: 20260630 }).result
  assert.equal(other.engine.seed, 20260630)
  assert.deepEqual(other.conclusion.point, result.conclusion.point)
  assert.deepEqual(other.sensitivity.tornado, result.sensitivity.tornado)
  assert.notDeepEqual(other.sensitivity.monte_carlo, result.sensitivity.monte_carlo)
})

test('a value of a part per share is that of one share of all', () => {
  const bridge = { shares: '1000' }
  const part = bakery({
    interest: { percent: '30', kind: 'equity' },
    inputs: { periods: [yearOf(2025)], bridge },
  })
  assert.equal(value(part).result.conclusion.per_share?.amount, '500.00')
  for (const interest of [
    { percent: '0', kind: 'equity' },
    { percent: '100', kind: 'assets' },
  ] as const)
    assert.equal(value({ ...part, interest }).result.conclusion.per_share, null)
})

test('all three approaches are considered, and one without a method says why it is not used', () => {
  const { approaches } = value(bakery()).result
  assert.deepEqual(
    approaches.map(({ approach, considered, used }) => [approach, considered, used]),
    [
      ['income', true, false],
      ['market', true, true],
      ['asset', true, false],
    ],
  )
  assert.match(approaches[0]?.reason_rejected ?? '', /no method of this approach/)
})

test('only events after the valuation date are subsequent events', () => {
  const { subsequent_events } = value(manyMethods()).result
  assert.deepEqual(subsequent_events, [{ on: '2026-09-01', text: 'The largest customer gave notice.' }])
})

test('the result names eight factors, and says which it does not address', () => {
  const { factors_59_60 } = value(manyMethods()).result
  assert.deepEqual(
    factors_59_60.map(({ order }) => order),
    [1, 2, 3, 4, 5, 6, 7, 8],
  )
  assert.equal(factors_59_60[2]?.addressed, false)
  assert.equal(factors_59_60[3]?.addressed, true)
  // Prices of private deals are not those of traded stock.
  assert.equal(factors_59_60[7]?.addressed, false)
})

test('every figure that was given is in the sources, by its name or by the source that gave it; constants and weights are not', () => {
  const { result, calculation } = value(manyMethods())
  const named = new Set(result.sources.map(({ figure }) => figure))
  const origins = new Set(result.sources.map(({ source, as_of }) => `${source} ${as_of}`))
  const given = calculation.filter(
    ({ op, id, formula, source }) =>
      op === 'input' &&
      formula !== 'constant' &&
      formula !== 'time after the valuation date' &&
      !source?.startsWith('A constant') &&
      !id.startsWith('reconciliation.'),
  )
  assert.ok(given.length > 20)
  const missing = given.filter(
    ({ label, source, as_of }) => !named.has(label) && !origins.has(`${source} ${as_of ?? null}`),
  )
  assert.deepEqual(
    missing.map(({ id }) => id),
    [],
  )
  for (const figure of ['1', '2', 'Years', 'Weight of SDE multiple'])
    assert.equal(named.has(figure), false, figure)
  for (const figure of ['Growth', 'Net income of 2025', 'Volatility σ of the shares'])
    assert.equal(named.has(figure), true, figure)
})

test('losses give no conclusion, and the reason names the method', () => {
  const income = { revenue: '100', net_income: '-50' }
  const document = bakery({ inputs: { periods: [{ ...yearOf(2025), income }] } })
  assert.throws(
    () => value(document),
    (error: unknown) => error instanceof Unvaluable && /SDE multiple/.test(error.message),
  )
  assert.deepEqual(judgeDocument(document, resolved), [])
})

test('a draft without methods has no faults, and cannot be valued', () => {
  assert.deepEqual(judgeDocument(bakery({ methods: [] }), resolved), [])
  assert.throws(() => value(bakery({ methods: [] })), Unvaluable)
})

test('what only computing shows is a fault with its place', () => {
  const document = bakery({
    engagement_type: 'calculation',
    methods: [
      {
        method: 'capitalized_cash_flow',
        cash_flow: '100',
        cash_flow_is: 'next_year',
        discount_rate: { from: 'cost_of_equity' },
        growth: '0.2',
      },
    ],
    inputs: {
      periods: [yearOf(2025)],
      cost_of_capital: { equity: { model: 'build_up', risk_free: '0.04', equity_risk_premium: '0.05' } },
    },
  })
  const [fault] = judgeDocument(document, resolved)
  assert.equal(fault?.pointer.startsWith('/methods/0'), true)
  assert.throws(() => value(document), InvalidDocument)
})

test('a larger multiple gives a larger value, and an amount twice as large twice the value', () => {
  const at = (multiple: string, scale = 1) =>
    new Decimal(
      pointOf(
        bakery({
          inputs: { periods: [yearOf(2025, scale)] },
          methods: [{ method: 'sde_multiple', multiple, source: 'Survey', as_of: '2025-12-31' }],
        }),
      ),
    )
  assert.ok(at('2.6').greaterThan(at('2.5')))
  assert.equal(at('2.5', 2).toFixed(2), at('2.5').times(2).toFixed(2))
})
