interface ListPage {
  data: unknown[]
  page: { cursor: string | null; has_more: boolean }
}

/** The items of all pages. An empty page is not the end. Throws if a cursor does not advance, which would loop for ever. */
export async function* followPages(
  read: (cursor: { cursor?: string }) => Promise<unknown>,
): AsyncGenerator<unknown, void, undefined> {
  let cursor: string | undefined
  for (;;) {
    const { data, page } = (await read(cursor === undefined ? {} : { cursor })) as ListPage
    yield* data
    if (!page.has_more) return
    if (page.cursor === null || page.cursor === cursor)
      throw new Error('The service says that there is more, but its cursor does not advance.')
    cursor = page.cursor
  }
}
