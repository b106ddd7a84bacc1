import { listListEntries } from '@wbs/contract/lists/entries'
import { implement, type QueryContext } from '../../call/implement.ts'
import { requireList } from '../list-access.ts'
import type { ListRow } from '../list-store.ts'
import { membershipOf } from '../members/member-access.ts'
import { readAsked, type AskedEntries } from './asked-entries.ts'
import type { EntryCursors } from './entry-cursors.ts'
import { pageOfEntries } from './entry-page-store.ts'
import type { EntryContent, EntryRow } from './entry-sql.ts'
import { presentEntry } from './entry-view.ts'
import type { FilteredMembers } from './filtered-members.ts'
import { mostSorted, sortedEntries, type Unsorted } from './sorted-page-store.ts'

export const handleListListEntries = (cursors: EntryCursors) =>
  implement(listListEntries, async function listListEntries(input, context) {
    const { list_id, column_ids = null, fields = [], source, limit = 20 } = input
    const { read, standing, now, refuse } = context
    const list = await requireList(context, read, list_id)
    const asked = readAsked(input, list, cursors, refuse)
    const membership = { ...membershipOf(list, standing, now), has_overrides: list.has_overrides }
    const members = { membership, filter: asked.filter, source }
    const { rows, cursor } = await pageAsked(
      context,
      cursors,
      { list_id, members, asked, limit },
      { column_ids, fields },
    )
    return {
      result: {
        data: rows.map(row => presentEntry(row, fields)),
        page: { cursor, has_more: cursor !== null },
        version: list.version,
        as_of: now.toISOString(),
      },
    }
  })

async function pageAsked(
  { read, refuse }: QueryContext<typeof listListEntries>,
  cursors: EntryCursors,
  {
    list_id,
    members,
    asked,
    limit,
  }: { list_id: ListRow['list_id']; members: FilteredMembers; asked: AskedEntries; limit: number },
  content: EntryContent,
): Promise<{ rows: EntryRow[]; cursor: string | null }> {
  const { filter, order } = asked
  if (order === null) return pageOfEntries(read, members, content, { after: asked.after, limit })
  const page = await sortedEntries(read, members, content, { order, after: asked.after, limit })
  if ('unsorted' in page) throw refuse.unprocessable_content(whyUnsorted(page.unsorted))
  return { rows: page.rows, cursor: page.next && cursors.textOf(page.next, { list_id, filter, order }) }
}

function whyUnsorted({ reason, members }: Unsorted): string {
  const remedy = 'Narrow the filter, or omit sort.'
  if (reason === 'too_slow' && (members ?? 0) <= mostSorted)
    return `The members could not be found and sorted in time. ${remedy}`
  const most = numberFormat.format(mostSorted)
  const found = members === null ? `more than ${most}` : numberFormat.format(members)
  return `At most ${most} members can be sorted, and there are ${found}. ${remedy}`
}

const numberFormat = new Intl.NumberFormat('en-US')
