import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Rule } from '@wbs/contract/lists/rules'
import type { Reader } from '../../../src/database/statement.ts'
import { pageOfEntries } from '../../../src/lists/entries/entry-page-store.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'

/** A reader that cancels all statements with a short time limit, as happens while the machine is busy. */
const cancelingReader = (reader: Reader): Reader => ({
  ...reader,
  async many(statement, values) {
    if (statement.connectionClass === 'fail_fast')
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    return reader.many(statement, values)
  },
})

describe('a page of members whose first statement is canceled', () => {
  let world: ListWorld
  before(async () => void (world = await makeListWorld()))
  after(() => world.close())

  it('has the same members, also of a few Businesses', async () => {
    const ids = [await world.business(), await world.business(), await world.linked()].toSorted()
    const { id: list_id } = await world.list({ kind: 'all' })
    const { workspace_id, service, people } = world
    const reader = service.database.readers.scoped({ workspace_id, user_id: people.owner.user_id })
    const rules = [{ kind: 'all' }, where('observations.mood', 'is_not_set', null)] as Rule[]
    for (const rule of rules) {
      const viewer = { workspace_id, reads_businesses: true }
      const members = {
        membership: { viewer, list_id, rule, today: '2026-03-31' },
        filter: [],
      }
      const content = { column_ids: null, fields: [] }
      const page = { after: '', limit: 100 }
      const found = await pageOfEntries(cancelingReader(reader), members, content, page)
      assert.deepEqual(
        found.rows.map(row => row.id),
        ids,
      )
      assert.equal(found.cursor, null)
    }
  })
})
