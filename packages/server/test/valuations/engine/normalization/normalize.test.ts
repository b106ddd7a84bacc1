import assert from 'node:assert/strict'
import { test } from 'node:test'
import { normalize } from '../../../../src/valuations/engine/normalization/normalize.ts'
import { exactText } from '../../../../src/valuations/engine/decimal.ts'
import { type Adjustment, bakery, contextOf, payOfAnn, type Period, year2025, yearOf } from '../bakery.ts'

const figures = (inputs: Parameters<typeof bakery>[0] = {}) => {
  const { earnings } = normalize(contextOf(bakery(inputs)))
  const [first] = earnings
  return {
    revenue: first?.revenue?.amount,
    sde: first?.sde?.amount,
    ebitda: first?.ebitda?.amount,
    ebit: first?.ebit?.amount,
    net_cash_flow: first?.net_cash_flow?.amount,
    is_stated: first?.is_stated,
  }
}
const withIncome = (income: Period['income'], adjustments: Adjustment[] = []) =>
  figures({ inputs: { periods: [yearOf('2025', income)], adjustments } })
const adjustment = (key: string, change: Partial<Adjustment>): Adjustment => ({
  key,
  period: '2025',
  line: 'operating_expenses',
  kind: 'non_recurring',
  amount: '10000',
  ...change,
})

test('The pay of the owner is added back once, though the line and an adjustment name it', () => {
  assert.deepEqual(figures(), {
    revenue: '800000.00',
    sde: '200000.00',
    ebitda: '200000.00',
    ebit: '180000.00',
    net_cash_flow: undefined,
    is_stated: false,
  })
})

test('Without an adjustment SDE adds back the line, says so, and EBITDA keeps the pay as a cost', () => {
  const { sde, ebitda, ebit } = withIncome(year2025.income)
  assert.deepEqual({ sde, ebitda, ebit }, { sde: '200000.00', ebitda: '120000.00', ebit: '100000.00' })
  const { periods } = normalize(contextOf(bakery({ inputs: { adjustments: [] } })))
  assert.deepEqual(periods[0]?.assumptions.sde, [
    'The owner compensation of 2025 is the pay of one owner; no adjustment says otherwise.',
  ])
})

test('SDE adds back only what adjustments of the line of owner pay say, and says so', () => {
  const pay = adjustment('spouse', { line: 'owner_compensation', kind: 'related_party', amount: '30000' })
  const [period] = normalize(contextOf(bakery({ inputs: { adjustments: [pay] } }))).periods
  assert.equal(exactText(period!.sde!.value), '150000')
  assert.deepEqual(period!.assumptions.sde, [
    'Of the owner compensation of 2025, SDE adds back only what the adjustments of that line say.',
  ])
  const [ofAnn] = normalize(contextOf(bakery())).periods
  assert.equal(ofAnn!.assumptions.sde, undefined)
})

test('Net cash flow of a loss says that the loss saves taxes', () => {
  const assumed = (ebit: string, tax_rate = '0.25') => {
    const periods = [yearOf('2025', { ebit, tax_rate, depreciation: '50000' })]
    const [period] = normalize(contextOf(bakery({ inputs: { periods, adjustments: [] } }))).periods
    return [exactText(period!.net_cash_flow!.value), period!.assumptions.net_cash_flow?.join() ?? '']
  }
  const saves = /The loss of 2025 before interest and taxes saves taxes/
  const [flow, said] = assumed('-20000')
  assert.equal(flow, '35000')
  assert.match(said ?? '', saves)
  assert.doesNotMatch(assumed('20000')[1] ?? '', saves)
  assert.doesNotMatch(assumed('-20000', '0')[1] ?? '', saves)
})

test('EBITDA keeps the market pay for the work of the owner, and SDE does not', () => {
  const { sde, ebitda } = withIncome(year2025.income, [{ ...payOfAnn, replacement_cost: '60000' }])
  assert.deepEqual({ sde, ebitda }, { sde: '200000.00', ebitda: '140000.00' })
})

