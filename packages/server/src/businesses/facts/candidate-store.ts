import type { Id } from '@wbs/contract/ids'
import { mayLockForSql } from '../../database/locks.ts'
import { read, write } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { matchedOn, websiteKey, type MatchFields } from './candidate-match.ts'
import { foldCity, foldName } from '../fold.ts'

/** An existing Business, visible to the Workspace, that may be the one that the caller is about to create. */
export interface Candidate {
  id: Id<'biz'>
  name: string
  matched_on: string[]
}

/** How many candidates an answer names at most. */
const mostCandidates = 10

/**
 * The candidates for a Business, at most 10, by id: published ones by their published fields, and those of the Workspace; no
 * others. It locks the name and the web address in the Workspace, so that two requests do not create the same Business at once.
 * `seal` identifies the standing that the transaction has checked; for another standing nothing is locked.
 */
export async function lockCandidates(
  tx: Transaction,
  workspace_id: string,
  wanted: MatchFields,
  seal: string,
): Promise<Candidate[]> {
  const { name, website_url, state, city } = wanted
  const website_key = websiteKey(website_url)
  const name_folded = foldName(name)
  const city_folded = city === null ? null : foldCity(city)
  const words = [`name ${name_folded}`, ...(website_key === null ? [] : [website_key])]
  const [, found] = await Promise.all([
    tx.run(candidateLock, { words: words.map(word => `business ${workspace_id} ${word}`), seal }),
    tx.many(candidatesByFields, {
      workspace_id,
      name_folded,
      state,
      city_folded,
      website_key,
      limit: mostCandidates,
    }),
  ])
  return found
    .map(business => ({ id: business.id, name: business.name, matched_on: matchedOn(wanted, business) }))
    .filter(candidate => candidate.matched_on.length > 0)
    .slice(0, mostCandidates)
}

type CandidateRow = MatchFields & { id: Id<'biz'> }

const sameNameSql = (from: string) =>
  `left(${from}.name_folded, 120) = left(:name_folded, 120) and ${from}.name_folded = :name_folded`

/**
 * Published Businesses with the name. If thousands have it, the index narrows them down by state; at most 2000 of those are
 * compared by city.
 */
const publishedWithNameSql = (state: string) => `
  (select p.id, p.name, p.website_url, p.state, p.city
   from (select * from published_businesses p where ${sameNameSql('p')} and ${state} limit 2000) p
   left join business_locations l on l.business_id = p.id and l.id = p.primary_location_id
   where :city_folded::text is null or l.city_folded is null or l.city_folded = :city_folded
   order by p.id limit :limit)`

const ofWorkspaceSql = (condition: string) => `
  (select v.id, v.name, v.website_url, v.state, v.city
   from business_projections v
   join workspace_businesses w
     on w.workspace_id = :workspace_id and w.business_id = v.id and w.removed_at is null and w.sees_unpublished
   where v.publication_status <> 'published' and ${condition}
   order by v.id limit :limit)`

// Each branch uses an index of its own, and returns no more rows than the answer can name.
const candidatesByFields = read<CandidateRow>(
  'business_candidates',
  `select * from (
     (select p.id, p.name, p.website_url, p.state, p.city from published_businesses p
      where website_key(p.website_url) = :website_key and p.website_url is not null order by p.id limit :limit)
     union ${publishedWithNameSql('p.state = :state')}
     union ${publishedWithNameSql('p.state is null')}
     union ${publishedWithNameSql(':state::text is null')}
     union ${ofWorkspaceSql('website_key(v.website_url) = :website_key and v.website_url is not null')}
     union ${ofWorkspaceSql(
       `${sameNameSql('v')} and (:state::text is null or v.state is null or v.state = :state)
        and (:city_folded::text is null or v.city_folded is null or v.city_folded = :city_folded)`,
     )}
   ) found order by id`,
  'long',
)

const candidateLock = write(
  'business_candidate_lock',
  `select pg_advisory_xact_lock(key)
   from (
     select hashtextextended(word, 0) as key from unnest(:words::text[]) as w (word)
     where ${mayLockForSql(':seal::text')} order by 1
   ) keys`,
)
