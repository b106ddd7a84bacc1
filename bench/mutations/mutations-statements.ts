import { join } from 'node:path'
import { openDatabaseServer } from '../../packages/server/src/database/database.ts'
import { openHttpConnection } from '../http-connection.ts'
import { makeTargets, patchRoom, type Target } from './mutations-load.ts'
import { startService } from './mutations-services.ts'
import { countStatements, type RoundTrips } from '../statement-counter.ts'

/** The statements that one PATCH of a Room sends to PostgreSQL. */
export interface StatementsOfPatch {
  statements: number
  round_trips: number
  sent: RoundTrips
}

/**
 * Counts them on a service of its own, whose PostgreSQL is behind a counter: one PATCH after the other, and the most
 * frequent result.
 */
export async function statementsOfPatch(main: string, folder: string): Promise<StatementsOfPatch> {
  const silent = { info: () => {}, warn: () => {} }
  const server = await openDatabaseServer({
    databaseUrl: null,
    dataDir: join(folder, 'database'),
    log: silent,
  })
  try {
    const { host, port, user } = server.address
    const counter = await countStatements(join(host ?? '', `.s.PGSQL.${port}`))
    const service = await startService(main, folder, {
      DATABASE_URL: `postgresql://${user}@127.0.0.1:${counter.port}/postgres`,
    })
    try {
      const [target] = await makeTargets(service.base_url, service.owner, { workspaces: 1, connections: 1 })
      const line = await openHttpConnection(service.base_url)
      const seen: RoundTrips[] = []
      for (let i = 0; i < 30; i++) {
        counter.take()
        await patchRoom(line, target as Target, service.owner.access_token)
        seen.push(counter.take())
      }
      line.close()
      const sent = usual(seen)
      return { statements: sent.flat().length, round_trips: sent.length, sent }
    } finally {
      await service.stop()
      await counter.close()
    }
  } finally {
    await server.stop()
  }
}

/** The most frequent result, because background statements interfere now and then. */
function usual(seen: readonly RoundTrips[]): RoundTrips {
  const times = new Map<string, number>()
  for (const sent of seen.map(batch => JSON.stringify(batch))) times.set(sent, (times.get(sent) ?? 0) + 1)
  const [most = '[]'] = [...times].sort(([, a], [, b]) => b - a)[0] ?? []
  return JSON.parse(most) as RoundTrips
}
