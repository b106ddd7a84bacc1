import { read, type Reader } from '../../database/statement.ts'
import { asViewer, canReadBusinessSql, type Viewer } from '../../rooms/visibility/room-visibility-store.ts'
import { assetNameSql } from '../assets/asset-store.ts'
import { isOfWholeSql } from '../portfolios/holdings/holding-store.ts'
import { mostHoldingsInTree, mostLevels } from '../portfolios/holdings/holding.ts'
import type { HeldRow } from './holding-tree.ts'

/**
 * Every holding of a portfolio and of those that it looks through, each portfolio once, with the value that counts: that of the
 * valuation that the holding names, or else of the newest completed valuation of the whole subject that is not dated after
 * `valuation_date` and that no completed one replaces. It stops after so many holdings that the tree is too large in any case.
 */
export const holdingsBelow = (
  reader: Reader,
  viewer: Viewer,
  portfolio_id: string,
  valuation_date: string,
): Promise<HeldRow[]> => reader.many(holdingsOfTree, { ...asViewer(viewer), portfolio_id, valuation_date })

// The same portfolio on the same level counts once, so the walk ends although many may hold it. Where the walk is cut off, it has
// reached more portfolios than there may be holdings, and so more holdings too. `offset 0` makes PostgreSQL find each row by its
// key instead of reading whole tables: where a Workspace has 20,000 assets, valuations and portfolios, a tree of 49 holdings takes
// 830 buffers instead of 2,129, with both kinds of plan.
const holdingsOfTree = read<HeldRow>(
  'valuation_holdings_of_tree',
  `with recursive reached (portfolio_id, level) as (
     select p.id, 1 from portfolios p where p.workspace_id = :workspace_id and p.id = :portfolio_id
     union
     select h.subject_id, r.level + 1
     from reached r join portfolio_holdings h on h.workspace_id = :workspace_id and h.portfolio_id = r.portfolio_id
     where h.subject_type = 'portfolio' and h.valuation_id is null and r.level <= ${mostLevels}
   ), bounded as materialized (
     select * from reached limit ${(mostLevels + 1) * (mostHoldingsInTree + 2)}
   ), levels as materialized (
     select portfolio_id, max(level) as level from bounded group by portfolio_id
   ), held as materialized (
     select h.*, l.level from levels l
     join portfolio_holdings h on h.workspace_id = :workspace_id and h.portfolio_id = l.portfolio_id
     limit ${mostHoldingsInTree + 1}
   )
   select h.portfolio_id, h.level, h.key, h.subject_type, h.subject_id, h.ownership_percent, h.discount_rate,
     h.discount_reason, counted.valuation_id, counted.valuation_date, counted.point,
     coalesce(business.name, portfolio.name, asset.name, counted.name) as name
   from held h
   left join lateral (
     select coalesce(h.valuation_id, (
       select newest.id from valuations newest
       where h.valuation_id is null and h.subject_type <> 'portfolio'
         and newest.workspace_id = :workspace_id and newest.subject_id = h.subject_id and newest.status = 'completed'
         and (newest.summary ->> 'valuation_date') collate "C" <= :valuation_date::text
         and ${isOfWholeSql('newest')}
         and not exists (
           select from valuations later
           where later.workspace_id = :workspace_id and later.id = newest.superseded_by_id and later.status = 'completed')
       order by (newest.summary ->> 'valuation_date') collate "C" desc, newest.completed_at desc, newest.id desc
       limit 1)) as id
     offset 0
   ) chosen on true
   left join lateral (
     select v.id as valuation_id, v.summary ->> 'valuation_date' as valuation_date, v.conclusion -> 'point' as point,
       v.summary -> 'subject' ->> 'name' as name
     from valuations v where v.workspace_id = :workspace_id and v.id = chosen.id and v.status = 'completed'
     offset 0
   ) counted on true
   left join lateral (
     select b.name from businesses b
     where h.subject_type = 'business' and b.id = h.subject_id and ${canReadBusinessSql('b.id')}
     offset 0
   ) business on true
   left join lateral (
     select p.name from portfolios p
     where h.subject_type = 'portfolio' and p.workspace_id = :workspace_id and p.id = h.subject_id
     offset 0
   ) portfolio on true
   left join lateral (
     select ${assetNameSql('a')} as name from assets a
     where h.subject_type = 'asset' and a.workspace_id = :workspace_id and a.id = h.subject_id
     offset 0
   ) asset on true
   order by h.portfolio_id, h.key`,
  'long',
)
