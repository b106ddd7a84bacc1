import type pg from 'pg'
import { numbered } from './mutations/mutations-floor-sql.ts'

/** The values of the parameters of a floor's statements, by name. */
export type Values = Record<string, unknown>

/** A query of a floor, for some values. */
export type Query = (values: Values) => string | pg.QueryConfig

/** A statement with named parameters as a prepared query. */
export function prepared(statement: string, name: string): Query {
  const { text, names } = numbered(statement)
  return values => ({ name, text, values: names.map(name => values[name]) })
}

/** Sends queries in one write, and gives their results. */
export async function together(
  client: pg.PoolClient,
  queries: readonly Query[],
  values: Values,
): Promise<pg.QueryResult[]> {
  const { stream } = (client as unknown as { connection: { stream: NodeJS.WritableStream & Corked } })
    .connection
  stream.cork()
  const sent = queries.map(query => client.query(query(values)))
  stream.uncork()
  return Promise.all(sent)
}
interface Corked {
  cork(): void
  uncork(): void
}
