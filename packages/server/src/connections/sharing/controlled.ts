import type { EventDraft, EventType } from '@wbs/contract/events'
import type { JobDraft } from '../../jobs/job-kinds.ts'
import type { CallerInWorkspace } from '../../rooms/room-access.ts'
import type { VisibleConnectionRow } from '../connection-store.ts'
import { connectionResource, presentConnection } from '../connection-view.ts'

/** The outcome of a change of a connection's status. Without events it was unchanged. */
export const controlled = <Type extends EventType = never>(
  connection: VisibleConnectionRow,
  context: CallerInWorkspace,
  events: readonly EventDraft<Type>[] = [],
  jobs: readonly JobDraft[] = [],
) => ({
  result: { data: presentConnection(connection, context) },
  resource: connectionResource(connection),
  changed: events.length > 0 ? ['status'] : [],
  events,
  jobs,
})
