import pg from 'pg'
import { connectionConfig, type DatabaseAddress, type DatabaseRole } from './connection.ts'

/** Something in the database would let one Workspace see another, or a read write. The service does not start on it. */
export class UnsafeDatabase extends Error {}

/**
 * Proves at start-up what the rest relies on: the roles have no more rights than they should, every Workspace table is
 * under forced row-level security with its keys led by workspace_id, and nothing is visible without a setting.
 * Throws UnsafeDatabase, saying all that is wrong.
 */
export async function selfTest(address: DatabaseAddress): Promise<void> {
  const faults = [
    ...(await ask(address, 'svc_reader', catalogFaults)),
    ...(await ask(address, 'svc_reader', unscopedRows)),
    ...(await ask(address, 'svc_writer', unscopedRows)),
  ]
  if (faults.length > 0)
    throw new UnsafeDatabase(`The database is not safe to serve from: ${faults.join('; ')}.`)
}

async function ask(address: DatabaseAddress, role: DatabaseRole, text: string): Promise<string[]> {
  const client = new pg.Client(connectionConfig(address, role))
  await client.connect()
  try {
    const { rows } = await client.query<{ fault: string }>(text)
    return rows.map(row => row.fault)
  } finally {
    await client.end()
  }
}

const catalogFaults = `
  with tables as (
    select c.oid, c.relname, c.relrowsecurity, c.relforcerowsecurity,
           exists (select from pg_policy p where p.polrelid = c.oid) as has_policy
    from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind in ('r', 'p')
  ), of_workspaces as (
    select t.*, scope.attname as scope_column
    from tables t join pg_attribute scope on scope.attrelid = t.oid and not scope.attisdropped
     and (scope.attname in ('workspace_id', 'scope_id') or (t.relname = 'workspaces' and scope.attname = 'id'))
  )
  select r.rolname || ' has rights past row-level security' as fault from pg_roles r
  where r.rolname in ('svc_owner', 'svc_writer', 'svc_reader') and (r.rolsuper or r.rolbypassrls)
  union all
  select r.rolname || ' is a member of svc_owner' from pg_roles r
  where r.rolname in ('svc_writer', 'svc_reader') and pg_has_role(r.rolname, 'svc_owner', 'member')
  union all
  select 'svc_reader is a member of svc_writer' where pg_has_role('svc_reader', 'svc_writer', 'member')
  union all
  select 'svc_reader may write to ' || t.relname from tables t
  where has_table_privilege('svc_reader', t.oid, 'insert, update, delete, truncate')
  union all
  select 'the table ' || relname || ' is not under forced row-level security' from of_workspaces
  where not (relrowsecurity and relforcerowsecurity and has_policy)
  union all
  select 'the primary key of ' || o.relname || ' is not led by ' || o.scope_column
  from of_workspaces o join pg_index i on i.indrelid = o.oid and i.indisprimary
  join pg_attribute a on a.attrelid = o.oid and a.attnum = i.indkey[0]
  where a.attname <> o.scope_column
  union all
  select 'svc_writer may rewrite ' || name from unnest(array['receipts', 'events']) name
  where has_table_privilege('svc_writer', 'svc.' || name, 'update, delete, truncate')`

const unscopedRows = `
  select 'rows of ' || name || ' are visible to ' || current_user || ' without a Workspace' as fault
  from (
    select 'workspaces' as name, exists (select from workspaces) as there
    union all select 'memberships', exists (select from memberships)
    union all select 'api_keys', exists (select from api_keys)
    union all select 'commands', exists (select from commands)
    union all select 'receipts', exists (select from receipts)
    union all select 'events', exists (select from events)
    union all select 'workspace_businesses', exists (select from workspace_businesses)
    union all select 'business_observations', exists (select from business_observations)
  ) seen
  where there`
