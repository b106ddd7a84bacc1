import { randomBytes } from 'node:crypto'
import { write } from './statement.ts'
import type { WriterPool } from './connections/writer.ts'

/**
 * The secret that all nodes share: the configured one, or one that was generated at the first start and is kept in the
 * database, where only the writing role can read it. A configured secret also protects a dump of the database.
 */
export async function serviceSecret(writers: WriterPool, configured: string | null): Promise<Buffer> {
  if (configured !== null) return Buffer.from(configured)
  return writers.transaction({ workspace_id: null, user_id: null }, async tx => {
    await tx.run(keepSecret, { value: randomBytes(32) })
    const [kept] = await tx.run(keptSecret, {})
    if (!kept) throw new Error('The service secret could not be kept.')
    return kept.value
  })
}

const keepSecret = write(
  'secret_keep',
  `insert into service_secrets (name, value) values ('fingerprints', :value) on conflict (name) do nothing`,
)
// Declared as a write, because the reading role may not see it.
const keptSecret = write<{ value: Buffer }>(
  'secret_kept',
  `select value from service_secrets where name = 'fingerprints'`,
)
