import type pg from 'pg'

/**
 * Adds synthetic Businesses to the real ones. A synthetic name is the first word of one real name and the rest of
 * another; its place, NAICS code and status are those of a third, fourth and fifth, so each has the real distribution.
 * With `details`, it also has the description of the fifth, most have a founding day, and one in 200 is in Canada. The search
 * index is rebuilt afterwards, as in a bulk load.
 */
export async function addSyntheticBusinesses(
  client: pg.Client,
  wanted: number,
  tell: (line: string) => void,
  { details = false } = {},
): Promise<void> {
  const { rows } = await client.query<{ there: number }>(
    'select count(*)::int as there from published_businesses',
  )
  const missing = wanted - (rows[0]?.there ?? 0)
  if (missing <= 0) return
  tell(`adding ${missing} synthetic Businesses`)
  await client.query(
    `set statement_timeout = 0; set lock_timeout = 0; set maintenance_work_mem = '1GB'; set max_parallel_maintenance_workers = 2`,
  )
  await client.query(realFacts)
  await client.query('drop index published_businesses_search, published_businesses_website')
  const batch = 250_000
  for (let done = 0; done < missing; done += batch) {
    await extendPartitions(client, done / batch, Math.min(batch, missing - done))
    await client.query(addBatch, [Math.min(batch, missing - done), done / batch, details])
    tell(`${done + Math.min(batch, missing - done)} of ${missing}`)
  }
  tell('making the search index')
  await client.query(`create index published_businesses_search on published_businesses
    using gin (name_folded public.gin_trgm_ops, terms) with (fastupdate = on, gin_pending_list_limit = 256)`)
  await client.query(
    'create index published_businesses_website on published_businesses using hash (website_url) where website_url is not null',
  )
  tell('vacuum and analyze')
  await client.query('vacuum (analyze) published_businesses')
  await client.query('vacuum (analyze) businesses')
}

/** As before an import: a new partition begins if the last one would become too large. */
async function extendPartitions(client: pg.Client, number: number, rows: number): Promise<void> {
  const last = await client.query<{ partition: string }>(
    'select partition::text from published_business_partitions where to_id is null',
  )
  // PostgreSQL extends it as its statistics say, and those of one short column are quickly made.
  await client.query(`analyze ${last.rows[0]?.partition} (status)`)
  await client.query('select extend_published_businesses($1, $2)', [
    `biz_02${String(number).padStart(4, '0')}0000`,
    rows,
  ])
}

const realFacts = `
  create temp table real_facts as
  select row_number() over () as n, name, state, city, country_code, naics_code, naics_vintage, naics_title, status, description
  from published_businesses;
  create unique index on real_facts (n);
  analyze real_facts`

/**
 * Ids ascend from batch to batch and are random within one, and rows are stored in the order of their ids, as after
 * several imports.
 */
const addBatch = `
  with size as (select count(*)::int as n from real_facts),
  picks as materialized (
    select i, 1 + floor(random() * size.n)::int as a, 1 + floor(random() * size.n)::int as b, 1 + floor(random() * size.n)::int as c,
           1 + floor(random() * size.n)::int as d, 1 + floor(random() * size.n)::int as e, random() as r
    from generate_series(1, $1) i, size
  ), bodies as (
    select i, a, b, c, d, e, r, $3 and i % 200 = 0 as is_abroad,
      'biz_02' || lpad($2::text, 4, '0') || substr(upper(md5(random()::text || i)), 1, 20) as id
    from picks
  ), made as (
    select x.id,
      split_part(ra.name, ' ', 1) || case when position(' ' in rb.name) > 0 then substr(rb.name, position(' ' in rb.name)) else ' ' || rb.name end as name,
      case when x.is_abroad then 'ON' else rc.state end as state, case when x.is_abroad then 'Ottawa' else rc.city end as city,
      case when x.is_abroad then 'CA' else rc.country_code end as country_code, rd.naics_code, rd.naics_vintage, rd.naics_title, re.status,
      case when x.r < 0.1 then 'https://www.example.com/' || x.i end as website_url,
      case when $3 then re.description end as description,
      case when $3 and x.r > 0.4 then date '1950-01-01' + floor(power(random(), 0.6) * 27000)::int end as founded_on
    from bodies x
    join real_facts ra on ra.n = x.a join real_facts rb on rb.n = x.b join real_facts rc on rc.n = x.c
    join real_facts rd on rd.n = x.d join real_facts re on re.n = x.e
  ), kept as (
    insert into businesses (id, name, name_folded, publication_status, status, website_url, description, founded_on, published_at)
    select id, name, lower(name), 'published', status, website_url, description, founded_on, now() from made order by id
    returning id
  )
  insert into published_businesses (id, name, publication_status, status, published_at, website_url, description, founded_on,
    country_code, state, city,
    naics_code, naics_vintage, naics_title, name_folded, terms)
  select id, name, 'published', status, now(), website_url, description, founded_on, country_code, state, city,
    naics_code, naics_vintage, naics_title, lower(name),
    search_terms(status, country_code, state, lower(city), naics_vintage, naics_code) || name_gaps(lower(name))
  from made order by id`
