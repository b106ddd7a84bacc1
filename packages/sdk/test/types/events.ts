import type { Event, EventFeed } from '@wbs/sdk'

// For the compiler alone: the type of an event says what its data holds.

type Next = EventFeed extends AsyncIterable<infer Item> ? Item : never

/** What changed, in one line. A program must accept types that it does not know. */
export function inWords(event: Next): string {
  switch (event.type) {
    case 'room.updated':
      return event.data.changed.join()
    case 'participant.access_changed':
      return `${event.data.previous_access_level ?? 'unknown'} to ${event.data.access_level}`
    case 'file.ready':
      // @ts-expect-error -- only a version that failed has an error
      return event.data.processing_error
    default:
      return event.subject.type
  }
}

true satisfies Next extends Event ? true : false
// @ts-expect-error -- there is no such type of event
export const isUnknown = (event: Event) => event.type === 'room.exploded'
