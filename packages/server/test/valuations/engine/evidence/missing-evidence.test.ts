import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { EvidenceCode } from '@wbs/contract/valuations/evidence'
import type { EvidenceItem } from '../../../../src/valuations/engine/engine.ts'
import { evidenceFaults } from '../../../../src/valuations/engine/evidence/evidence-faults.ts'
import { missingEvidence } from '../../../../src/valuations/engine/evidence/missing-evidence.ts'
import { bakery, resolvedWith, payOfAnn, year2025, yearOf } from '../bakery.ts'

const evidenceOf = (code: EvidenceCode, change: Partial<EvidenceItem> = {}): EvidenceItem => ({
  evidence_id: '0190e3c8-0000-7000-8000-000000000001',
  code,
  dated_on: '2026-01-31',
  known_or_knowable: false,
  ...change,
})
type Change = Parameters<typeof bakery>[0]
const methods: ValuationDocument['methods'] = [{ method: 'sde_multiple', multiple: '2.5' }]

const missing = (change: Change, codes: readonly EvidenceCode[] = []) =>
  missingEvidence(
    bakery({ methods, ...change }),
    resolvedWith({ evidence: codes.map(code => evidenceOf(code)) }),
  ).map(({ code }) => code)

test('An indicative valuation needs one period, revenue and one figure of earnings', () => {
  assert.deepEqual(missing({}), [])
  assert.deepEqual(missing({ inputs: { periods: [] } }), ['periods', 'revenue', 'earnings'])
  assert.deepEqual(missing({ inputs: { periods: [yearOf('2025', { net_income: '1' })] } }), ['revenue'])
  assert.deepEqual(missing({ inputs: { periods: [yearOf('2025', { revenue: '1' })] } }), ['earnings'])
})

test('A stated figure is one of earnings for an indicative valuation, and not for a calculation', () => {
  const inputs = { periods: [{ ...yearOf('2025', { revenue: '1' }), stated: { sde: '1' } }] }
  assert.deepEqual(missing({ inputs }), [])
  assert.deepEqual(missing({ inputs, engagement_type: 'calculation' }), ['earnings'])
})

test('Methods that bring their own figures need no statements', () => {
  const inputs = { periods: [], adjustments: [] }
  const assets: ValuationDocument['methods'] = [
    { method: 'adjusted_net_assets', assets: [{ name: 'Oven', amount: '10' }] },
  ]
  assert.deepEqual(missing({ inputs, methods: assets }), [])
  const flow = {
    method: 'capitalized_cash_flow',
    cash_flow_is: 'next_year',
    discount_rate: '0.2',
    growth: '0',
  } as const
  assert.deepEqual(missing({ inputs, methods: [{ ...flow, cash_flow: '67' }] }), [])
  assert.deepEqual(missing({ inputs, methods: [{ ...flow, cash_flow: { from: 'net_cash_flow' } }] }), [
    'periods',
    'revenue',
    'earnings',
  ])
})

test('A valuation without methods needs the figures too, unless it is of a portfolio', () => {
  const inputs = { periods: [], adjustments: [] }
  assert.deepEqual(missing({ inputs, methods: [] }), ['periods', 'revenue', 'earnings'])
  const subject = { type: 'portfolio', id: 'pfl_01JD0000000000000000000000' } as const
  assert.deepEqual(missing({ inputs, subject, methods: [] }), [])
})

const years = [yearOf('2023'), yearOf('2024'), year2025]
const all: EvidenceCode[] = [
  'statements',
  'cap_table',
  'debt_schedule',
  'add_back_support',
  'comparables',
  'signatory',
]

test('An analyst and the formal purposes need three periods and the evidence of them', () => {
  const formal: Change[] = [
    { engagement_type: 'analyst' },
    ...(['gift_estate_tax', 'esop', 'litigation', 'financial_reporting'] as const).map(purpose => ({
      purpose,
    })),
  ]
  for (const change of formal) {
    assert.deepEqual(missing(change), ['periods', ...all])
    assert.deepEqual(missing({ ...change, inputs: { periods: years } }, all), [])
  }
})

test('Tax returns do instead of statements', () => {
  const change = { engagement_type: 'analyst', inputs: { periods: years } } as const
  assert.deepEqual(missing(change, ['returns', ...all.slice(1)]), [])
})

test('Support of adjustments and comparables are needed only if there are any', () => {
  const change: Change = {
    engagement_type: 'analyst',
    inputs: { periods: years, adjustments: [] },
    methods: [{ method: 'adjusted_net_assets', assets: [{ name: 'Oven', amount: '10' }] }],
  }
  assert.deepEqual(missing(change), ['statements', 'cap_table', 'debt_schedule', 'signatory'])
})

test('A portfolio and an asset have no statements of their own', () => {
  const analyst: Change = { engagement_type: 'analyst', inputs: { periods: [], adjustments: [] } }
  const portfolio = { type: 'portfolio', id: 'pfl_01JD0000000000000000000000' } as const
  assert.deepEqual(missing({ ...analyst, subject: portfolio, methods: [] }), ['cap_table', 'signatory'])
  assert.deepEqual(missing({ ...analyst, subject: { type: 'asset', name: 'Truck' } }), ['signatory'])
})

test('Each item that is missing says where, and what would do', () => {
  const [item] = missingEvidence(bakery({ methods, inputs: { periods: [] } }), resolvedWith())
  assert.deepEqual(item, {
    code: 'periods',
    pointer: '/inputs/periods',
    detail: 'Give the statements of one period.',
    accepted: ['inputs.periods'],
  })
})

test('Evidence that a period or an adjustment names must be evidence of the valuation', () => {
  const { evidence_id } = evidenceOf('returns')
  const document = bakery({
    inputs: { periods: [{ ...year2025, evidence_id }], adjustments: [{ ...payOfAnn, evidence_id }] },
  })
  assert.deepEqual(evidenceFaults(document, { evidence: [evidenceOf('returns')] }), [])
  assert.deepEqual(
    evidenceFaults(document, { evidence: [] }).map(({ pointer }) => pointer),
    ['/inputs/periods/0/evidence_id', '/inputs/adjustments/0/evidence_id'],
  )
})

test('Evidence that is dated after the valuation date must have been known or knowable', () => {
  const later = { dated_on: '2026-07-01' }
  const faults = (change: Partial<EvidenceItem>) =>
    evidenceFaults(bakery(), { evidence: [evidenceOf('returns', change)] }).map(({ pointer }) => pointer)
  assert.deepEqual(faults(later), ['/valuation_date'])
  assert.deepEqual(faults({ ...later, known_or_knowable: true }), [])
  assert.deepEqual(faults({ dated_on: '2026-06-30' }), [])
})
