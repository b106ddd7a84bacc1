import type { TestService } from '../service.ts'

/** A kind of change that was made to rows of a table, such as `update rooms`. */
type RowChange = string

const watched = new WeakSet<object>()

/**
 * The committed changes of rows since the last call, in every table of the service but two: the rate limits count reads and
 * refusals too, and the sweeper of content notes by the clock where it is. The first call begins to watch, and gives none. A
 * row that is written again as it was counts as changed.
 */
export async function rowChanges({
  sql,
  testDatabase,
}: Pick<TestService, 'sql' | 'testDatabase'>): Promise<RowChange[]> {
  if (!watched.has(testDatabase)) await sql(watchTables)
  watched.add(testDatabase)
  const rows = await sql<{ change: string }>(
    `with noted as (delete from row_changes.noted returning change) select distinct change from noted order by 1`,
  )
  return rows.map(({ change }) => change)
}

/**
 * A trigger of each table notes what is done to its rows. It belongs to the transaction that does it, so what is rolled back
 * is not noted. A row trigger of a partitioned table is one of its partitions too, later ones included.
 */
const watchTables = `
  create schema row_changes;
  create unlogged table row_changes.noted (change text not null);
  create function row_changes.note() returns trigger language plpgsql as $$
  begin
    insert into row_changes.noted values (lower(tg_op) || ' ' || tg_table_name);
    return null;
  end $$;
  grant usage on schema row_changes to public;
  grant insert on row_changes.noted to public;
  do $$
  declare watched record;
  begin
    for watched in
      select oid::regclass as name, relkind, relispartition from pg_class
      where relnamespace = 'svc'::regnamespace and relkind in ('r', 'p') and relname not in ('rate_limits', 'content_sweep')
    loop
      if not watched.relispartition then
        execute format(
          'create trigger row_changes after insert or update or delete on %s for each row execute function row_changes.note()',
          watched.name);
      end if;
      execute format(
        'create trigger row_changes_truncate after truncate on %s for each statement execute function row_changes.note()',
        watched.name);
    end loop;
  end $$`