test('EBITDA takes the pay of the owner as market pay if there is no replacement cost', () => {
  const { replacement_cost: _, ...pay } = payOfAnn
  const context = contextOf(bakery({ inputs: { adjustments: [pay] } }))
  const [period] = normalize(context).periods
  assert.equal(exactText(period!.ebitda!.value), '120000')
  assert.match(period!.assumptions.ebitda?.join() ?? '', /a1 gives no replacement cost/)
})

test('The published example SDE-01 comes out: profit, an add-back and one salary', () => {
  const { sde } = withIncome({ net_income: '100000' }, [
    adjustment('a1', { amount: '50000', kind: 'discretionary' }),
    { ...payOfAnn, key: 'a2', amount: '50000' },
  ])
  assert.equal(sde, '200000.00')
})

test('The published example RECAST-01 comes out: the salary of a new owner stays a cost of EBITDA', () => {
  const { ebitda } = withIncome({ net_income: '50' }, [
    { ...payOfAnn, amount: '70', replacement_cost: '60' },
    adjustment('a2', { amount: '30', kind: 'discretionary' }),
  ])
  assert.equal(ebitda, '90.00')
})

test('SDE of a period in which two owners are paid is not given, and EBITDA is', () => {
  const { sde, ebitda } = withIncome(year2025.income, [
    { ...payOfAnn, amount: '40000' },
    { ...payOfAnn, key: 'a2', owner: 'Bob', amount: '40000' },
  ])
  assert.deepEqual({ sde, ebitda }, { sde: undefined, ebitda: '200000.00' })
})

test('Salary and benefits of the same owner are both added back, however the name is written', () => {
  const { sde } = withIncome(year2025.income, [
    payOfAnn,
    { ...payOfAnn, key: 'a2', owner: ' ANN ', line: 'operating_expenses', amount: '5000' },
  ])
  assert.equal(sde, '205000.00')
})

test('An adjustment adds to earnings; one of revenue also changes revenue', () => {
  const change = adjustment('a2', { line: 'revenue', amount: '-30000' })
  const { revenue, sde } = withIncome(year2025.income, [payOfAnn, change])
  assert.deepEqual({ revenue, sde }, { revenue: '770000.00', sde: '170000.00' })
})

test('An adjustment of depreciation changes EBIT alone, and one of interest changes nothing', () => {
  const { sde, ebitda, ebit } = withIncome(year2025.income, [
    payOfAnn,
    adjustment('a2', { line: 'depreciation', kind: 'accounting' }),
    adjustment('a3', { line: 'interest_expense', kind: 'non_operating' }),
  ])
  assert.deepEqual({ sde, ebitda, ebit }, { sde: '200000.00', ebitda: '200000.00', ebit: '190000.00' })
})

test('Net cash flow is after taxes, capital expenditure and the growth of working capital', () => {
  const income = {
    ...year2025.income,
    tax_rate: '0.25',
    capital_expenditure: '15000',
    change_in_working_capital: '5000',
  }
  // 180000 × 0.75 + 20000 − 15000 − 5000
  assert.equal(withIncome(income, [payOfAnn]).net_cash_flow, '135000.00')
})

test('Capital expenditure and working capital that are not given count as 0, which is an assumption', () => {
  const context = contextOf(bakery({ inputs: { periods: [yearOf('2025', { ebit: '100', tax_rate: '0' })] } }))
  const [period] = normalize(context).periods
  assert.deepEqual(period?.assumptions.net_cash_flow, [
    'Capital expenditure of 2025 is not given and counts as 0.',
    'Change in working capital of 2025 is not given and counts as 0.',
  ])
})

