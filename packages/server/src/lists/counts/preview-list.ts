import { previewList } from '@wbs/contract/lists/counts'
import { implement } from '../../call/implement.ts'
import { pageOfEntries } from '../entries/entry-page-store.ts'
import { presentEntry } from '../entries/entry-view.ts'
import { requireRule } from '../given-definition.ts'
import { requireList } from '../list-access.ts'
import { compareMembers, countMembers } from '../members/count-store.ts'
import { membershipOf } from '../members/member-access.ts'
import { ruleNotes } from '../rules/rule-notes.ts'

const mostInSample = 20

export const handlePreviewList = implement(previewList, async function previewList(input, context) {
  const { read, standing, now, refuse } = context
  const rule = requireRule(input.definition, refuse)
  const list = input.list_id === undefined ? null : await requireList(context, read, input.list_id)
  const list_id = list?.list_id ?? null
  const membership = membershipOf({ list_id, rule }, standing, now)
  const content = { column_ids: null, fields: [] }
  const [{ matched, added, removed }, { rows }] = await Promise.all([
    list
      ? compareMembers(read, membership, list.rule)
      : { matched: await countMembers(read, membership), added: null, removed: null },
    pageOfEntries(read, { membership, filter: [] }, content, {
      after: '',
      limit: mostInSample,
    }),
  ])
  return {
    result: {
      data: {
        matched: matched.value,
        matched_status: matched.status,
        sample: rows.map(row => presentEntry(row)),
        added,
        removed,
        as_of: now.toISOString(),
        notes: ruleNotes(rule, '/definition/rule'),
      },
    },
  }
})
