import type { Statement } from '../../packages/server/src/database/statement.ts'
import { readable } from './readable.ts'

/** The values of parameters, by their names. */
export type GivenValues = Readonly<Record<string, unknown>>

/** A statement as psql runs it: in the role of the service, for the Workspace and user of the values. */
export function psqlText(statement: Statement<unknown>, given: GivenValues): string {
  const { parameters, named, access } = statement
  const sets = parameters.map(name => `\\set ${name} ${quotedForPsql(literal(given[name]))}`)
  const scope = Object.entries(rowScopeOf(given)).map(
    ([setting, value]) => `select set_config('${setting}', ${literal(value)}, true);`,
  )
  return [
    ...sets,
    'begin;',
    `set local role ${access === 'read' ? 'svc_reader' : 'svc_writer'};`,
    'set local search_path = svc, public;',
    ...scope,
    `${readable(named)};`,
    'rollback;',
  ].join('\n')
}

/** The settings of the row scope. The user is the viewer or the user of the values. */
export const rowScopeOf = ({ workspace_id, viewer_id, user_id }: GivenValues) => ({
  'svc.workspace_id': workspace_id ?? '',
  'svc.user_id': viewer_id ?? user_id ?? '',
})

/** A value as SQL. What has not been given is null. */
export function literal(value: unknown): string {
  if (value === undefined || value === null) return 'null'
  if (Array.isArray(value)) return `array[${value.map(literal).join(', ')}]`
  if (typeof value === 'number' || typeof value === 'boolean') return String(value)
  const text = typeof value === 'string' ? value : JSON.stringify(value)
  return `'${text.replaceAll("'", "''")}'`
}

/** psql reads backslashes in quotes as escapes. */
const quotedForPsql = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "''")}'`
