import type { TestService } from './service.ts'

/**
 * A checksum of each table of the service, to assert that nothing was changed. Rate limits are left out: they count every
 * request, reads and refusals too.
 */
export async function checksums({ sql }: Pick<TestService, 'sql'>): Promise<Record<string, string>> {
  const tables = await sql<{ name: string }>(
    `select c.oid::regclass::text as name from pg_class c where c.relnamespace = 'svc'::regnamespace and c.relkind = 'r' and c.relname <> 'rate_limits' order by 1`,
  )
  const sums = tables.map(
    ({ name }) =>
      `select '${name}' as name, md5(coalesce(string_agg(t::text, '|' order by t::text), '')) as sum from ${name} t`,
  )
  const rows = await sql<{ name: string; sum: string }>(sums.join(' union all '))
  return Object.fromEntries(rows.map(({ name, sum }) => [name, sum]))
}
