import type { Refuse } from '../../call/problem.ts'
import type { GuestStanding, Standing } from '../../call/authority/standing.ts'
import type { Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { portfolioById, lockPortfolio, type PortfolioRow, type OpenedPortfolio } from './portfolio-store.ts'

interface CallerInWorkspace {
  standing: Standing
}
type CallerOfChange = CallerInWorkspace & { tx: Transaction }
type MayBeAbsent = { refuse: Refuse<'not_found'> }

/** Whether a caller can see the portfolios of the Workspace, where the operation declares another permission. */
export const seesPortfolios = ({ permissions }: Standing | GuestStanding): boolean =>
  permissions.has('valuations:read')

const noSuchPortfolio = (refuse: Refuse<'not_found'>) =>
  refuse.not_found('There is no such portfolio, or you cannot see it.')

/** A portfolio of the Workspace. Throws not_found. */
export async function requirePortfolio(
  { standing, refuse }: CallerInWorkspace & MayBeAbsent,
  reader: Reader,
  portfolio_id: string,
): Promise<PortfolioRow> {
  const portfolio = seesPortfolios(standing)
    ? await portfolioById(reader, standing.workspace_id, portfolio_id)
    : undefined
  if (!portfolio) throw noSuchPortfolio(refuse)
  return portfolio
}

/** Locks a portfolio of the Workspace. Undefined if the caller cannot see it. Pass it to `requireOpened`. */
export const lockVisiblePortfolio = async (
  { tx, standing }: CallerOfChange,
  portfolio_id: string,
): Promise<OpenedPortfolio | undefined> =>
  seesPortfolios(standing) ? lockPortfolio(tx, standing.workspace_id, portfolio_id, standing.seal) : undefined

/** The portfolio that `lockVisiblePortfolio` locked. Throws not_found if there is none. */
export function requireOpened(
  portfolio: OpenedPortfolio | undefined,
  refuse: Refuse<'not_found'>,
): OpenedPortfolio {
  if (!portfolio) throw noSuchPortfolio(refuse)
  return portfolio
}

/** Checks before a replay that the caller can still see the portfolio of the path. Throws not_found. */
export async function checkPortfolioVisible(
  { portfolio_id }: { portfolio_id: string },
  context: CallerOfChange & MayBeAbsent,
): Promise<void> {
  await requirePortfolio(context, context.tx, portfolio_id)
}
