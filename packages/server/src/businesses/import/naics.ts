import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { CsvReader } from './rows/csv.ts'

const file = new URL('../../../data/naics.csv.gz', import.meta.url)

/**
 * Loads the NAICS codes of all six editions, which are part of the service, unless they are in the database. Returns whether it
 * loaded them. Needs a connection that may write, outside a transaction. Nodes that start at the same time may all call it.
 */
export async function loadNaics(client: pg.ClientBase): Promise<boolean> {
  const packed = await readFile(file)
  const digest = createHash('sha256').update(packed).digest('hex')
  if (await isLoaded(client, digest)) return false
  await client.query('begin')
  try {
    await client.query(`select pg_advisory_xact_lock(hashtext('svc.naics'))`)
    const loadedMeanwhile = await isLoaded(client, digest)
    if (!loadedMeanwhile) await load(client, gunzipSync(packed), digest)
    await client.query('commit')
    return !loadedMeanwhile
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // the connection itself may have failed
    throw error
  }
}

/** All known codes, as `<edition>:<code>`. */
export async function naicsCodes(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<[string]>({
    text: `select vintage || ':' || code from naics_codes`,
    rowMode: 'array',
  })
  return new Set(rows.map(([code]) => code))
}

// The row in reference_data holds the number of codes with the digest, because a restore may bring one without the other.
async function isLoaded(client: pg.ClientBase, digest: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from reference_data where name = 'naics' and digest = $1 || '/' || (select count(*) from naics_codes)`,
    [digest],
  )
  return rowCount === 1
}

async function load(client: pg.ClientBase, csv: Buffer, digest: string): Promise<void> {
  // Nothing is deleted, because codes in use must stay and editions never change. Not through a temporary table, because the
  // login may not have the right to create one.
  await client.query(
    `insert into naics_codes (code, title, vintage, level, parent_code)
     select * from unnest($1::text[], $2::text[], $3::text[], $4::smallint[], $5::text[])
     on conflict (vintage, code) do update set title = excluded.title, level = excluded.level, parent_code = excluded.parent_code`,
    columnsOf(csv),
  )
  await client.query(
    `insert into reference_data (name, digest) select 'naics', $1 || '/' || count(*) from naics_codes
     on conflict (name) do update set digest = excluded.digest, loaded_at = now()`,
    [digest],
  )
}

/** The code, title, edition, level and parent of all codes. A sector has no parent. */
function columnsOf(csv: Buffer): (string | null)[][] {
  const reader = new CsvReader()
  const [, ...records] = [...reader.read(csv.toString()), ...reader.end()]
  return [0, 1, 2, 3, 4].map(column => records.map(({ fields }) => fields[column] || null))
}
