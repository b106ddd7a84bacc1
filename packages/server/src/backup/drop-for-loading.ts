import type pg from 'pg'

/**
 * Drops from the tables what hinders loading, and gives the statements that restore it: foreign keys, which prescribe
 * an order of tables; triggers, which validate changes; forced row-level security, which keeps even the owner from
 * writing; and indexes other than those of keys, which are faster to build at the end.
 */
export async function dropForLoading(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ off: string; back: string }>(aside)
  for (const { off } of rows) await client.query(off)
  return rows.map(({ back }) => back)
}

const aside = `
  with tables as (
    select c.oid, c.relnamespace, c.relforcerowsecurity, format('%I.%I', n.nspname, c.relname) as name
    from pg_class c join pg_namespace n on n.oid = c.relnamespace
    where n.nspname in ('svc', 'svc_jobs') and c.relkind in ('r', 'p')
  ), things as (
    select 2 as turn, format('alter table %s drop constraint %I', t.name, k.conname) as off,
           format('alter table %s add constraint %I %s', t.name, k.conname, pg_get_constraintdef(k.oid)) as back
    from tables t join pg_constraint k on k.conrelid = t.oid
    where k.contype = 'f' and k.conparentid = 0
    union all
    -- The definition of an index of a partitioned table leaves out its partitions.
    select 1, format('drop index svc.%I', i.relname), regexp_replace(pg_get_indexdef(i.oid), '^(.*?) ON ONLY ', '\\1 ON ')
    from tables t join pg_index x on x.indrelid = t.oid join pg_class i on i.oid = x.indexrelid
    where t.relnamespace = 'svc'::regnamespace and not x.indisunique and not i.relispartition
      and not exists (select from pg_constraint k where k.conindid = i.oid)
    union all
    select 3, format('alter table %s disable trigger user', t.name), format('alter table %s enable trigger user', t.name)
    from tables t where exists (select from pg_trigger g where g.tgrelid = t.oid and not g.tgisinternal)
    union all
    select 4, format('alter table %s no force row level security', t.name),
           format('alter table %s force row level security', t.name)
    from tables t where t.relforcerowsecurity
  )
  select off, back from things order by turn, off`
