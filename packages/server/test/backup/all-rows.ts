import pg from 'pg'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'
import { excludedTables } from '../../src/backup/tables.ts'

/**
 * A checksum of each table with data to keep, by its name. Computed without the code under test and without row-level
 * security, so that backup and restore can be judged by it.
 */
export async function allRows(address: DatabaseAddress): Promise<Record<string, string>> {
  const client = new pg.Client({ ...address, options: '-c timezone=UTC' })
  await client.connect()
  try {
    const tables = await client.query<{ name: string }>(
      `select n.nspname || '.' || c.relname as name from pg_class c join pg_namespace n on n.oid = c.relnamespace
       where n.nspname in ('svc', 'svc_jobs') and c.relkind in ('r', 'p') and not c.relispartition order by 1`,
    )
    const kept = tables.rows.filter(({ name }) => !(name in excludedTables))
    const sums = kept.map(
      ({ name }) =>
        `select '${name}' as name, count(*) || ' rows, ' || md5(coalesce(string_agg(t::text, '|' order by t::text collate "C"), '')) as sum from ${name} t`,
    )
    const { rows } = await client.query<{ name: string; sum: string }>(sums.join(' union all '))
    return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
  } finally {
    await client.end()
  }
}

/** The schema of the database: its tables, indexes, constraints, policies, triggers, functions, types and privileges. */
export async function shapeOf(address: DatabaseAddress): Promise<string[]> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    const { rows } = await client.query<{ line: string }>(`
      with here as (select oid, nspname from pg_namespace where nspname in ('svc', 'svc_jobs'))
      select line from (
        select format('table %I.%I %s %s %s %s %s', nspname, relname, relkind, relowner::regrole, relrowsecurity, relforcerowsecurity, relacl) as line
        from pg_class join here on here.oid = relnamespace where relkind in ('r', 'p', 'v') and relname !~ '^queue_stats_'
        union all
        select format('column %s.%I %s %s %s %s', attrelid::regclass, attname, atttypid::regtype, attnotnull, attgenerated, attstattarget)
        from pg_attribute a join pg_class c on c.oid = attrelid join here on here.oid = relnamespace
        where attnum > 0 and not attisdropped and relkind in ('r', 'p', 'v') and relname !~ '^queue_stats_'
        union all
        select format('index %s %s', pg_get_indexdef(indexrelid), indisvalid) from pg_index
        join pg_class c on c.oid = indrelid join here on here.oid = relnamespace where relname !~ '^queue_stats_'
        union all
        select format('constraint %s %s %s %s', conrelid::regclass, conname, pg_get_constraintdef(k.oid), convalidated)
        from pg_constraint k join here on here.oid = connamespace where contype <> 'n' and conrelid::regclass::text !~ 'queue_stats_'
        union all
        select format('policy %s %s %s %s %s', polrelid::regclass, polname, polcmd, polroles::regrole[], pg_get_expr(polqual, polrelid)) from pg_policy
        union all
        select format('trigger %s %s %s', tgrelid::regclass, tgname, tgenabled) from pg_trigger where not tgisinternal
        union all
        select format('function %s %s %s', p.oid::regprocedure, md5(pg_get_functiondef(p.oid)), proacl) from pg_proc p join here on here.oid = pronamespace where prokind = 'f'
        union all
        select format('type %s %s', t.oid::regtype, typtype) from pg_type t join here on here.oid = typnamespace where typtype in ('e', 'd')
      ) lines order by line collate "C"`)
    return rows.map(({ line }) => line)
  } finally {
    await client.end()
  }
}
