import type { CursorsOf } from './feed/feed-cursors.ts'
import type { FeedTails } from './feed/feed-tails.ts'
import { handleGetEvent } from './get-event.ts'
import { handleListEventChanges } from './list-event-changes.ts'
import { handleListEvents } from './list-events.ts'
import { handleStreamEvents } from './stream-events.ts'

/** What the handlers of activity need. */
export interface ActivityParts {
  tails: FeedTails
  cursorsOf: CursorsOf
  /** The longest silence of a stream, in milliseconds. */
  heartbeat: number
}

/** The handlers of this slice. Add a line for each new handler. */
export const activityHandlers = ({ tails, cursorsOf, heartbeat }: ActivityParts) => [
  handleGetEvent,
  handleListEventChanges(tails, cursorsOf),
  handleListEvents(cursorsOf),
  handleStreamEvents(tails, cursorsOf, heartbeat),
]
