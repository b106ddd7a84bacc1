import type { ListEventChangesAnswer, StreamEventsInput } from '../generated/types.ts'

/** An event of the feed. */
export type FeedEvent = ListEventChangesAnswer['data'][number]

/** What to follow, and from where. */
export interface FollowOptions {
  /** Only events of this Room. */
  room_id?: string | undefined
  /** Only events of these types, or of all types of a resource: `room.*`. */
  types?: StreamEventsInput['types']
  /** Where to go on: the `cursor` of an earlier feed or of `listEventChanges`. Without it, the feed begins now. */
  cursor?: string | null | undefined
  /** Ends the feed, and with it the loop that reads it. */
  signal?: AbortSignal | undefined
  /** The Workspace, if it is not that of the client. */
  workspace_id?: string
}

/**
 * Events as they happen: each exactly once, in the order in which they were committed. It connects when the first event is
 * asked for, and reads no faster than its reader. It ends when its signal is aborted or its reader stops, and closes its
 * connection at once. Throws ProblemError when access ends or a parameter is wrong, and what methods throw if it never
 * reached the service.
 */
export interface EventFeed extends AsyncIterableIterator<FeedEvent, void, undefined> {
  /**
   * Where to go on after the last event that was read. Store it to continue after a restart of your program. While the feed
   * is read by long polls it moves from page to page, so that events of an unfinished page come again. Null if there is
   * nothing before what comes next, or the feed has not begun.
   */
  readonly cursor: string | null
}
