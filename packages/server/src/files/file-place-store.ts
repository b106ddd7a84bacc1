import type { AccessLevel } from '@wbs/contract/scopes'
import { read, type Reader } from '../database/statement.ts'
import { canReadBusinessSql, viewerValues, type Viewer } from '../rooms/visibility/room-visibility-store.ts'

/** A Business that the viewer can read as a member, and the level of the Workspace on it; null if it is not linked. */
export const businessForFiles = (
  reader: Reader,
  viewer: Viewer,
  business_id: string,
): Promise<{ access_level: AccessLevel | null } | undefined> =>
  reader.one(readableBusiness, [...viewerValues(viewer), business_id])

const readableBusiness = read<{ access_level: AccessLevel | null }>(
  'file_business_readable',
  `select w.access_level
   from businesses b
   left join workspace_businesses w on w.workspace_id = $1 and w.business_id = b.id and w.removed_at is null
   where b.id = $5 and $2::uuid is not null and $3::boolean and ${canReadBusinessSql('b.id')}`,
)
