import { openConnection, type DatabaseAddress } from './connections/connection.ts'
import { isNotPrepared } from './faults.ts'
import { UnsafeDatabase } from './self-test.ts'

/**
 * Checks a pooler. It must keep named statements. A transaction that lacked its role would run as the pooler's login, so
 * without a role the login may not reach anything of the service; and it must be able to take both roles. Throws
 * UnsafeDatabase.
 */
export async function checkPooler(address: DatabaseAddress): Promise<void> {
  const config = { ...address, connectionTimeoutMillis: 5000 }
  const client = await openConnection(config)
  const another = await openConnection(config).catch(async (error: unknown) => {
    await client.end()
    throw error
  })
  try {
    const { rows } = await client.query<{ fault: string }>(faultsSql)
    if (rows.length > 0)
      throw new UnsafeDatabase(
        `The login of DATABASE_POOLER_URL is not safe to serve with: ${rows.map(({ fault }) => fault).join('; ')}.`,
      )
    // A pooler that does not know of named statements lets both prepare one in the same session.
    for (const connection of [client, another, client])
      await connection.query({ name: 'pooler_check', text: 'select 1' })
  } catch (error) {
    if (isNotPrepared(error) || isPreparedTwice(error))
      throw new UnsafeDatabase(
        'The pooler of DATABASE_POOLER_URL does not keep named statements: use PgBouncer 1.21 or newer, and set max_prepared_statements.',
      )
    throw error
  } finally {
    await Promise.all([client.end(), another.end()])
  }
}

const isPreparedTwice = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && error.code === '42P05'

const faultsSql = `
  select format('without a role, %s may use the schema %s', current_user, schema) as fault
  from unnest(array['svc', 'svc_jobs']) schema where has_schema_privilege(schema, 'usage')
  union all
  select format('%s is a superuser or passes row-level security', rolname) from pg_roles
  where rolname in (current_user, session_user) and (rolsuper or rolbypassrls)
  union all
  select format('%s may not take the role %s', session_user, role) from unnest(array['svc_reader', 'svc_writer']) role
  where not pg_has_role(session_user, role, case when current_setting('server_version_num')::int < 160000 then 'member' else 'set' end)
  union all
  select format('%s may take the role svc_owner', session_user)
  where pg_has_role(session_user, 'svc_owner', 'member')`
