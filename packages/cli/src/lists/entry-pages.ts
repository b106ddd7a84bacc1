import type { Client, ListListEntriesAnswer } from '@wbs/sdk'
import type { ListTarget } from './list-target.ts'

type Query = Omit<Parameters<Client['listListEntries']>[0], 'list_id' | 'limit' | 'cursor'>

/** All pages of the entries of a List. An empty page is not the last one. */
export async function* entryPages(
  { client, list, signal }: ListTarget,
  { fields = [], column_ids = [], ...rest }: Query,
): AsyncGenerator<ListListEntriesAnswer, void, undefined> {
  const query = {
    ...rest,
    ...(fields.length > 0 && { fields }),
    ...(column_ids.length > 0 && { column_ids }),
  }
  let cursor: string | null = null
  for (;;) {
    const page: ListListEntriesAnswer = await client.listListEntries(
      { ...query, list_id: list.id, limit: 100, cursor },
      { signal },
    )
    yield page
    if (!page.page.has_more) return
    if (page.page.cursor === null || page.page.cursor === cursor)
      throw new Error('The service says that there is more, but its cursor does not advance.')
    cursor = page.page.cursor
  }
}
