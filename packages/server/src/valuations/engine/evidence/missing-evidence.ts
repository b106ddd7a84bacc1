import type { ValuationDocument } from '@wbs/contract/valuations/document'
import type { EvidenceCode } from '@wbs/contract/valuations/evidence'
import type { ValuationMethod } from '@wbs/contract/valuations/methods'
import type { MissingEvidence, Resolved } from '../engine.ts'

/** Purposes that others will examine, so that a valuation for them needs the evidence of an analyst. */
const formalPurposes: readonly ValuationDocument['purpose'][] = [
  'gift_estate_tax',
  'esop',
  'litigation',
  'financial_reporting',
]

const marketMethods: readonly string[] = [
  'sde_multiple',
  'ebitda_multiple',
  'revenue_multiple',
  'guideline_transactions',
]

const periodsOfFormal = 3

/** Whether a valuation needs the evidence of an analyst. */
const isFormal = ({ engagement_type, purpose }: ValuationDocument): boolean =>
  engagement_type === 'analyst' || formalPurposes.includes(purpose)

/**
 * What is missing before the document can run; nothing if it can.
 *
 * - A Business needs one period, revenue and one figure of earnings, unless all its methods bring their own figures, such as the
 *   assets of adjusted_net_assets or given cash flows.
 * - An analyst and the formal purposes need three periods whatever the methods, and evidence: statements or returns, the cap
 *   table, the debt schedule, support of the adjustments, the source of comparables if there is a market method, and who
 *   signs. A portfolio needs the cap table and who signs, and an asset who signs: they have no statements of their own.
 *
 * Source of the list: AICPA, "Statement on Standards for Valuation Services" (VS Section 100), paragraphs 25 to 30; IRS,
 * Revenue Ruling 59-60, section 4.
 */
export const missingEvidence = (document: ValuationDocument, resolved: Resolved): MissingEvidence[] => [
  ...missingFigures(document),
  ...(isFormal(document) ? missingFiles(document, resolved) : []),
]

/** Whether the method computes from the statements; the others bring their own figures. */
function readsStatements(method: ValuationMethod): boolean {
  if (marketMethods.includes(method.method)) return true
  return method.method === 'capitalized_cash_flow' && typeof method.cash_flow === 'object'
}

function missingFigures(document: ValuationDocument): MissingEvidence[] {
  const { subject, methods = [], inputs, engagement_type } = document
  const formal = isFormal(document)
  const needsFigures = formal || methods.length === 0 || methods.some(readsStatements)
  if (subject.type !== 'business' || !needsFigures) return []
  const periods = inputs.periods ?? []
  const needed = formal ? periodsOfFormal : 1
  const earnings = [
    ...(['net_income', 'ebit'] as const).filter(line => periods.some(({ income }) => income?.[line])),
    ...(['sde', 'ebitda', 'net_cash_flow'] as const).filter(
      figure => engagement_type === 'indicative' && periods.some(({ stated }) => stated?.[figure]),
    ),
  ]
  return [
    ...missingIf(new Set(periods.map(({ end }) => end)).size < needed, {
      code: 'periods',
      pointer: '/inputs/periods',
      detail: `Give the statements of ${needed === 1 ? 'one period' : `${needed} periods`}.`,
      accepted: ['inputs.periods'],
    }),
    ...missingIf(!periods.some(({ income }) => income?.revenue), {
      code: 'revenue',
      pointer: '/inputs/periods',
      detail: 'Give the revenue of a period.',
      accepted: ['income.revenue'],
    }),
    ...missingIf(earnings.length === 0, {
      code: 'earnings',
      pointer: '/inputs/periods',
      detail: 'Give one figure of earnings of a period.',
      accepted: [
        'income.net_income',
        'income.ebit',
        ...(engagement_type === 'indicative' ? ['stated.sde', 'stated.ebitda', 'stated.net_cash_flow'] : []),
      ],
    }),
  ]
}

function missingFiles(document: ValuationDocument, { evidence }: Resolved): MissingEvidence[] {
  const { subject, methods = [], inputs } = document
  const needs = (code: EvidenceCode, pointer: string, detail: string, accepted: EvidenceCode[] = [code]) =>
    missingIf(!evidence.some(item => accepted.includes(item.code)), { code, pointer, detail, accepted })
  const signatory = needs(
    'signatory',
    '/engagement_type',
    'Add a File that says who signs, and in what capacity.',
  )
  const owners = needs('cap_table', '/interest', 'Add a File that shows who holds which interest.')
  if (subject.type === 'asset') return signatory
  if (subject.type === 'portfolio') return [...owners, ...signatory]
  return [
    ...needs(
      'statements',
      '/inputs/periods',
      'Add the Files of the financial statements or the tax returns of the periods.',
      ['statements', 'returns'],
    ),
    ...owners,
    ...needs(
      'debt_schedule',
      '/inputs/bridge',
      'Add a File that lists the debts, or says that there are none.',
    ),
    ...(inputs.adjustments?.length
      ? needs('add_back_support', '/inputs/adjustments', 'Add a File that supports the adjustments.')
      : []),
    ...(methods.some(({ method }) => marketMethods.includes(method))
      ? needs('comparables', '/methods', 'Add a File that shows where the multiples come from.')
      : []),
    ...signatory,
  ]
}

const missingIf = (missing: boolean, item: MissingEvidence): MissingEvidence[] => (missing ? [item] : [])
