import { getListEntry } from '@wbs/contract/lists/entries'
import { implement } from '../../call/implement.ts'
import { requireList } from '../list-access.ts'
import { membershipOf, noSuchMember } from '../members/member-access.ts'
import { entryOf } from './entry-store.ts'
import { presentEntry } from './entry-view.ts'

export const handleGetListEntry = implement(getListEntry, async function getListEntry(input, context) {
  const { list_id, member_id, column_ids = null, fields = [] } = input
  const { read, standing, now, refuse } = context
  const list = await requireList(context, read, list_id)
  const entry = await entryOf(read, membershipOf(list, standing, now), member_id, { column_ids, fields })
  if (!entry) throw noSuchMember(refuse)
  return {
    result: { data: presentEntry(entry, fields), version: list.version, as_of: now.toISOString() },
  }
})
