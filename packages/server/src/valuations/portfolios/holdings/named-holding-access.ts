import type { Refuse } from '../../../call/problem.ts'
import { assetById } from '../../assets/asset-store.ts'
import type { CallerOfChange } from '../../../rooms/room-access.ts'
import { readNamedBusiness } from '../../naming/named-business-access.ts'
import { portfolioById } from '../portfolio-store.ts'
import { chainOf } from './holding-graph-store.ts'
import { namedValuation } from './holding-store.ts'
import { mostHoldingsInTree, mostLevels, type DescribedHolding } from './holding.ts'

/** What a holding names, as it was read for the caller: undefined if they cannot see it, null if it names none. */
type NamedByHolding = Awaited<ReturnType<typeof readNamed>>

/** Reads what a holding names, and what it would bring about if that is a portfolio. */
export async function readNamed(context: CallerOfChange, portfolio_id: string, holding: DescribedHolding) {
  const { tx, standing } = context
  const { valuation_id } = holding
  const [subject, valuation, chain] = await Promise.all([
    readSubject(context, holding.subject),
    valuation_id === null ? null : namedValuation(tx, standing.workspace_id, valuation_id),
    heldPortfolio(holding) === null
      ? null
      : chainOf(tx, standing.workspace_id, { portfolio_id, held_id: heldPortfolio(holding) ?? '' }),
  ])
  return { subject, valuation, chain }
}

/** The ID of the portfolio that is held. Null if something else is. */
export const heldPortfolio = ({ subject }: DescribedHolding): string | null =>
  subject.type === 'portfolio' ? subject.id : null

async function readSubject(context: CallerOfChange, { type, id }: DescribedHolding['subject']) {
  const { tx, standing } = context
  if (id === null) return null
  if (type === 'business') return readNamedBusiness(context, tx, id)
  return type === 'asset'
    ? assetById(tx, standing.workspace_id, id)
    : portfolioById(tx, standing.workspace_id, id)
}

/**
 * Throws not_found if the caller cannot see what the holding names, validation_error if the valuation is not a completed one of
 * its subject, and unprocessable_content if portfolios would hold each other in a circle or in too long a chain.
 */
export function requireNamed(
  holding: DescribedHolding,
  { subject, valuation, chain }: NamedByHolding,
  refuse: Refuse<'not_found' | 'validation_error' | 'unprocessable_content'>,
): void {
  if (subject === undefined)
    throw refuse.not_found(`There is no such ${names[holding.subject.type]}, or you cannot see it.`)
  if (valuation === undefined) throw refuse.not_found('There is no such valuation, or you cannot see it.')
  const conflict = valuation && conflictOf(valuation, holding)
  if (conflict)
    throw refuse.validation_error(conflict, {
      errors: [{ in: 'body', pointer: '/valuation_id', code: 'conflict', detail: conflict }],
    })
  if (chain?.closes_cycle)
    throw refuse.unprocessable_content(
      'A portfolio cannot hold itself, and this one is held by the portfolio that it would hold.',
    )
  if (chain && (chain.levels > mostLevels || chain.portfolios > mostHoldingsInTree))
    throw refuse.unprocessable_content(
      `Portfolios can hold each other on at most ${mostLevels} levels, with at most ${mostHoldingsInTree} portfolios above or below one.`,
    )
}

const names = { business: 'Business', asset: 'asset', portfolio: 'portfolio' } as const

/** Why a valuation cannot count for a holding. Null if it can. */
function conflictOf(
  { status, subject_type, subject_id, is_of_whole }: NonNullable<NamedByHolding['valuation']>,
  { subject }: DescribedHolding,
): string | null {
  if (status !== 'completed') return 'The valuation is a draft. Run it first.'
  if (subject_type !== subject.type || (subject.id !== null && subject_id !== subject.id))
    return 'The valuation is of another subject.'
  if (!is_of_whole)
    return 'The valuation must be of 100 percent, and for a Business of its equity, never of invested_capital: ownership_percent says how much is held.'
  return null
}
