import { shownOf, type SizedRow } from '../../call/page.ts'
import { isCanceled } from '../../database/faults.ts'
import { readComposed } from '../../database/composed-read.ts'
import type { Reader } from '../../database/statement.ts'
import { isSelective } from '../rules/selective-rule.ts'
import { cutMembersSql, entriesSql, type EntryContent, type EntryRow } from './entry-sql.ts'
import { filteredMembersSql, type FilteredMembers } from './filtered-members.ts'
import { rememberWay, wayOfNextPage, type PageWay } from './page-ways.ts'
import { endOfRange } from './range-end-store.ts'

/** Which part of the members a page has. */
export interface PageOfEntries {
  /** The id with which the page before ended. */
  after: string
  limit: number
}

export interface FoundEntries {
  rows: EntryRow[]
  /** The id up to which the Businesses were examined; null at the end. */
  cursor: string | null
}

/**
 * A page of the members of a List, by id. If a way to find them takes too long, it is canceled and the next is tried. The last
 * examines a range of ids, so its page can be short or empty although there are more.
 */
export async function pageOfEntries(
  reader: Reader,
  members: FilteredMembers,
  content: EntryContent,
  page: PageOfEntries,
): Promise<FoundEntries> {
  const begin = page.after === '' ? 'planned' : wayOfNextPage(members)
  for (let way = begin; way !== 'ranged'; way = wayAfter(way, members))
    try {
      const found = await entriesOf(reader, members, content, page, way)
      if (way !== begin) rememberWay(members, way)
      return found
    } catch (error) {
      if (!isCanceled(error)) throw error
    }
  if (begin !== 'ranged') rememberWay(members, 'ranged')
  const end = await endOfRange(reader, members, page.after)
  return entriesOf(reader, members, content, page, 'ranged', end)
}

/** What to try after a way that took too long. */
const wayAfter = (way: PageWay, { membership, filter }: FilteredMembers): PageWay =>
  way === 'planned' && filter.length === 0 && isSelective(membership.rule) ? 'indexed' : 'ranged'

/** A page of the members up to an id, or of all that follow. */
async function entriesOf(
  reader: Reader,
  members: FilteredMembers,
  content: EntryContent,
  { after, limit }: PageOfEntries,
  way: PageWay,
  upTo: string | null = null,
): Promise<FoundEntries> {
  // Ordering by an expression keeps PostgreSQL from walking by id.
  const order = (id: string) => (way === 'indexed' && id === 'p.id' ? `${id} || ''` : id)
  const { placeholders, text } = filteredMembersSql(members, {
    rangeSql: (id, { shared }) =>
      `${id} > ${shared('after', after)}${upTo === null ? '' : ` and ${id} <= ${shared('up_to', upTo)}`}`,
    restSql: (id, { shared }) => `order by ${order(id)} limit ${shared('limit', limit + 1)}`,
  })
  if (text === null) return { rows: [], cursor: null }
  const page = `select * from (${text}) part order by id limit ${placeholders.shared('limit', limit + 1)}`
  const cut = cutMembersSql(page, 'r.id', content, placeholders)
  const found = await readComposed<EntryRow & SizedRow>(
    reader,
    placeholders,
    `${entriesSql(cut, content, placeholders)} order by m.id`,
    way === 'ranged' ? 'custom_plan' : 'fail_fast',
  )
  const { count, has_more } = shownOf(found, limit)
  const rows = found.slice(0, count)
  return { rows, cursor: has_more ? (rows.at(-1)?.id ?? null) : upTo }
}
