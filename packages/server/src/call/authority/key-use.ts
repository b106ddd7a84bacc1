import { write } from '../../database/statement.ts'
import type { WriterPool } from '../../database/connections/writer.ts'

/** Notes when each API key was last used. It is written in the background, so that no request waits for it. */
export interface KeyUse {
  note(key: { workspace_id: string; id: string }): void
  /** Writes what was noted since the last flush. A failed write is dropped, since the time of last use is only a hint. */
  flush(): Promise<void>
  /** Flushes, and stops the timer. */
  close(): Promise<void>
}

interface Settings {
  writers: WriterPool
  now: () => Date
  pauseMilliseconds?: number
}

export function createKeyUse({ writers, now, pauseMilliseconds = 60_000 }: Settings): KeyUse {
  let noted = new Map<string, Map<string, Date>>()

  async function flush(): Promise<void> {
    const uses = noted
    noted = new Map()
    for (const [workspace_id, keys] of uses)
      await writers
        .transaction({ workspace_id, user_id: null }, tx =>
          tx.run(rememberUses, { workspace_id, key_ids: [...keys.keys()], last_used: [...keys.values()] }),
        )
        .catch(() => undefined)
  }

  const timer = setInterval(() => void flush(), pauseMilliseconds).unref()
  return {
    note({ workspace_id, id }) {
      const keys = noted.get(workspace_id) ?? new Map<string, Date>()
      noted.set(workspace_id, keys.set(id, now()))
    },
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

const rememberUses = write(
  'api_key_uses_remember',
  `insert into api_key_uses as u (workspace_id, key_id, last_used_at)
   select :workspace_id, used.id, used.at from unnest(:key_ids::uuid[], :last_used::timestamptz[]) as used (id, at)
   on conflict (workspace_id, key_id) do update set last_used_at = greatest(u.last_used_at, excluded.last_used_at)`,
)
