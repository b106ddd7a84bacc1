import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import fc from 'fast-check'
import { decimal, type Decimal } from '../../../../src/valuations/engine/decimal.ts'
import { capitalizedCashFlow } from '../../../../src/valuations/engine/methods/capitalized-cash-flow.ts'
import { discountedCashFlow } from '../../../../src/valuations/engine/methods/discounted-cash-flow.ts'
import { computedBy } from './computed-by.ts'

interface Flows {
  flows: string[]
  rate: string
  growth: string
  mid_year?: boolean
}

const capitalized = (cash_flow: string, rate: string, growth: string, base = false): Decimal =>
  computedBy(capitalizedCashFlow, {
    method: 'capitalized_cash_flow',
    cash_flow,
    cash_flow_is: base ? 'base_year' : 'next_year',
    discount_rate: rate,
    growth,
  }).value()

const discountedBy = ({ flows, rate, growth, mid_year = false }: Flows) =>
  computedBy(discountedCashFlow, {
    method: 'discounted_cash_flow',
    cash_flows: flows,
    discount_rate: rate,
    mid_year,
    terminal: { kind: 'gordon', growth },
  })
const discounted = (flows: Flows): Decimal => discountedBy(flows).value()

const sold = (cash_flows: string[], rate: string, multiple: string, mid_year = false): Decimal =>
  computedBy(discountedCashFlow, {
    method: 'discounted_cash_flow',
    cash_flows,
    discount_rate: rate,
    mid_year,
    terminal: { kind: 'exit_multiple', metric_amount: cash_flows.at(-1) ?? '0', multiple },
  }).value()

const inThousandths = (min: number, max: number) =>
  fc.integer({ min, max }).map(n => decimal(String(n)).dividedBy(1000).toFixed())
const amount = fc
  .integer({ min: 1, max: 10 ** 9 })
  .map(cents => decimal(String(cents)).dividedBy(100).toFixed())
const amounts = fc.array(amount, { minLength: 1, maxLength: 8 })
/** From 6 to 50 percent, above every growth. */
const rate = inThousandths(60, 500)
const growth = inThousandths(-50, 50)
const plus = (text: string, more: string) => decimal(text).plus(more).toFixed()
const same = (one: Decimal, other: Decimal) =>
  assert.ok(
    one.dividedBy(other).minus(1).abs().lessThan('1e-28'),
    `${one.toFixed()} is not ${other.toFixed()}`,
  )

