import { read, type Reader } from '../../database/statement.ts'
import { portfolioColumnsSql, type PortfolioRow } from './portfolio-store.ts'

/** The portfolios of a Workspace by id; only those of a Business if one is named. */
export const portfoliosPage = (
  reader: Reader,
  workspace_id: string,
  business_id: string | undefined,
  { after, limit }: { after: string; limit: number },
): Promise<PortfolioRow[]> =>
  business_id === undefined
    ? reader.many(all, [workspace_id, after, limit])
    : reader.many(ofBusiness, [workspace_id, after, limit, business_id])

const pageSql = (filter = '') =>
  `select ${portfolioColumnsSql} from portfolios where workspace_id = $1 and id > $2 ${filter} order by id limit $3`

const all = read<PortfolioRow>('portfolios_page', pageSql(), 'long')
const ofBusiness = read<PortfolioRow>('portfolios_of_business_page', pageSql('and business_id = $4'), 'long')
