import pg from 'pg'
import type { DatabaseAddress } from '../../../src/database/connections/connection.ts'

/** The same server, another database. */
export function addressOf(address: DatabaseAddress, database: string): DatabaseAddress {
  if (address.connectionString === undefined) return { ...address, database }
  const url = new URL(address.connectionString)
  url.pathname = `/${database}`
  return { connectionString: url.href }
}

export async function administer<T>(
  address: DatabaseAddress,
  work: (client: pg.Client) => Promise<T>,
): Promise<T> {
  const client = new pg.Client(address)
  await client.connect()
  try {
    return await work(client)
  } finally {
    await client.end()
  }
}
