import type pg from 'pg'
import { rejectCodes } from './rows/row.ts'
import type { RejectsFile } from './rows/rejects.ts'
import { stagedColumns } from './rows/staged-row.ts'

/** What to do with the staged rows. Ranges are of the column `n`, both ends included. */
export interface Plan {
  created: number
  updated: number
  unchanged: number
  /** Ranges of `changed_rows`. Within a range no Business occurs twice. */
  changedRanges: { from: number; to: number }[]
}

/**
 * Sorts the staged rows. Rows of new records go to the temporary table `new_rows`, numbered in the order of their ids. Rows of
 * records that changed, or whose draft is to be published, go to `changed_rows`.
 */
export async function matchRows(
  client: pg.Client,
  files: readonly string[],
  publish: boolean,
  rejects: RejectsFile,
): Promise<Plan> {
  await client.query(rejectedTable)
  await client.query(rejectDuplicates)
  if (!publish) await client.query(rejectChangesOfPublished)
  await reportRejected(client, files, rejects)
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

const rejectedTable = `
  create temp table rejected (
    n bigint generated always as identity primary key,
    code text, file smallint, line integer, source text, source_id text, raw text
  )`

// Groups first, which hashes two short columns; numbering the rows within groups has to sort them.
const rejectDuplicates = `
  with duplicate as (
    delete from staged s using (
      select ctid as row_id, row_number() over (partition by source, source_id order by file, line) as occurrence
      from staged
      where (source, source_id) in (select source, source_id from staged group by 1, 2 having count(*) > 1)
    ) d
    where d.row_id = s.ctid and d.occurrence > 1
    returning s.*
  )
  insert into rejected (code, file, line, source, source_id, raw)
  select 'duplicate', file, line, source, source_id, raw from duplicate order by file, line`

const rejectChangesOfPublished = `
  with change as (
    delete from staged s using business_sources r join businesses b on b.id = r.business_id
    where r.source = s.source and r.source_id = s.source_id and r.digest is distinct from s.digest
      and b.publication_status = 'published'
    returning s.*
  )
  insert into rejected (code, file, line, source, source_id, raw)
  select 'published', file, line, source, source_id, raw from change order by file, line`

// Without `raw`, which is half of a row, because this sorts all rows.
const factColumnsSql = stagedColumns
  .filter(column => column !== 'raw')
  .map(column => `s.${column}`)
  .join(', ')

const newRows = `
  create temp table new_rows as
  select row_number() over (order by s.body) as n, 'biz_' || s.body as business_id, ${factColumnsSql}
  from staged s
  where not exists (select from business_sources r where r.source = s.source and r.source_id = s.source_id)
  order by s.body`

// Several records can belong to one Business, because Businesses can be merged; they are then written one after the other.
const changedRows = (publish: boolean) => `
  create temp table changed_rows as
  select row_number() over (order by c.turn, c.business_id) as n, c.*
  from (
    select r.business_id, r.fields as earlier_fields, ${publish} and b.publication_status = 'draft' as is_published_now,
           row_number() over (partition by r.business_id order by r.source, r.source_id) as turn, ${factColumnsSql}
    from staged s
    join business_sources r on r.source = s.source and r.source_id = s.source_id
    join businesses b on b.id = r.business_id
    where r.digest is distinct from s.digest or (${publish} and b.publication_status = 'draft')
  ) c
  order by n`

async function reportRejected(
  client: pg.Client,
  files: readonly string[],
  rejects: RejectsFile,
): Promise<void> {
  for (let after = '0'; ;) {
    const { rows } = await client.query<RejectedRow>(
      'select * from rejected where n > $1 order by n limit 2000',
      [after],
    )
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

interface RejectedRow {
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
