import { numberParameters, type Values } from './parameters.ts'

/**
 * A named SQL statement, declared once. Its parameters have names in the text, such as `:room_id`. PostgreSQL prepares it once
 * for each connection, and a test prepares all of them against the real schema. `access` is part of the type, so that a read
 * cannot be given a statement that writes.
 */
export interface Statement<Row, Access extends 'read' | 'write' = 'read' | 'write'> {
  readonly name: string
  /** As PostgreSQL prepares it, with `$1` for the first of the parameters. */
  readonly text: string
  readonly parameters: readonly string[]
  /** As it was declared, with the names of the parameters. */
  readonly named: string
  readonly access: Access
  readonly connectionClass: ConnectionClass
  /** Reads no row of a Workspace, so it needs no row scope; row-level security hides Workspace rows from it. */
  readonly unscoped?: true
  /**
   * It may run on a replica, some seconds behind, and `if_found`: no rows count only if the primary has none either. It reads
   * what everybody may see, and nothing that decides what somebody may do.
   */
  readonly onReplica?: 'any_answer' | 'if_found'
  /** Exists only in the type: the shape of a row. */
  readonly row?: Row
}

/**
 * The class of connections that run a read.
 *
 * - `standing`: what every request waits for, such as credentials and standing, and reads shared by all who wait.
 * - `default`: a few rows by their keys.
 * - `long`: many rows, such as a page of a list.
 * - `custom_plan`: like `long`, for statements without a plan that suits all values: they are planned for the values
 *   each time.
 * - `fail_fast`: like `custom_plan`, but canceled after a tenth of a second; the caller has another way to answer.
 * - `readiness`: the probe of readiness, which must not wait behind others.
 */
export type ConnectionClass = 'standing' | 'default' | 'long' | 'custom_plan' | 'fail_fast' | 'readiness'

const statements = new Map<string, Statement<unknown>>()

/** All statements declared by the modules that are loaded. */
export const declaredStatements = (): Iterable<Statement<unknown>> => statements.values()

export const read = <Row>(name: string, text: string, connectionClass: ConnectionClass = 'default') =>
  declare<Row, 'read'>({ name, text, access: 'read', connectionClass })
/** A read of no row of a Workspace. It is cheaper, because no row scope is set. */
export const readUnscoped = <Row>(name: string, text: string, connectionClass: ConnectionClass = 'default') =>
  declare<Row, 'read'>({ name, text, access: 'read', connectionClass, unscoped: true })
/** A read of what everybody may see, which may run on a replica of the database (replicas/public-reads.ts). */
export const readPublic = <Row>(
  name: string,
  text: string,
  connectionClass: ConnectionClass = 'default',
  onReplica: 'any_answer' | 'if_found' = 'any_answer',
) => declare<Row, 'read'>({ name, text, access: 'read', connectionClass, unscoped: true, onReplica })
export const write = <Row = never>(name: string, text: string) =>
  declare<Row, 'write'>({ name, text, access: 'write', connectionClass: 'default' })

/**
 * A change of one row that has a revision. Its text is an UPDATE whose condition names the revision that was read, or an
 * INSERT that updates under that condition. If no row has it, the row was changed without its lock: the statement fails, and
 * the transaction with it, though nobody waits for the result (docs/decisions/0048-failed-statements.md).
 */
export const updateRevision = (name: string, text: string) =>
  write(
    name,
    `with saved as (${text} returning 1) select case when count(*) = 0 then revision_missed() end from saved`,
  )

type Declared<Row, Access extends 'read' | 'write'> = Omit<Statement<Row, Access>, 'named' | 'parameters'>

/**
 * A statement that is not declared, because its text is made for one use. Its name is empty unless PostgreSQL keeps it. Most
 * statements of a node are never sent, so their parameters are numbered at the first use, which replaces the getters.
 */
export function madeStatement<Row, Access extends 'read' | 'write'>({
  text: named,
  ...made
}: Declared<Row, Access>): Statement<Row, Access> {
  const numbered = () => {
    const { text, parameters } = numberParameters(named)
    Object.defineProperties(statement, { text: { value: text }, parameters: { value: parameters } })
    return statement
  }
  const statement: Statement<Row, Access> = {
    ...made,
    named,
    get text() {
      return numbered().text
    },
    get parameters() {
      return numbered().parameters
    },
  }
  return statement
}

function declare<Row, Access extends 'read' | 'write'>(
  declared: Declared<Row, Access>,
): Statement<Row, Access> {
  if (statements.has(declared.name)) throw new Error(`Two statements are named ${declared.name}.`)
  const statement = madeStatement(declared)
  statements.set(statement.name, statement)
  return statement
}

export interface Reader {
  many<Row>(statement: Statement<Row, 'read'>, values: Values): Promise<Row[]>
  /** The first row, or undefined. */
  one<Row>(statement: Statement<Row, 'read'>, values: Values): Promise<Row | undefined>
}

/** The Workspace and user whose rows row-level security shows. */
export interface RowScope {
  workspace_id: string | null
  user_id: string | null
}

/** Sets what a session behind a pooler does not have, for the rest of the transaction: names and values. */
export const setTransactionSettings = write(
  'transaction_settings',
  `select count(set_config(name, value, true)) from unnest(:names::text[], :values::text[]) as setting (name, value)`,
)
export const settingValues = (settings: Readonly<Record<string, string>>): Values => ({
  names: Object.keys(settings),
  values: Object.values(settings),
})

/** Sets the row scope for the rest of the transaction. Without it, no row is visible. */
export const setRowScope = write(
  'row_scope',
  `select set_config('svc.workspace_id', coalesce(:workspace_id, ''), true),
     set_config('svc.user_id', coalesce(:user_id, ''), true)`,
)
