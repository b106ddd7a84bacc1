import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync } from 'node:zlib'

/** Somebody who sent recorded requests: what the claims of their tokens say. */
export interface RecordedPerson {
  subject: string
  name: string
  email: string
}

/** A request to a release, and what the release answered. */
export interface RecordedRequest {
  operation: string
  method: string
  /** The path with the query string. */
  target: string
  /** `authorization` is not among them: the test signs a token for the person. */
  headers: Record<string, string>
  body?: string
  person: RecordedPerson
  /** `body` is text, in which `http://service` stands for the address of the service. */
  answer: { status: number; body: string }
}

/** What is kept of a release: requests that change nothing any more, and beside them a backup of its data. */
export interface RecordedRelease {
  version: string
  /** RFC 3339. */
  recorded_at: string
  /** The namespace of user ids, which follow from it and the subject. */
  namespace: string
  requests: RecordedRequest[]
}

export const addressPlaceholder = 'http://service'

/** The folder of the data of a release. */
export const folderOf = (version: string): string => join(import.meta.dirname, version)
export const backupOf = (version: string): string => join(folderOf(version), 'backup.tar.gz')
export const requestsOf = (version: string): string => join(folderOf(version), 'requests.json.gz')

/** The releases whose data is kept, oldest first. */
export const keptReleases = (): string[] =>
  globSync('*/requests.json.gz', { cwd: import.meta.dirname })
    .map(path => path.split('/', 1)[0] as string)
    .sort((one, other) => one.localeCompare(other, 'en', { numeric: true }))

export const readRelease = (version: string): RecordedRelease =>
  JSON.parse(gunzipSync(readFileSync(requestsOf(version))).toString()) as RecordedRelease
