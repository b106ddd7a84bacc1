import type { InputOf } from '@wbs/contract/operation'
import { setHolding } from '@wbs/contract/valuations/portfolios'
import { implement, type MutationContext } from '../../../call/implement.ts'
import { invalid } from '../../../call/problem.ts'
import { checkPortfolioVisible, lockVisiblePortfolio, requireOpened } from '../portfolio-access.ts'
import { savePortfolio } from '../portfolio-change-store.ts'
import type { OpenedPortfolio, PortfolioRow } from '../portfolio-store.ts'
import { portfolioAsSubject, presentPortfolio } from '../portfolio-view.ts'
import { lockHoldingGraph } from './holding-graph-store.ts'
import { holdingByKey, putHolding, removeHolding, type HoldingRow } from './holding-store.ts'
import { presentHolding } from './holding-view.ts'
import {
  describedHolding,
  holdingErrors,
  isSameHolding,
  mostHoldings,
  type DescribedHolding,
} from './holding.ts'
import { heldPortfolio, readNamed, requireNamed } from './named-holding-access.ts'

type Input = InputOf<typeof setHolding>
type Context = MutationContext<typeof setHolding>

export const handleSetHolding = implement(
  setHolding,
  async function setHolding(input, context) {
    const { key } = input
    const { now, refuse } = context
    const holding = givenHolding(input)
    const errors = holding ? holdingErrors(holding) : []
    if (errors.length > 0) throw invalid(errors)
    const { isLocked, locked, existing, named } = await lockAndRead(input, context)
    const portfolio = requireOpened(isLocked ? locked : undefined, refuse)
    if (holding === null) return outcomeOf(...removed(portfolio, existing, context))
    if (named) requireNamed(holding, named, refuse)
    if (existing && isSameHolding(existing, holding)) return outcomeOf(portfolio, existing, [])
    if (!existing && portfolio.holding_count >= mostHoldings)
      throw refuse.limit_reached(`A portfolio can have at most ${mostHoldings} holdings.`)
    const { workspace_id, portfolio_id } = portfolio
    const saved = { ...holding, workspace_id, portfolio_id, key, updated_at: now.toISOString() }
    putHolding(context.tx, saved)
    const grown = { ...portfolio, holding_count: portfolio.holding_count + (existing ? 0 : 1) }
    return outcomeOf(savePortfolio(context.tx, grown, now), saved, ['portfolio.holding_set', key])
  },
  { visible: checkPortfolioVisible, prefetch: (input, context) => lockAndRead(input, context) },
)

/** The holding that a request sets; null if it removes one. */
const givenHolding = ({ subject, ownership_percent, ...rest }: Input): DescribedHolding | null =>
  subject && ownership_percent !== undefined
    ? describedHolding({ subject, ownership_percent, ...rest })
    : null

/** Removes a holding. If there is none, nothing changes. */
function removed(
  portfolio: OpenedPortfolio,
  existing: HoldingRow | undefined,
  { tx, now }: Context,
): Parameters<typeof outcomeOf> {
  if (!existing) return [portfolio, null, []]
  removeHolding(tx, existing)
  const shrunk = { ...portfolio, holding_count: portfolio.holding_count - 1 }
  return [savePortfolio(tx, shrunk, now), null, ['portfolio.holding_removed', existing.key]]
}

/** What the change answers. Without an event it changed nothing. */
function outcomeOf(
  portfolio: PortfolioRow,
  holding: HoldingRow | null,
  [type, key]: [type: 'portfolio.holding_set' | 'portfolio.holding_removed', key: string] | [],
) {
  return {
    result: {
      data: { portfolio: presentPortfolio(portfolio), holding: holding && presentHolding(holding) },
    },
    revision: portfolio.revision,
    resource: { type: 'portfolio' as const, id: portfolio.portfolio_id },
    changed: type ? ['holdings'] : [],
    events: type ? [{ type, subject: portfolioAsSubject(portfolio), data: { key } }] : [],
  }
}

/** Locks the portfolio of the path, before it the holdings of all portfolios if one is to be held, and reads what else is needed. */
async function lockAndRead(input: Input, context: Pick<Context, 'caller' | 'standing' | 'tx'>) {
  const { portfolio_id, key } = input
  const { tx, standing } = context
  const holding = givenHolding(input)
  const holdsPortfolio = holding !== null && heldPortfolio(holding) !== null
  const [isLocked, locked, existing, named] = await Promise.all([
    holdsPortfolio ? lockHoldingGraph(tx, standing.workspace_id, portfolio_id, standing.seal) : true,
    lockVisiblePortfolio(context, portfolio_id),
    holdingByKey(tx, standing.workspace_id, portfolio_id, key),
    holding && readNamed(context, portfolio_id, holding),
  ])
  return { isLocked, locked, existing, named }
}
