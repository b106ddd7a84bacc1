import { read, type Reader } from '../../database/statement.ts'
import { portfolioColumnsSql, type PortfolioRow } from './portfolio-store.ts'

/** The portfolios of a Workspace by id; only those of a Business if one is named. */
export const portfoliosPage = (
  reader: Reader,
  workspace_id: string,
  business_id: string | undefined,
  page: { after: string; limit: number },
): Promise<PortfolioRow[]> =>
  reader.many(business_id === undefined ? all : ofBusiness, { ...page, workspace_id, business_id })

const pageSql = (filter = '') =>
  `select ${portfolioColumnsSql} from portfolios
   where workspace_id = :workspace_id and id > :after ${filter} order by id limit :limit`

const all = read<PortfolioRow>('portfolios_page', pageSql(), 'long')
const ofBusiness = read<PortfolioRow>(
  'portfolios_of_business_page',
  pageSql('and business_id = :business_id'),
  'long',
)
