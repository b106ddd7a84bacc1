/** Builds a page from rows, of which the query read one more than the page holds. */
export function pageOf<Row>(rows: readonly Row[], limit: number, idOf: (row: Row) => string) {
  const data = rows.slice(0, limit)
  const last = data.at(-1)
  const has_more = rows.length > limit
  return { data, page: { cursor: has_more && last ? idOf(last) : null, has_more } }
}

/** A row of a page that the query ends early, so that it is not too large. */
export interface SizedRow {
  /** How many rows there were before the page was cut. */
  found: number
}

/** How many characters or bytes of texts a page has when it ends. The last item may exceed it. */
const pageBytes = 1024 * 1024

/**
 * SQL: leaves out the rows of a statement that come after so many bytes. Each row says in `bytes` how many it has; the first is
 * always kept. Each that is left says in `found` how many rows there were.
 */
export const cutSql = (rowsSql: string, orderSql: string): string => `
  select * from (
    select r.*, count(*) over ()::integer as found,
      coalesce(sum(r.bytes) over (order by ${orderSql} rows between unbounded preceding and 1 preceding), 0) as bytes_before
    from (${rowsSql}) r
  ) r where r.bytes_before < ${pageBytes}`

/** How many of the rows that cutSql left a page holds, and whether there are more. */
export function shownOf(rows: readonly SizedRow[], limit: number): { count: number; has_more: boolean } {
  const found = rows[0]?.found ?? 0
  return { count: Math.min(rows.length, limit), has_more: found > limit || found > rows.length }
}