describe('the income methods', () => {
  it('fall with the discount rate', () => {
    fc.assert(
      fc.property(amounts, rate, growth, (flows, k, g) => {
        const more = plus(k, '0.001')
        assert.ok(capitalized(flows[0] ?? '', more, g).lessThan(capitalized(flows[0] ?? '', k, g)))
        const at = { flows, rate: k, growth: g }
        assert.ok(discounted({ ...at, rate: more }).lessThan(discounted(at)))
        assert.ok(sold(flows, more, '5').lessThan(sold(flows, k, '5')))
      }),
    )
  })

  it('rise with growth', () => {
    fc.assert(
      fc.property(amounts, rate, growth, (flows, k, g) => {
        const more = plus(g, '0.001')
        assert.ok(capitalized(flows[0] ?? '', k, more).greaterThan(capitalized(flows[0] ?? '', k, g)))
        assert.ok(
          capitalized(flows[0] ?? '', k, more, true).greaterThan(capitalized(flows[0] ?? '', k, g, true)),
        )
        const at = { flows, rate: k, growth: g }
        assert.ok(discounted({ ...at, growth: more }).greaterThan(discounted(at)))
      }),
    )
  })

  it('rise with the exit multiple and with each cash flow', () => {
    fc.assert(
      fc.property(amounts, rate, inThousandths(100, 9000), fc.nat(7), (flows, k, multiple, which) => {
        assert.ok(sold(flows, k, plus(multiple, '0.1')).greaterThan(sold(flows, k, multiple)))
        const at = { flows, rate: k, growth: '0.02' }
        const raised = flows.map((flow, year) => (year === which % flows.length ? plus(flow, '1') : flow))
        assert.ok(discounted({ ...at, flows: raised }).greaterThan(discounted(at)))
      }),
    )
  })

  it('are proportional to the cash flows', () => {
    fc.assert(
      fc.property(amounts, rate, growth, fc.integer({ min: 2, max: 1000 }), (flows, k, g, scale) => {
        const scaled = flows.map(flow => decimal(flow).times(scale).toFixed())
        const [one, other] = [flows[0] ?? '', scaled[0] ?? '']
        same(capitalized(other, k, g), capitalized(one, k, g).times(scale))
        same(
          discounted({ flows: scaled, rate: k, growth: g, mid_year: true }),
          discounted({ flows, rate: k, growth: g, mid_year: true }).times(scale),
        )
      }),
    )
  })

  it('add up: two streams of cash flows are worth what each is worth', () => {
    const pairs = fc.array(fc.tuple(amount, amount), { minLength: 1, maxLength: 8 })
    fc.assert(
      fc.property(pairs, rate, growth, fc.boolean(), (years, k, g, mid_year) => {
        const at = (flows: string[]) => discounted({ flows, rate: k, growth: g, mid_year })
        const [first, second] = [years.map(([one]) => one), years.map(([, other]) => other)]
        same(at(years.map(([one, other]) => plus(one, other))), at(first).plus(at(second)))
      }),
    )
  })

  it('agree: a discounted cash flow that always grows is a capitalized one', () => {
    fc.assert(
      fc.property(amount, fc.integer({ min: 1, max: 12 }), rate, growth, (first, years, k, g) => {
        const factor = decimal(g).plus(1)
        const flows = Array.from({ length: years }, (_, year) =>
          decimal(first).times(factor.pow(year)).toFixed(),
        )
        same(discounted({ flows, rate: k, growth: g }), capitalized(first, k, g))
      }),
    )
  })

  it('agree at half a year too: the middle of the year is worth the root of one year more', () => {
    fc.assert(
      fc.property(amounts, rate, growth, (flows, k, g) => {
        const at = { flows, rate: k, growth: g }
        const mid = discounted({ ...at, mid_year: true })
        same(mid, discounted(at).times(decimal(k).plus(1).sqrt()))
        assert.ok(mid.greaterThan(discounted(at)))
        assert.ok(sold(flows, k, '4', true).greaterThan(sold(flows, k, '4')))
      }),
    )
  })

  it('split: the terminal value is the discounted cash flow of the years after', () => {
    fc.assert(
      fc.property(amounts, rate, growth, (flows, k, g) => {
        const whole = discountedBy({ flows, rate: k, growth: g })
        const oneMore = decimal(flows.at(-1) ?? '')
          .times(decimal(g).plus(1))
          .toFixed()
        same(whole.value(), discounted({ flows: [...flows, oneMore], rate: k, growth: g }))
        same(
          whole.value(),
          whole
            .figure('discounted_cash_flow.explicit')
            .plus(whole.figure('discounted_cash_flow.terminal.present_value')),
        )
      }),
    )
  })

  it('have no value without end within the spreads of their drivers', () => {
    fc.assert(
      fc.property(inThousandths(1, 500), fc.integer({ min: 1, max: 999 }), (k, below) => {
        const g = decimal(k)
          .minus(decimal(String(below)).dividedBy(10000))
          .toFixed()
        const { spread } = computedBy(capitalizedCashFlow, {
          method: 'capitalized_cash_flow',
          cash_flow: '1',
          cash_flow_is: 'next_year',
          discount_rate: k,
          growth: g,
        })
        const [lowRate, highRate] = spread('capitalized_cash_flow.discount_rate') ?? []
        const [lowGrowth, highGrowth] = spread('capitalized_cash_flow.growth') ?? []
        assert.ok(decimal(String(lowRate)).greaterThan(String(highGrowth)))
        assert.ok(decimal(String(lowRate)).lessThan(k) && decimal(String(highRate)).greaterThan(k))
        assert.ok(decimal(String(lowGrowth)).lessThan(g) && decimal(String(highGrowth)).greaterThan(g))
      }),
    )
  })
})
