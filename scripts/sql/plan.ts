import type pg from 'pg'
import type { ConnectionClass, Statement } from '../../packages/server/src/database/statement.ts'
import { literal, rowScopeOf, type GivenValues } from './psql.ts'

const plannedForValues: ReadonlySet<ConnectionClass> = new Set(['custom_plan', 'fail_fast'])

/** Values of the types that statements have, for parameters of which none is given. */
const samples: Readonly<Record<string, string>> = {
  uuid: '01890a5d-ac96-774b-bcce-b302099a8057',
  text: 'sample',
  boolean: 'true',
  smallint: '10',
  integer: '10',
  bigint: '10',
  'double precision': '10',
  numeric: '10',
  'timestamp with time zone': '2026-01-01T00:00:00Z',
  jsonb: '[]',
  bytea: '\\x00',
  access_level: 'view',
}

/** The plan of a statement as the service gets it: in its role and row scope, and for any values unless it is planned for each. */
export async function planOf(
  client: pg.ClientBase,
  { name, text, parameters, access, connectionClass }: Statement<unknown>,
  given: GivenValues,
): Promise<string> {
  const mode = plannedForValues.has(connectionClass) ? 'force_custom_plan' : 'force_generic_plan'
  await client.query('begin')
  try {
    await client.query(`set local role ${access === 'read' ? 'svc_reader' : 'svc_writer'}`)
    await client.query(
      `set local search_path = svc, public; set local plan_cache_mode = ${mode}; set local jit = off`,
    )
    await client.query(`prepare ${name} as ${text}`)
    const types = await typesOf(client, name)
    const values = types.map((type, at) => given[parameters[at] ?? ''] ?? sampleOf(type))
    const scope = rowScopeOf(Object.fromEntries(parameters.map((parameter, at) => [parameter, values[at]])))
    for (const [setting, value] of Object.entries(scope))
      await client.query('select set_config($1, $2, true)', [setting, value])
    const { rows } = await client.query<{ 'QUERY PLAN': string }>(
      `explain execute ${name}${values.length > 0 ? `(${values.map(literal).join(', ')})` : ''}`,
    )
    return rows.map(row => row['QUERY PLAN']).join('\n')
  } finally {
    await client.query('rollback')
    await client.query('deallocate all')
  }
}

/** The types of the parameters, as PostgreSQL found them. */
async function typesOf(client: pg.ClientBase, name: string): Promise<string[]> {
  const { rows } = await client.query<{ types: string[] }>(
    'select parameter_types::text[] as types from pg_prepared_statements where name = $1',
    [name],
  )
  return rows[0]?.types ?? []
}

function sampleOf(type: string): string | null {
  if (!type.endsWith('[]')) return samples[type] ?? null
  return `{${samples[type.slice(0, -2)] ?? ''}}`
}
