import { setTimeout as sleep } from 'node:timers/promises'
import { connectOwner } from '../../packages/server/src/database/database.ts'
import type { DatabaseAddress } from '../../packages/server/src/database/connections/connection.ts'
import { createClient } from '../../packages/sdk/src/index.ts'
import { createRecorder } from './recorder.ts'
import type { FailedAttempt } from './records.ts'
import type { LoadWorkspace } from './workspaces.ts'

export interface FollowersReport {
  streams: number
  /** Events received, over all streams. */
  received: number
  /** Events of the database that a stream did not get, and those that it got twice. */
  missed: number
  doubled: number
  /** Attempts to open a stream that failed. A stream that ends is opened again and does not count. */
  attempts: FailedAttempt[]
}

/** Streams of events that go on until they are stopped. */
export interface Followers {
  /** Waits, half a minute at most, until all streams have all events that are in the database, and compares. */
  stop(address: DatabaseAddress): Promise<FollowersReport>
}

/** Opens so many streams in each Workspace, each of which gets all events from now on. Requests are sent with `send`. */
export async function startFollowers(
  base_url: string,
  workspaces: readonly LoadWorkspace[],
  each: number,
  send?: typeof fetch,
): Promise<Followers> {
  const recorder = createRecorder(send)
  const ending = new AbortController()
  const opened = await Promise.all(
    workspaces.map(async ({ workspace_id, api_key }) => {
      const settings = { base_url, api_key, workspace_id, attempts: 100 }
      const client = createClient(settings)
      // A place to begin at, which a Workspace without events does not have.
      await client.createRoom({ title: 'The first Room' })
      const { data, cursor, has_more } = await client.listEventChanges({ limit: 100 })
      if (has_more) throw new Error('The Workspace has too many events already.')
      const streams = Array.from({ length: each }, () => {
        const received: string[] = []
        const follow = async () => {
          const { call } = recorder.client(settings)
          await call(async client => {
            for await (const { id } of client.events.follow({ cursor, signal: ending.signal }))
              received.push(id)
          })
        }
        return { received, ended: follow() }
      })
      return { workspace_id, earlier: data.map(({ id }) => id), streams }
    }),
  )
  const streams = opened.flatMap(follower => follower.streams)

  return {
    async stop(address) {
      const owner = await connectOwner(address)
      try {
        const compared: { missed: number; doubled: number }[] = []
        for (const { workspace_id, earlier, streams } of opened) {
          const { rows } = await owner.query<{ id: string }>(
            `select id from svc.events where workspace_id = $1 and feed = 'activity' and id <> all ($2)`,
            [workspace_id, earlier],
          )
          await until(() => streams.every(({ received }) => received.length >= rows.length))
          for (const { received } of streams) {
            const known = new Set(received)
            const missed = rows.filter(({ id }) => !known.has(id)).length
            compared.push({ missed, doubled: received.length - known.size })
          }
        }
        ending.abort()
        await Promise.all(streams.map(({ ended }) => ended))
        const sum = (of: 'missed' | 'doubled') =>
          compared.reduce((total, comparison) => total + comparison[of], 0)
        return {
          streams: streams.length,
          received: streams.reduce((total, { received }) => total + received.length, 0),
          missed: sum('missed'),
          doubled: sum('doubled'),
          attempts: recorder.failed,
        }
      } finally {
        await owner.end()
      }
    },
  }
}

async function until(isSo: () => boolean): Promise<void> {
  for (const end = performance.now() + 30_000; !isSo() && performance.now() < end;) await sleep(50)
}
