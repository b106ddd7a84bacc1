import type { ValuationResult } from '@wbs/contract/valuations/result'
import type { StoredNode } from '../calculation/node.ts'
import type { Concluded } from '../conclude.ts'
import { withValue } from './with-value.ts'

type Source = ValuationResult['sources'][number]

/** From where each figure comes: what the methods name, then all other figures that the point of the conclusion follows from. */
export function sourcesOf(concluded: Concluded): Source[] {
  const { steps, calculation } = concluded
  const ofMethods = withValue(concluded).flatMap(({ sources }) => sources)
  const ofSteps = steps.flatMap(({ code, applied, source, as_of }) =>
    applied && source ? [{ figure: figures[code] ?? code, source, as_of }] : [],
  )
  const isNamed = new Set(ofMethods.map(origin))
  const ofFigures = calculation.flatMap(figureOf).filter(figure => !isNamed.has(origin(figure)))
  return distinct([...ofMethods, ...ofSteps, ...ofFigures])
}

/** A constant of a formula, a time that follows from the valuation date, and a weight come from nowhere else. */
function figureOf({ id, op, label, formula, source, as_of, evidence_id }: StoredNode): Source[] {
  const isConstant = formulasOfConstants.includes(formula) || source?.startsWith('A constant')
  if (op !== 'input' || isConstant || id.startsWith('reconciliation.')) return []
  const stated = evidence_id ? `Evidence ${evidence_id}.` : 'Stated in the valuation.'
  return [{ figure: label, source: source || stated, as_of: as_of ?? null }]
}

/** How the calculation marks inputs that nobody states. */
const formulasOfConstants = ['constant', 'time after the valuation date']

/** Figures of one origin that a method names already are not repeated. */
const origin = ({ source, as_of }: Source) => JSON.stringify([source, as_of])

function distinct(sources: readonly Source[]): Source[] {
  const found = new Map<string, Source>()
  for (const { figure, source, as_of } of sources) {
    const key = JSON.stringify([figure, source, as_of])
    if (!found.has(key)) found.set(key, { figure, source, as_of })
  }
  return [...found.values()]
}

const figures: Partial<Record<Concluded['steps'][number]['code'], string>> = {
  dloc: 'Discount for lack of control',
  dlom: 'Discount for lack of marketability',
  control_premium: 'Control premium',
  cash: 'Cash',
  interest_bearing_debt: 'Interest-bearing debt',
  non_operating_assets: 'Non-operating assets',
  working_capital: 'Working capital above the normal',
}
