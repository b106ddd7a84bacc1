import type pg from 'pg'

/** Ids in the middle and near the end of the registry. */
export async function deepCursors(client: pg.Client): Promise<string[]> {
  const { rows } = await client.query<{ id: string }>(
    `select percentile_disc(array[0.5, 0.99]) within group (order by id collate "C") as ids from (select id from published_businesses tablesample system (2)) s`,
  )
  return (rows[0] as unknown as { ids: string[] }).ids
}
