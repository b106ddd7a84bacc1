import { listEvents } from '@wbs/contract/activity'
import { implement } from '../call/implement.ts'
import { viewerOf } from '../rooms/room-access.ts'
import { requireVisibleScope } from './event-access.ts'
import { eventsPage } from './event-store.ts'
import { presentEvent } from './event-view.ts'
import { readCursor, type CursorsOf } from './feed/feed-cursors.ts'

export const handleListEvents = (cursorsOf: CursorsOf) =>
  implement(listEvents, async function listEvents(input, context) {
    const { room_id, business_id, actor, about, types = null, since, after, limit = 20 } = input
    const { caller, standing, read, refuse } = context
    const cursors = cursorsOf(standing.workspace_id)
    const before = readCursor(cursors, { in: 'query', pointer: '/after' }, after, refuse)
    await requireVisibleScope(context, { room_id, business_id })
    const { events, next } = await eventsPage(
      read,
      viewerOf({ caller, standing }),
      { room_id, business_id },
      {
        actor: actor === undefined ? null : actor === 'me' ? caller.user_id : actor.toLowerCase(),
        about: about === undefined ? null : caller.user_id,
        types,
        since: since === undefined ? null : Date.parse(since),
      },
      { before, limit },
    )
    const data = events.map(event => presentEvent(event, caller))
    return { result: { data, next_cursor: cursors.textOf(next), has_more: next !== null } }
  })
