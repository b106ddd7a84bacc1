import type { Operation } from './operations.ts'

interface ListPage {
  page?: { cursor: string | null; has_more: boolean }
  has_more?: boolean
  next_cursor?: string | null
  cursor?: string | null
  data?: unknown[]
  participants?: unknown[]
}

/** The items of all pages. An empty page is not the end. Throws if a cursor does not advance, which would loop for ever. */
export async function* followPages(
  { list }: Operation,
  read: (next: { cursor?: string } | { after?: string }) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  let last: string | undefined
  for (;;) {
    const parameter = list === 'next_cursor' ? 'after' : 'cursor'
    const answer = (await read(last === undefined ? {} : { [parameter]: last })) as ListPage
    yield* answer.data ?? answer.participants ?? []
    if (!(answer.page ?? answer).has_more) return
    const next = answer.page?.cursor ?? answer.next_cursor ?? answer.cursor
    if (!next || next === last)
      throw new Error('The service says that there is more, but its cursor does not advance.')
    last = next
  }
}
