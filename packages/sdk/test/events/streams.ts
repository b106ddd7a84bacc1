import type { ServerResponse } from 'node:http'
import type { EventFeed } from '@wbs/sdk'
import { follow, type Bounds } from '../../src/events/follow.ts'
import type { FollowOptions } from '../../src/events/options.ts'
import type { ClientSettings } from '../../src/settings.ts'
import { answer, type Reaction, type ScriptedServer } from '../scripted-server.ts'

/** A busy machine keeps to them. Tests of what is beyond them set their own. */
const usualBounds: Bounds = { opening: 20_000, silence: 20_000, polling: 60_000 }
/** For streams that are given up in any case. */
export const shortBounds = { opening: 400, silence: 600 }

export function followed(
  server: Pick<ScriptedServer, 'base_url'>,
  options: FollowOptions = {},
  settings: Partial<ClientSettings> = {},
  bounds: Partial<Bounds> = {},
): EventFeed {
  const all = { base_url: server.base_url, access_token: 'token', ...settings }
  return follow(all, options, { ...usualBounds, ...bounds })
}

/** The ids of the next events. */
export async function take(feed: EventFeed, count: number): Promise<string[]> {
  const ids: string[] = []
  while (ids.length < count) {
    const { value, done } = await feed.next()
    if (done === true) break
    ids.push(value.id)
  }
  return ids
}

/** An event as the service sends it on a stream. Its cursor is its number. */
export const message = (number: number) => `id: ${number}\ndata: {"id":"evt_${number}"}\n\n`
export const comment = (cursor: string) => `: nothing new\nid: ${cursor}\n\n`
/** The opening of a stream: clients reconnect after so many milliseconds. */
export const opening = (cursor: string) => `retry: 20\n\n${comment(cursor)}`

/** Opens a stream, writes to it, and does something with it. */
export const stream =
  (text: string | Buffer, then: (response: ServerResponse) => void = () => {}): Reaction =>
  response => {
    response.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8' })
    response.write(text)
    then(response)
  }

export const streamAndEnd = (text: string | Buffer): Reaction => stream(text, response => response.end())

/** An answer of listEventChanges. */
export const changes = (numbers: number[], cursor: string | null, has_more = false): Reaction =>
  answer(200, { data: numbers.map(number => ({ id: `evt_${number}` })), cursor, has_more })

/** The path and the cursor of each request. */
export const askedFor = ({ seen }: ScriptedServer): string[] =>
  seen.map(({ url }) => {
    const { pathname, searchParams } = new URL(url, 'http://x')
    return `${pathname.replace('/v1/events/', '')} ${searchParams.get('cursor')}`
  })
