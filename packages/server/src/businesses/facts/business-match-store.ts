import type { Id } from '@wbs/contract/ids'
import { mayLockForSql } from '../../database/locks.ts'
import { read, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { matchedOn, websiteKey, type Likeness } from './business-match.ts'
import { foldCity, foldName } from '../fold.ts'

/** A Business that the Workspace can see and that may be the one that is meant. */
export interface Candidate {
  id: Id<'biz'>
  name: string
  matched_on: string[]
}

/** How many are told, at most. */
const mostCandidates = 10

/**
 * The Businesses that may be the one described, at most 10, in the order of their ids: published ones by what is
 * published of them, and those of the Workspace. Others have no part in it. Only one change at a time looks for, and then
 * makes, a Business of this name or address in the Workspace; the lock is taken for the standing with this seal alone.
 */
export async function lockCandidates(
  tx: Transaction,
  workspace_id: string,
  wanted: Likeness,
  seal: string,
): Promise<Candidate[]> {
  const { name, website_url, state, city } = wanted
  const key = websiteKey(website_url)
  const words = [`name ${foldName(name)}`, ...(key === null ? [] : [key])]
  const place = [state, city === null ? null : foldCity(city)]
  const [, found] = await Promise.all([
    tx.run(likenessLock, [words.map(word => `business ${workspace_id} ${word}`), seal]),
    tx.many(likely, [workspace_id, foldName(name), ...place, key, mostCandidates]),
  ])
  return found
    .map(one => ({ id: one.id, name: one.name, matched_on: matchedOn(wanted, one) }))
    .filter(one => one.matched_on.length > 0)
    .slice(0, mostCandidates)
}

type CandidateRow = Likeness & { id: Id<'biz'> }

const sameName = (from: string) =>
  `left(${from}.name_folded, 120) = left($2, 120) and ${from}.name_folded = $2`

/**
 * Published Businesses of the name. Of one that thousands have, the index knows the state too; so many of a state are
 * looked at for the city, and no more.
 */
const publishedOfName = (state: string) => `
  (select p.id, p.name, p.website_url, p.state, p.city
   from (select * from published_businesses p where ${sameName('p')} and ${state} limit 2000) p
   left join business_locations l on l.business_id = p.id and l.id = p.primary_location_id
   where $4::text is null or l.city_folded is null or l.city_folded = $4
   order by p.id limit $6)`

const ofWorkspace = (sameness: string) => `
  (select v.id, v.name, v.website_url, v.state, v.city
   from business_projections v
   join workspace_businesses w
     on w.workspace_id = $1 and w.business_id = v.id and w.removed_at is null and w.sees_unpublished
   where v.publication_status <> 'published' and ${sameness}
   order by v.id limit $6)`

// Each branch looks into an index of its own, and gives no more than are told in all.
const likely = read<CandidateRow>(
  'business_candidates',
  `select * from (
     (select p.id, p.name, p.website_url, p.state, p.city from published_businesses p
      where website_key(p.website_url) = $5 and p.website_url is not null order by p.id limit $6)
     union ${publishedOfName('p.state = $3')}
     union ${publishedOfName('p.state is null')}
     union ${publishedOfName('$3::text is null')}
     union ${ofWorkspace('website_key(v.website_url) = $5 and v.website_url is not null')}
     union ${ofWorkspace(
       `${sameName('v')} and ($3::text is null or v.state is null or v.state = $3)
        and ($4::text is null or v.city_folded is null or v.city_folded = $4)`,
     )}
   ) found order by id`,
  'long',
)

const likenessLock = write(
  'business_likeness_lock',
  `select pg_advisory_xact_lock(key)
   from (
     select hashtextextended(word, 0) as key from unnest($1::text[]) as w (word) where ${mayLockForSql('$2::text')} order by 1
   ) keys`,
)
