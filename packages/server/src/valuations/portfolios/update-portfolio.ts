import type { InputOf } from '@wbs/contract/operation'
import { updatePortfolio } from '@wbs/contract/valuations/portfolios'
import { implement, type MutationContext } from '../../call/implement.ts'
import { requireRevision } from '../../call/revision.ts'
import { readNamedBusiness, requireNamedBusiness } from '../naming/named-business-access.ts'
import { changedFields } from './portfolio.ts'
import { checkPortfolioVisible, lockVisiblePortfolio, requireOpened } from './portfolio-access.ts'
import { savePortfolio } from './portfolio-change-store.ts'
import { portfolioAsSubject, presentPortfolio } from './portfolio-view.ts'

export const handleUpdatePortfolio = implement(
  updatePortfolio,
  async function updatePortfolio(input, context) {
    const { portfolio_id, expected_revision, ...changes } = input
    const { tx, now, refuse } = context
    const [locked, business] = await lockAndRead(input, context)
    const portfolio = requireOpened(locked, refuse)
    // Whoever sends a portfolio as they read it need not see its Business.
    if (changes.business_id !== portfolio.business_id) requireNamedBusiness(business, refuse)
    const edited = { ...portfolio, ...changes }
    const changed = changedFields(portfolio, edited)
    requireRevision(portfolio, expected_revision, changed, refuse)
    const saved = changed.length > 0 ? savePortfolio(tx, edited, now) : portfolio
    return {
      result: { data: presentPortfolio(saved) },
      revision: saved.revision,
      resource: { type: 'portfolio', id: portfolio_id },
      changed,
      events:
        changed.length > 0
          ? [{ type: 'portfolio.updated', subject: portfolioAsSubject(saved), data: { changed } }]
          : [],
    }
  },
  { visible: checkPortfolioVisible, prefetch: (input, context) => lockAndRead(input, context) },
)

/** Locks the portfolio of the path, and reads the Business that the request names. */
const lockAndRead = (
  { portfolio_id, business_id }: InputOf<typeof updatePortfolio>,
  context: Pick<MutationContext<typeof updatePortfolio>, 'caller' | 'standing' | 'tx'>,
) =>
  Promise.all([
    lockVisiblePortfolio(context, portfolio_id),
    readNamedBusiness(context, context.tx, business_id),
  ])
