import pg from 'pg'
import {
  connectionConfig,
  openConnection,
  type DatabaseAddress,
  type DatabaseRole,
} from './connections/connection.ts'
import { hidesRowsSql } from './hidden-rows.ts'

/** A fault in the database would let one Workspace see another's rows, or a read write. The service does not start on it. */
export class UnsafeDatabase extends Error {}

/**
 * Checks at start-up what tenant isolation depends on: the roles have no more rights than they should, every Workspace
 * table has forced row-level security and a primary key that begins with workspace_id, nothing bypasses that, no row is
 * visible without a row scope, and a backup would have every row. Throws UnsafeDatabase with all faults.
 * `newerDefinerFunctions` are those that newer versions brought.
 */
export async function selfTest(
  address: DatabaseAddress,
  newerDefinerFunctions: readonly string[] = [],
): Promise<void> {
  const faults = [
    ...(await findFaults(address, 'svc_reader', client => findCatalogFaults(client, newerDefinerFunctions))),
    ...(await findFaults(address, 'svc_reader', findVisibleRows)),
    ...(await findFaults(address, 'svc_writer', findVisibleRows)),
  ]
  if (faults.length > 0)
    throw new UnsafeDatabase(`The database is not safe to serve from: ${faults.join('; ')}.`)
}

async function findFaults(
  address: DatabaseAddress,
  role: DatabaseRole,
  questions: (client: pg.Client) => Promise<string[]>,
): Promise<string[]> {
  const client = await openConnection(connectionConfig(address, role))
  try {
    return await questions(client)
  } finally {
    await client.end()
  }
}

async function findCatalogFaults(
  client: pg.Client,
  newerDefinerFunctions: readonly string[],
): Promise<string[]> {
  const { rows } = await client.query<{ fault: string }>(catalogFaults, [newerDefinerFunctions])
  return rows.map(row => row.fault)
}

/** Finds Workspace tables of which a row is visible without a row scope. */
async function findVisibleRows(client: pg.Client): Promise<string[]> {
  const tables = await client.query<{ name: string; quoted: string }>(
    `with ${workspaceTables}
     select relname as name, format('svc.%I', relname) as quoted from workspace_tables
     where has_table_privilege(oid, 'select')`,
  )
  const looks = tables.rows.map(
    ({ name, quoted }) => `select ${pg.escapeLiteral(name)} as name where exists (select from ${quoted})`,
  )
  const { rows } = await client.query<{ name: string; role: string }>(
    `select name, current_user as role from (${looks.join(' union all ')}) seen`,
  )
  return rows.map(({ name, role }) => `rows of ${name} are visible to ${role} without a Workspace`)
}

const workspaceTables = `
  workspace_tables as (
    select c.oid, c.relname, c.relispartition, c.relrowsecurity, c.relforcerowsecurity, scope.attname as scope_column
    from pg_class c
    join pg_attribute scope on scope.attrelid = c.oid and not scope.attisdropped
     and (scope.attname in ('workspace_id', 'scope_id') or (c.relname = 'workspaces' and scope.attname = 'id'))
    where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p')
  )`

const catalogFaults = `
  with ${workspaceTables}, tables as (
    select c.oid, c.relname from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p')
  ), policies as (
    select p.polname, t.relname, p.polcmd <> 'r' as writes,
           coalesce(pg_get_expr(p.polqual, p.polrelid), 'true') as sees,
           coalesce(pg_get_expr(p.polwithcheck, p.polrelid), pg_get_expr(p.polqual, p.polrelid), 'true') as keeps
    from pg_policy p join workspace_tables t on t.oid = p.polrelid
    where p.polpermissive and p.polroles && array[0, 'svc_writer'::regrole, 'svc_reader'::regrole]::oid[]
  )
  select r.rolname || ' has rights past row-level security' as fault from pg_roles r
  where r.rolname in ('svc_owner', 'svc_writer', 'svc_reader') and (r.rolsuper or r.rolbypassrls)
  union all
  select r.rolname || ' is a member of ' || other.rolname from pg_roles r, pg_roles other
  where r.rolname in ('svc_writer', 'svc_reader') and other.rolname <> r.rolname and pg_has_role(r.rolname, other.oid, 'member')
  union all
  select 'svc_reader may write to ' || t.relname from tables t
  where has_table_privilege('svc_reader', t.oid, 'insert, update, delete, truncate')
     or has_any_column_privilege('svc_reader', t.oid, 'insert, update')
  union all
  select 'svc_writer may rewrite ' || name from unnest(array['receipts', 'events']) name
  where has_table_privilege('svc_writer', 'svc.' || name, 'update, delete, truncate')
     or has_any_column_privilege('svc_writer', 'svc.' || name, 'update')
  union all
  select 'svc_reader may look into svc_jobs' where has_schema_privilege('svc_reader', 'svc_jobs', 'usage')
  union all
  select 'svc_reader may read service_secrets' where has_any_column_privilege('svc_reader', 'svc.service_secrets', 'select')
  union all
  select 'the table ' || relname || ' is not under forced row-level security' from workspace_tables t
  where not (relrowsecurity and relforcerowsecurity
    and (relispartition or exists (select from policies p where p.relname = t.relname)))
  union all
  select r.rolname || ' may use the partition ' || t.relname || ' by its own name' from workspace_tables t, pg_roles r
  where t.relispartition and r.rolname in ('svc_writer', 'svc_reader')
    and (has_any_column_privilege(r.oid, t.oid, 'select, insert, update, references')
         or has_table_privilege(r.oid, t.oid, 'delete, truncate, trigger'))
  union all
  select 'backups would leave out rows of ' || c.relname || ': its policy owner_reads_all must show svc_owner all rows' from pg_class c
  where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p') and ${hidesRowsSql}
  union all
  select 'the policy ' || polname || ' of ' || relname || ' asks for neither Workspace nor caller' from policies
  where sees !~ 'current_(workspace|caller)\\(\\)' or (writes and keeps !~ 'current_(workspace|caller)\\(\\)')
  union all
  select 'the primary key of ' || t.relname || ' is not led by ' || t.scope_column
  from workspace_tables t
  left join pg_index i on i.indrelid = t.oid and i.indisprimary
  left join pg_attribute a on a.attrelid = t.oid and a.attnum = i.indkey[0]
  where a.attname is distinct from t.scope_column
  union all
  select 'the view ' || c.relname || ' shows what its owner sees' from pg_class c
  where c.relnamespace = 'svc'::regnamespace and c.relkind in ('v', 'm')
    and not coalesce('security_invoker=true' = any (c.reloptions) or 'security_invoker=on' = any (c.reloptions), false)
  union all
  select 'the function ' || p.proname || ' runs with the rights of its owner'
  from (select * from pg_proc where proname <> all ($1::text[])) p
  where p.pronamespace = 'svc'::regnamespace and p.prosecdef and p.proname not in ('find_api_key', 'find_api_key_by_prefix', 'find_team_invitation', 'find_room_invitation', 'analyze_published_businesses', 'extend_published_businesses', 'feed_positions_of', 'workspaces_with_rooms', 'rooms_of_caller')`
