import type { ValuationDocument } from '@wbs/contract/valuations/document'
import { defaultBenchmarkSet } from '../../../src/valuations/benchmark-sets/default-benchmark-set.ts'
import { valueDocument } from '../../../src/valuations/engine/value-document.ts'
import { reportOf } from '../../../src/valuations/report/report.ts'
import type {
  ReportEvidence,
  ReportSignature,
  ReportSubject,
} from '../../../src/valuations/report/subject.ts'

const returns = '0d3c6a52-7b1e-4f8e-9c55-2f6f0f6f3a01'

const yearOf = (key: string, revenue: string, net_income: string) => ({
  key,
  start: `${key}-01-01`,
  end: `${key}-12-31`,
  basis: 'tax_return' as const,
  evidence_id: returns,
  income: {
    revenue,
    cost_of_sales: '310000',
    operating_expenses: '270000',
    owner_compensation: '80000',
    depreciation: '20000',
    interest_expense: '10000',
    taxes: '0',
    net_income,
    tax_rate: '0.21',
    capital_expenditure: '15000',
    change_in_working_capital: '5000',
  },
})

/** A minority interest in a bakery, by two methods and a check. The net income of 2025 does not add up. */
export const document: ValuationDocument = {
  subject: { type: 'business', name: 'Corner Bakery' },
  engagement_type: 'calculation',
  purpose: 'sale',
  standard_of_value: 'fair_market_value',
  premise_of_value: 'going_concern',
  level_of_value: 'minority_nonmarketable',
  interest: { percent: '40', kind: 'equity' },
  valuation_date: '2026-06-30',
  currency: 'USD',
  inputs: {
    periods: [
      yearOf('2023', '730000', '40000'),
      yearOf('2024', '765000', '75000'),
      {
        ...yearOf('2025', '800000', '90000'),
        basis: 'reviewed',
        evidence_id: null,
        balance: {
          cash: '42000',
          inventory: '18000',
          fixed_assets: '130000',
          total_assets: '190000',
          interest_bearing_debt: '60000',
          equity: '130000',
        },
      },
    ],
    adjustments: [
      {
        key: 'a1',
        period: '2025',
        line: 'owner_compensation',
        kind: 'owner_compensation',
        amount: '80000',
        owner: 'Ann',
        replacement_cost: '60000',
        note: 'Form W-2 of 2025.',
      },
      {
        key: 'a2',
        period: '2025',
        line: 'operating_expenses',
        kind: 'non_recurring',
        amount: '12000',
        note: 'Repair after the flood.',
        evidence_id: returns,
      },
    ],
    cost_of_capital: {
      equity: {
        model: 'build_up',
        risk_free: '0.035',
        equity_risk_premium: '0.055',
        size_premium: '0.0522',
        company_specific: '0.05',
      },
    },
    bridge: { cash: '42000', interest_bearing_debt: '60000', shares: '100' },
    discounts: {
      dloc: { control_premium: '0.25', source: 'Control premium study', as_of: '2025-01-31' },
      dlom: { model: 'finnerty', volatility: '0.6', years: '2' },
    },
    events: [
      { on: '2026-03-01', text: 'A second shop was leased.' },
      { on: '2026-08-15', text: 'The largest customer gave notice.' },
    ],
  },
  methods: [
    { method: 'sde_multiple', multiple: '2.51', source: 'Broker survey', as_of: '2025-12-31' },
    {
      method: 'capitalized_cash_flow',
      cash_flow: '95000',
      cash_flow_is: 'next_year',
      discount_rate: { from: 'cost_of_equity' },
      growth: '0.03',
    },
    {
      method: 'excess_earnings',
      earnings: '100000',
      net_tangible_assets: '130000',
      tangible_return: '0.1',
      intangible_rate: '0.2',
    },
  ],
  weights: { sde_multiple: '0.6', capitalized_cash_flow: '0.4' },
}

const evidence: readonly ReportEvidence[] = [
  {
    evidence_id: returns,
    code: 'returns',
    file_id: 'fil_01JD0000000000000000000000',
    sha256: 'c'.repeat(64),
    pointer: '/inputs/periods/0',
    dated_on: '2025-04-15',
    known_or_knowable: false,
    note: 'Page 3 has the totals.',
  },
]

export const signature: ReportSignature = {
  signed_by: { name: 'Olivia Owner' },
  signed_at: '2026-11-24T09:30:00.000Z',
  statement: 'I have no interest in the subject.\nMy fee does not depend on the value.',
  qualifications: 'Accredited Senior Appraiser since 2012.',
  result_hash: 'b'.repeat(64),
}

/** A completed valuation of a document. */
export function valued(given: ValuationDocument, about: Partial<ReportSubject> = {}): ReportSubject {
  const name = given.subject.name ?? 'The business'
  const resolved = {
    name,
    naics_code: '311811',
    benchmark_set: defaultBenchmarkSet,
    evidence: evidence.map(one => ({ ...one, code: 'returns' as const })),
    holdings: [],
  }
  return {
    valuation_id: `val_${'0'.repeat(31)}1`,
    name,
    document: given,
    ...valueDocument(given, resolved, { seed: 1 }),
    evidence,
    signature: null,
    completed_at: '2026-11-23T07:00:00.000Z',
    superseded_by_id: null,
    ...about,
  }
}

export const subject = valued(document)
export const report = reportOf(subject)

/** The blocks of a section of a report. */
export function blocksOf(of: typeof report, code: string) {
  const section = of.sections.find(one => one.code === code)
  if (!section) throw new Error(`The report has no section ${code}.`)
  return section.blocks
}
