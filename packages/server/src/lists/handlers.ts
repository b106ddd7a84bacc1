import { handleArchiveList } from './archive-list.ts'
import { handleArchiveListColumn } from './columns/archive-list-column.ts'
import { handleCreateListColumn } from './columns/create-list-column.ts'
import { handleRestoreListColumn } from './columns/restore-list-column.ts'
import { handleUpdateListColumn } from './columns/update-list-column.ts'
import { handleCountList } from './counts/count-list.ts'
import { handlePreviewList } from './counts/preview-list.ts'
import { handleCreateList } from './create-list.ts'
import type { EntryCursors } from './entries/entry-cursors.ts'
import { handleGetListEntry } from './entries/get-list-entry.ts'
import { handleListListEntries } from './entries/list-list-entries.ts'
import { handleGetList } from './get-list.ts'
import { handleListLists } from './list-lists.ts'
import { handleListListOverrides } from './overrides/list-list-overrides.ts'
import { handleSetListOverride } from './overrides/set-list-override.ts'
import { handleRestoreList } from './restore-list.ts'
import { handleUpdateList } from './update-list.ts'
import { handleListListEntryValueHistory } from './values/list-list-entry-value-history.ts'
import { handleSetListEntryValue } from './values/set-list-entry-value.ts'
import { handleSetListEntryValues } from './values/set-list-entry-values.ts'

/** What the handlers of Lists need. */
export interface ListParts {
  /** Writes the cursors of sorted entries. */
  entryCursors: EntryCursors
}

/** The handlers of this slice. Add a line for each new handler. */
export const listHandlers = ({ entryCursors }: ListParts) => [
  handleArchiveList,
  handleCreateList,
  handleGetList,
  handleListLists,
  handleRestoreList,
  handleUpdateList,
  handleArchiveListColumn,
  handleCreateListColumn,
  handleRestoreListColumn,
  handleUpdateListColumn,
  handleGetListEntry,
  handleListListEntryValueHistory,
  handleSetListEntryValue,
  handleSetListEntryValues,
  handleListListEntries(entryCursors),
  handleListListOverrides,
  handleSetListOverride,
  handleCountList,
  handlePreviewList,
]
