import type { Methods } from './generated/types.ts'
import { operations, type Operation } from './operations.ts'
import { followPages } from './pages.ts'
import { send } from './send.ts'
import type { CallOptions, ClientSettings } from './settings.ts'
import type { UploadedFile, UploadOptions, UploadSource } from './upload/options.ts'
import { uploadFile } from './upload/upload-file.ts'

/** One method for each operation, and those that run several operations. */
export type Client = Methods & {
  /**
   * Uploads a File or, with `file_id`, a new version of one: in parts that are sent in parallel and again after a failure.
   * Throws UploadFailed if the service does not accept the content, and what methods throw. If it throws anything other
   * than UploadFailed, the upload stays open, and `resume` continues it.
   */
  uploadFile(source: UploadSource, options?: UploadOptions): Promise<UploadedFile>
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
    uploadFile: (source, options = {}) => uploadFile({ settings, methods }, source, options),
  }
}

function methodOf(settings: ClientSettings, operation: Operation) {
  const call = (input: object = {}, options: CallOptions = {}) =>
    send(settings, operation, { ...input }, options)
  const each = (input: object = {}, options: CallOptions = {}) =>
    followPages(operation, next => call({ ...input, ...next }, options))
  return operation.list ? Object.assign(call, { each }) : call
}

const camelCase = (name: string) => name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
