import { once } from 'node:events'
import { createServer, connect, type AddressInfo, type Socket } from 'node:net'
import type { DatabaseAddress } from '../../src/database/connections/connection.ts'

/** A way to a PostgreSQL that a test can cut, as an outage of the network or the server would. */
export interface SeverableDatabase {
  address: DatabaseAddress
  cut(): void
  mend(): void
  close(): Promise<void>
}

export async function severable(database: DatabaseAddress): Promise<SeverableDatabase> {
  const open = new Set<Socket>()
  let isCut = false
  const proxy = createServer(near => {
    if (isCut) {
      near.destroy()
      return
    }
    const far = connect(targetOf(database))
    for (const [socket, other] of [
      [near, far],
      [far, near],
    ] as const) {
      open.add(socket)
      socket.pipe(other)
      socket.on('error', () => other.destroy())
      socket.on('close', () => {
        open.delete(socket)
        other.destroy()
      })
    }
  })
  proxy.listen(0, '127.0.0.1')
  await once(proxy, 'listening')
  const { port } = proxy.address() as AddressInfo
  const severAll = () => open.forEach(socket => socket.destroy())
  return {
    address: throughPort(database, port),
    cut() {
      isCut = true
      severAll()
    },
    mend: () => void (isCut = false),
    async close() {
      severAll()
      proxy.close()
      await once(proxy, 'close')
    },
  }
}

function targetOf({ connectionString, host = '', port = 5432 }: DatabaseAddress) {
  const url = connectionString === undefined ? null : new URL(connectionString)
  const at = { host: url?.searchParams.get('host') ?? url?.hostname ?? host, port: Number(url?.port || port) }
  return at.host.startsWith('/') ? { path: `${at.host}/.s.PGSQL.${at.port}` } : at
}

function throughPort(database: DatabaseAddress, port: number): DatabaseAddress {
  if (database.connectionString === undefined) return { ...database, host: '127.0.0.1', port }
  const url = new URL(database.connectionString)
  url.searchParams.delete('host')
  url.host = `127.0.0.1:${port}`
  return { connectionString: url.href }
}
