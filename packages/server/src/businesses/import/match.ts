import type pg from 'pg'
import { rejectCodes } from './rows/row.ts'
import type { RejectsFile } from './rows/rejects.ts'
import { stagedColumns } from './rows/staged-row.ts'

/** What the staged rows come to. Ranges are of the column `n`, both ends included. */
export interface Plan {
  created: number
  updated: number
  unchanged: number
  /** Of `changed_rows`: within a range no Business occurs twice. */
  changedRanges: { from: number; to: number }[]
}

/**
 * Sorts what is staged. Rows of records that are new go to the temporary table `new_rows`, numbered in the order of
 * their ids; rows of records that say something else than before, or whose draft is to be published, to `changed_rows`.
 */
export async function matchRows(
  client: pg.Client,
  files: readonly string[],
  publish: boolean,
  rejects: RejectsFile,
): Promise<Plan> {
  await client.query(refusedTable)
  await client.query(refuseDuplicates)
  if (!publish) await client.query(refuseChangesOfPublished)
  await rejectRefused(client, files, rejects)
  const created = await client.query(newRows)
  const updated = await client.query(changedRows(publish))
  await client.query('create index on new_rows (n)')
  await client.query('create index on changed_rows (n)')
  await client.query('analyze new_rows (n, source)')
  await client.query('analyze changed_rows (n, source)')
  return {
    created: created.rowCount ?? 0,
    updated: updated.rowCount ?? 0,
    unchanged: (await countStaged(client)) - (created.rowCount ?? 0) - (updated.rowCount ?? 0),
    changedRanges: await rangesByTurn(client),
  }
}

const refusedTable = `
  create temp table refused (
    n bigint generated always as identity primary key,
    code text, file smallint, line integer, source text, source_id text, raw text
  )`

// Grouping first: it hashes two short columns, while telling the rows of a group apart sorts them.
const refuseDuplicates = `
  with duplicate as (
    delete from staged s using (
      select ctid as place, row_number() over (partition by source, source_id order by file, line) as turn
      from staged
      where (source, source_id) in (select source, source_id from staged group by 1, 2 having count(*) > 1)
    ) d
    where d.place = s.ctid and d.turn > 1
    returning s.*
  )
  insert into refused (code, file, line, source, source_id, raw)
  select 'duplicate', file, line, source, source_id, raw from duplicate order by file, line`

const refuseChangesOfPublished = `
  with change as (
    delete from staged s using business_sources r join businesses b on b.id = r.business_id
    where r.source = s.source and r.source_id = s.source_id and r.digest is distinct from s.digest
      and b.publication_status = 'published'
    returning s.*
  )
  insert into refused (code, file, line, source, source_id, raw)
  select 'published', file, line, source, source_id, raw from change order by file, line`

// Without raw, which is half of a row: this sorts them all.
const facts = stagedColumns
  .filter(column => column !== 'raw')
  .map(column => `s.${column}`)
  .join(', ')

const newRows = `
  create temp table new_rows as
  select row_number() over (order by s.body) as n, 'biz_' || s.body as business_id, ${facts}
  from staged s
  where not exists (select from business_sources r where r.source = s.source and r.source_id = s.source_id)
  order by s.body`

// Two records may be of one Business, since Businesses can be merged: each record then has its turn.
const changedRows = (publish: boolean) => `
  create temp table changed_rows as
  select row_number() over (order by c.turn, c.business_id) as n, c.*
  from (
    select r.business_id, r.fields as gave, ${publish} and b.publication_status = 'draft' as publishes,
           row_number() over (partition by r.business_id order by r.source, r.source_id) as turn, ${facts}
    from staged s
    join business_sources r on r.source = s.source and r.source_id = s.source_id
    join businesses b on b.id = r.business_id
    where r.digest is distinct from s.digest or (${publish} and b.publication_status = 'draft')
  ) c
  order by n`

async function rejectRefused(
  client: pg.Client,
  files: readonly string[],
  rejects: RejectsFile,
): Promise<void> {
  for (let after = '0'; ;) {
    const { rows } = await client.query<Refused>('select * from refused where n > $1 order by n limit 2000', [
      after,
    ])
    for (const { n, code, file, ...row } of rows) {
      rejects.add({
        ...row,
        file: files[file] ?? '',
        reasons: [{ column: '', code, detail: rejectCodes[code] }],
      })
      after = n
    }
    await rejects.write()
    if (rows.length === 0) return
  }
}

interface Refused {
  n: string
  code: 'duplicate' | 'published'
  file: number
  line: number
  source: string
  source_id: string
  raw: string
}

async function countStaged(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ count: number }>('select count(*)::integer as count from staged')
  return rows[0]?.count ?? 0
}

async function rangesByTurn(client: pg.Client): Promise<Plan['changedRanges']> {
  const { rows } = await client.query<{ from: number; to: number }>(
    'select min(n)::integer as "from", max(n)::integer as "to" from changed_rows group by turn order by turn',
  )
  return rows
}
