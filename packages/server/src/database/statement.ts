/**
 * SQL is written as SQL, each statement once, under a name: PostgreSQL keeps it prepared on every connection, and a
 * test prepares them all against the real schema. `access` is part of the type, so that a read cannot be handed a
 * statement that writes.
 */
export interface Statement<Row, Access extends 'read' | 'write' = 'read' | 'write'> {
  readonly name: string
  readonly text: string
  readonly access: Access
  readonly connectionClass: ConnectionClass
  /** It touches no row of a Workspace: nobody need be set for it, and behind row-level security it sees nothing. */
  readonly unscoped?: true
  /** Only in the type: what a row looks like. */
  readonly row?: Row
}

/**
 * Which connections carry a read. `standing` ones are for what every request waits for: credentials, standing, and what
 * the service asks for all who wait; the `usual` ones for what takes a few rows by their keys. What goes through many rows,
 * such as a page of a list, is `long`, or `replanned` where a plan that suits all values suits none: those plan it for its
 * values each time. `hasty` ones do that too, and give it up after a tenth of a second, where its caller has another way.
 * The `alone` one is for a question that must wait behind no other.
 */
export type ConnectionClass = 'standing' | 'default' | 'long' | 'custom_plan' | 'fail_fast' | 'readiness'

const statements = new Map<string, Statement<unknown>>()

/** Every statement that has been declared by the modules loaded so far. */
export const declaredStatements = (): Iterable<Statement<unknown>> => statements.values()

export const read = <Row>(name: string, text: string, connectionClass: ConnectionClass = 'default') =>
  declare<Row, 'read'>({ name, text, access: 'read', connectionClass })
/** A read that touches no row of a Workspace. It costs less than another, whose row scope must be set. */
export const readUnscoped = <Row>(name: string, text: string, connectionClass: ConnectionClass = 'default') =>
  declare<Row, 'read'>({ name, text, access: 'read', connectionClass, unscoped: true })
export const write = <Row = never>(name: string, text: string) =>
  declare<Row, 'write'>({ name, text, access: 'write', connectionClass: 'default' })

function declare<Row, Access extends 'read' | 'write'>(
  statement: Statement<Row, Access>,
): Statement<Row, Access> {
  if (statements.has(statement.name)) throw new Error(`Two statements are called ${statement.name}.`)
  statements.set(statement.name, statement)
  return statement
}

export interface Reader {
  many<Row>(statement: Statement<Row, 'read'>, values: readonly unknown[]): Promise<Row[]>
  /** The first row, or undefined. */
  one<Row>(statement: Statement<Row, 'read'>, values: readonly unknown[]): Promise<Row | undefined>
}

/** For whom a statement under row-level security runs. */
export interface RowScope {
  workspace_id: string | null
  user_id: string | null
}

/** Says for whom the statements run that follow in the same transaction: no row of anybody else is there for them. */
export const setRowScope = write(
  'row_scope',
  `select set_config('svc.workspace_id', coalesce($1, ''), true), set_config('svc.user_id', coalesce($2, ''), true)`,
)
export const rowScopeValues = ({ workspace_id, user_id }: RowScope) => [workspace_id, user_id]
