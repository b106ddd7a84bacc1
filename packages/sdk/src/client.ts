import { follow } from './events/follow.ts'
import type { EventFeed, FollowOptions } from './events/options.ts'
import type { Methods } from './generated/types.ts'
import type { Call } from './methods.ts'
import { operations, type Operation } from './operations.ts'
import { followPages } from './pages.ts'
import { send } from './send.ts'
import { keepSettings } from './settings-of.ts'
import type { CallOptions, ClientSettings } from './settings.ts'

/** One method for each operation, and the feed of events. Uploads are a function, `uploadFile`. */
export type Client = Methods & {
  readonly events: {
    /** Yields events as they happen, for as long as the loop that reads them runs. */
    follow(options?: FollowOptions): EventFeed
  }
}

/**
 * Creates a client. It has a method for each operation. Throws TypeError for settings that
 * contradict each other.
 */
export function createClient(settings: ClientSettings): Client {
  if (settings.access_token !== undefined && settings.api_key !== undefined)
    throw new TypeError('A client has an access_token or an api_key, not both.')
  const answered = operations.filter(({ answers }) => answers !== 'stream')
  const named = answered.map(operation => [camelCase(operation.name), methodOf(settings, operation)])
  const methods = Object.fromEntries(named) as Methods
  const client: Client = { ...methods, events: { follow: options => follow(settings, options) } }
  keepSettings(client, settings)
  return client
}

function methodOf(settings: ClientSettings, operation: Operation) {
  function call(input: object = {}, options: CallOptions = {}): Call<unknown> {
    const received = send(settings, operation, { ...input }, options)
    const answer = received.then(response => response.answer)
    // Derived from the answer, so that a failure is not reported for the answer too.
    return Object.assign(answer, { withResponse: () => answer.then(() => received) })
  }
  const each = (input: object = {}, options: CallOptions = {}) =>
    followPages(input, place => call(place, options))
  return operation.list ? Object.assign(call, { each }) : call
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
