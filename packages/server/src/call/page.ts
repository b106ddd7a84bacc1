/** Builds a page from rows, of which the query read one more than the page holds. */
export function pageOf<Row>(rows: readonly Row[], limit: number, idOf: (row: Row) => string) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const has_more = rows.length > limit
  return { data, page: { cursor: has_more && last ? idOf(last) : null, has_more } }
}