test('Capital expenditure below 0 raises the net cash flow, which is an assumption', () => {
  const income = { ebit: '100', tax_rate: '0', capital_expenditure: '-15', change_in_working_capital: '0' }
  const [period] = normalize(
    contextOf(bakery({ inputs: { periods: [yearOf('2025', income)], adjustments: [] } })),
  ).periods
  assert.equal(exactText(period!.net_cash_flow!.value), '115')
  assert.deepEqual(period?.assumptions.net_cash_flow, [
    'Capital expenditure of 2025 is below 0, so it counts as money that came in.',
  ])
})

test('Other income that no adjustment takes off stays in the earnings, which is an assumption', () => {
  const toldBy = (income: Parameters<typeof yearOf>[1], line?: 'other_income' | 'revenue') => {
    const adjustments = line
      ? [{ key: 'a', period: '2025', line, kind: 'non_operating' as const, amount: '-2' }]
      : []
    const document = bakery({ inputs: { periods: [yearOf('2025', income)], adjustments } })
    const [period] = normalize(contextOf(document)).periods
    const { sde = [], ebitda = [], net_cash_flow = [] } = period!.assumptions
    return [sde, ebitda, net_cash_flow].map(
      told => told.filter(text => text.startsWith('Other income')).length,
    )
  }
  const income = { revenue: '100', net_income: '20', other_income: '2', tax_rate: '0.2' }
  assert.deepEqual(toldBy(income), [1, 1, 1])
  assert.deepEqual(toldBy(income, 'revenue'), [1, 1, 1])
  assert.deepEqual(toldBy(income, 'other_income'), [0, 0, 0])
  assert.deepEqual(toldBy({ ...income, other_income: '0' }), [0, 0, 0])
  assert.deepEqual(toldBy({ ...income, ebit: '20' }), [0, 0, 0])
})

test('EBIT that is given stands for net income, interest and taxes', () => {
  const { ebit, ebitda } = withIncome({ ebit: '100', depreciation: '10' })
  assert.deepEqual({ ebit, ebitda }, { ebit: '100.00', ebitda: '110.00' })
})

test('Statements without earnings give revenue alone', () => {
  assert.deepEqual(withIncome({ revenue: '500' }), {
    revenue: '500.00',
    sde: undefined,
    ebitda: undefined,
    ebit: undefined,
    net_cash_flow: undefined,
    is_stated: false,
  })
})

test('Periods come oldest first, with each adjustment and the line after it', () => {
  const { earnings, normalisation } = normalize(
    contextOf(
      bakery({
        inputs: {
          periods: [year2025, yearOf('2023'), yearOf('2024')],
          adjustments: [
            payOfAnn,
            adjustment('a2', { period: '2024', evidence_id: '0190e3c8-0000-7000-8000-000000000001' }),
            adjustment('a3', { period: '2024', amount: '5000', note: 'Flood.' }),
          ],
        },
      }),
    ),
  )
  assert.deepEqual(
    earnings.map(({ period }) => period),
    ['2023', '2024', '2025'],
  )
  const shown = normalisation.map(({ key, reported, adjustment: added, adjusted, note }) => [
    key,
    reported?.amount,
    added.amount,
    adjusted?.amount,
    note,
  ])
  assert.deepEqual(shown, [
    ['a2', '280000.00', '10000.00', '270000.00', null],
    ['a3', '280000.00', '5000.00', '265000.00', 'Flood.'],
    ['a1', '80000.00', '80000.00', '0.00', null],
  ])
})

test('Adjustments that take more from a line than it has are reported', () => {
  const more = adjustment('a2', { line: 'owner_compensation', kind: 'discretionary', amount: '5000' })
  const { checks } = normalize(contextOf(bakery({ inputs: { adjustments: [payOfAnn, more] } })))
  assert.deepEqual(checks, [
    {
      code: 'adjusted_line_is_negative',
      period: '2025',
      reported: '80000.00',
      computed: '-5000.00',
      difference: '85000.00',
    },
  ])
})
