import type { ClientBase } from 'pg'
import { CommitUnknown } from '../faults.ts'

/** Notices COMMITs that PostgreSQL confirmed without the synchronous standby. */
export interface ReplicationWatch {
  watch(client: ClientBase): void
  /** Throws CommitUnknown if a wait for the standby was cut short on this connection, which must then be discarded. */
  requireWaited(client: ClientBase): void
}

/**
 * If a session that waits for the synchronous standby is canceled, PostgreSQL answers COMMIT as usual after a warning:
 * the change is on the leader alone, and is lost with it.
 */
export function watchReplication(): ReplicationWatch {
  const cutShort = new WeakSet<ClientBase>()
  return {
    watch: client =>
      // The text of the warning depends on the language of the server, and its code is that of any warning.
      void client.on('notice', ({ routine }) => {
        if (routine === 'SyncRepWaitForLSN') cutShort.add(client)
      }),
    requireWaited(client) {
      if (cutShort.has(client)) throw new CommitUnknown('The wait for the synchronous standby was canceled.')
    },
  }
}
