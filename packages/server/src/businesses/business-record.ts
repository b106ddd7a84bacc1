import type { Reader } from '../database/statement.ts'
import {
  classificationsOf,
  identifiersOf,
  locationsOf,
  publishedRecordAtOnce,
  workspaceRecord,
} from './business-store.ts'
import { presentRecord } from './business-view.ts'

/** A whole Business after a change, as a Workspace reads it: what is published of it, or all of it where it is not. */
export async function changedRecord(reader: Reader, workspace_id: string, business_id: string) {
  const [published, ofWorkspace] = await Promise.all([
    publishedRecordAtOnce(reader, business_id),
    workspaceRecord(reader, workspace_id, business_id),
  ])
  const record = published ?? ofWorkspace
  if (!record) throw new Error('A Business that was changed just now cannot be read.')
  const publicOnly = published !== undefined
  const [classifications, locations, identifiers] = await Promise.all([
    classificationsOf(reader, business_id, publicOnly),
    locationsOf(reader, business_id, publicOnly),
    identifiersOf(reader, business_id, publicOnly),
  ])
  return {
    result: {
      data: { ...presentRecord(record), classifications, locations, identifiers },
      projection: publicOnly ? ('public' as const) : ('workspace' as const),
    },
    revision: record.revision,
  }
}
