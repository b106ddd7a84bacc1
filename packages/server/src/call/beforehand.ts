import { isDeepStrictEqual } from 'node:util'
import type { Caller } from './authority/caller.ts'
import type { GuestStanding, Standing } from './authority/standing.ts'
import type { Pipeline, ValidRequest } from './call.ts'
import { waitAtOnce } from './waiting/wait-without-slot.ts'
import { Unprepared } from './commands/attempts.ts'

/** What is done before the transaction of a change, for all attempts of one request. */
export interface Beforehand {
  /** Whether the handler may run. */
  isPrepared(): boolean
  /** What `prepare` returned. Throws Unprepared before that. */
  prepared(standing: Standing | GuestStanding | null): unknown
  /** What `compute` made of `asked`. Throws Unprepared unless that was the last thing it was asked. */
  computed(asked: never): unknown
  /** Takes back what `prepare` did. What fails of that is made up for later, so nobody waits for it or is told. */
  abandon(): void
}

export function createBeforehand(
  { readers, now }: Pipeline,
  caller: Caller | null,
  { implementation, headers, input, waitWithoutSlot = waitAtOnce, gone }: ValidRequest,
): Beforehand {
  const { operation, prepare, compute, abandon } = implementation
  const { workspace_id } = headers
  let done: { prepared: unknown } | null = prepare ? null : { prepared: undefined }
  let last: { asked: unknown; result: unknown } | null = null
  return {
    isPrepared: () => done !== null,
    prepared(standing) {
      if (done) return done.prepared
      throw new Unprepared(async () => {
        if (!caller || workspace_id === null)
          throw new Error(`${operation.name} prepares a change outside a Workspace.`)
        const read = readers.scoped({ workspace_id, user_id: caller.user_id })
        const context = { caller, standing, read, now: now(), waitWithoutSlot }
        done = { prepared: await prepare?.(input as never, context as never) }
      })
    },
    computed(asked) {
      if (last && isDeepStrictEqual(last.asked, asked)) return last.result
      throw new Unprepared(async () => {
        const result = await waitWithoutSlot(async () => compute?.(asked, gone()))
        last = { asked, result }
      })
    },
    abandon() {
      if (!done || workspace_id === null) return
      abandon?.(done.prepared as never, { workspace_id }).catch(() => undefined)
    },
  }
}
