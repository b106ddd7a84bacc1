import type { Reader } from '../database/statement.ts'
import {
  classificationsOf,
  identifiersOf,
  locationsOf,
  publishedRecordAtOnce,
  workspaceRecord,
} from './business-store.ts'
import { presentRecord } from './business-view.ts'

/**
 * A whole Business after a change, as a Workspace reads it: what is published of it, or all of it where it is not. All of it
 * is asked for at once, before it is known which of the two it is.
 */
export async function changedRecord(reader: Reader, workspace_id: string, business_id: string) {
  const [published, ofWorkspace, classifications, locations, identifiers] = await Promise.all([
    publishedRecordAtOnce(reader, business_id),
    workspaceRecord(reader, workspace_id, business_id),
    classificationsOf(reader, business_id, false),
    locationsOf(reader, business_id, false),
    identifiersOf(reader, business_id, false),
  ])
  const record = published ?? ofWorkspace
  if (!record) throw new Error('A Business that was changed just now cannot be read.')
  const publicOnly = published !== undefined
  const shown = <Part extends { published: boolean }>(parts: readonly Part[]) =>
    parts.filter(part => part.published || !publicOnly)
  return {
    result: {
      data: {
        ...presentRecord(record),
        classifications: shown(classifications),
        locations: shown(locations),
        identifiers: shown(identifiers),
      },
      projection: publicOnly ? ('public' as const) : ('workspace' as const),
    },
    revision: record.revision,
  }
}
