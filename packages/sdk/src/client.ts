import { follow } from './events/follow.ts'
import type { EventFeed, FollowOptions } from './events/options.ts'
import type { Methods } from './generated/types.ts'
import type { Call } from './methods.ts'
import { operations, type Operation } from './operations.ts'
import { followPages } from './pages.ts'
import { send } from './send.ts'
import type { CallOptions, ClientSettings } from './settings.ts'
import type { UploadedFile, UploadOptions, UploadSource } from './upload/options.ts'

/** One method for each operation, and those that run several operations. */
export type Client = Methods & {
  /**
   * Uploads a File or, with `file_id`, a new version of one: in parts that are sent in parallel and again after a failure.
   * Throws UploadFailed if the service does not accept the content, and what methods throw. If it throws anything other
   * than UploadFailed, the upload stays open, and `resume` continues it.
   */
  uploadFile(source: UploadSource, options?: UploadOptions): Promise<UploadedFile>
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
  return {
    ...methods,
    async uploadFile(source, options = {}) {
      // Loaded when it is needed: it is half of the client, and most pages upload nothing.
      const { uploadFile } = await import('./upload/upload-file.ts')
      return uploadFile({ settings, methods }, source, options)
    },
    events: { follow: options => follow(settings, options) },
  }
}

function methodOf(settings: ClientSettings, operation: Operation) {
  function call(input: object = {}, options: CallOptions = {}): Call<unknown> {
    const received = send(settings, operation, { ...input }, options)
    const answer = received.then(one => one.answer)
    // Derived from the answer, so that a failure is not reported for the answer too.
    return Object.assign(answer, { withResponse: () => answer.then(() => received) })
  }
  const each = (input: object = {}, options: CallOptions = {}) =>
    followPages(input, place => call(place, options))
  return operation.list ? Object.assign(call, { each }) : call
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
