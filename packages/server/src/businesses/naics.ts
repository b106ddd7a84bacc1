import { createHash } from 'node:crypto'
import { readFile } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { gunzipSync } from 'node:zlib'
import type pg from 'pg'
import { from as copyFrom } from 'pg-copy-streams'

const file = new URL('../../data/naics.csv.gz', import.meta.url)

/**
 * Loads the NAICS codes that the service brings along, all six editions, unless they are there. Answers whether it had
 * to. Takes a connection that may write, outside a transaction. Nodes that start together may all call it.
 */
export async function loadNaics(client: pg.ClientBase): Promise<boolean> {
  const packed = await readFile(file)
  const digest = createHash('sha256').update(packed).digest('hex')
  if (await isLoaded(client, digest)) return false
  await client.query('begin')
  try {
    await client.query(`select pg_advisory_xact_lock(hashtext('svc.naics'))`)
    const late = await isLoaded(client, digest)
    if (!late) await load(client, gunzipSync(packed), digest)
    await client.query('commit')
    return !late
  } catch (error) {
    await client.query('rollback').catch(() => undefined) // the connection may be what failed
    throw error
  }
}

/** Every code there is, as `<edition>:<code>`. */
export async function naicsCodes(client: pg.ClientBase): Promise<ReadonlySet<string>> {
  const { rows } = await client.query<[string]>({
    text: `select vintage || ':' || code from naics_codes`,
    rowMode: 'array',
  })
  return new Set(rows.map(([code]) => code))
}

// The row in reference_data holds the number of codes beside the digest, since a restore may bring one without the other.
async function isLoaded(client: pg.ClientBase, digest: string): Promise<boolean> {
  const { rowCount } = await client.query(
    `select from reference_data where name = 'naics' and digest = $1 || '/' || (select count(*) from naics_codes)`,
    [digest],
  )
  return rowCount === 1
}

async function load(client: pg.ClientBase, csv: Buffer, digest: string): Promise<void> {
  await client.query(`create temp table naics_import (like naics_codes) on commit drop`)
  const columns = 'code, title, vintage, level, parent_code'
  await pipeline(
    [csv],
    client.query(copyFrom(`copy naics_import (${columns}) from stdin (format csv, header)`)),
  )
  // Codes in use may not vanish, and editions are never rewritten, so that nothing is ever deleted here.
  await client.query(
    `insert into naics_codes (${columns}) select ${columns} from naics_import
     on conflict (vintage, code) do update set title = excluded.title, level = excluded.level, parent_code = excluded.parent_code`,
  )
  await client.query(
    `insert into reference_data (name, digest) select 'naics', $1 || '/' || count(*) from naics_codes
     on conflict (name) do update set digest = excluded.digest, loaded_at = now()`,
    [digest],
  )
}
