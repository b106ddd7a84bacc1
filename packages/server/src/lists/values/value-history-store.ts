import type { Actor } from '@wbs/contract/events'
import type { Value } from '@wbs/contract/typed-values'
import { read, type Reader } from '../../database/statement.ts'

/** What was written into a cell. */
export interface ValueChangeRow {
  value: Value | null
  actor: Actor
  written_at: string
  version: number
}

export interface Cell {
  workspace_id: string
  list_id: string
  member_id: string
  column_id: string
}

/** What was written into a cell before a version of its List, newest first. */
export const changesOfCell = (
  reader: Reader,
  cell: Cell,
  before: number,
  limit: number,
): Promise<ValueChangeRow[]> => reader.many(page, { ...cell, before, limit })

// A change by an API key does not store the name of the key's owner.
const page = read<ValueChangeRow>(
  'list_value_changes_page',
  `select c.value, c.written_at, c.version,
     case when c.actor ->> 'name' is null
       then c.actor || jsonb_build_object('name', (select u.name from users u where u.id = (c.actor ->> 'user_id')::uuid))
       else c.actor end as actor
   from list_value_changes c
   where c.workspace_id = :workspace_id and c.list_id = :list_id and c.member_id = :member_id and c.column_id = :column_id
     and c.version < :before::bigint
   order by c.version desc limit :limit`,
  'long',
)
