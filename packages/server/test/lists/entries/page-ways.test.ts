import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import type { Rule } from '@wbs/contract/lists/rules'
import { newId } from '@wbs/contract/ids'
import type { Reader } from '../../../src/database/statement.ts'
import { pageOfEntries } from '../../../src/lists/entries/entry-page-store.ts'
import { where } from '../list-fixture.ts'

const byName = where('name', 'contains', 'harbor') as Rule
const byDescription = where('description', 'contains', 'harbor') as Rule

/** A reader whose statements that must be fast are canceled, but for those that `isFast` tells. It records what it runs. */
function readerOf(isFast: (text: string) => boolean) {
  const ran: string[] = []
  const wayOf = (text: string) => (text.includes(`p.id || ''`) ? 'indexed' : 'planned')
  const reader: Reader = {
    async many({ text, connectionClass }) {
      ran.push(connectionClass === 'fail_fast' ? wayOf(text) : 'ranged')
      if (connectionClass === 'fail_fast' && !isFast(text))
        throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
      return []
    },
    one: async () => undefined,
  }
  return { reader, ran }
}

const isIndexed = (text: string) => text.includes(`p.id || ''`)

function listOf(rule: Rule) {
  const membership = {
    viewer: { workspace_id: crypto.randomUUID(), reads_businesses: true },
    list_id: newId('list'),
    has_overrides: false,
    rule,
    today: '2026-11-22',
  }
  const members = { membership, filter: [] }
  const content = { column_ids: null, fields: [] }
  return (reader: Reader, after = '') => pageOfEntries(reader, members, content, { after, limit: 20 })
}

describe('the way in which a page of entries is found', () => {
  it('is the one that PostgreSQL plans, if it is fast enough', async () => {
    const { reader, ran } = readerOf(() => true)
    await listOf(byName)(reader)
    assert.deepEqual(ran, ['planned'])
  })

  it('is the search index next, and at last a range', async () => {
    const { reader, ran } = readerOf(() => false)
    await listOf(byName)(reader)
    assert.deepEqual(ran, ['planned', 'indexed', 'ranged'])
  })

  it('is a range at once, if the search index does not have the facts of the rule', async () => {
    const { reader, ran } = readerOf(() => false)
    await listOf(byDescription)(reader)
    assert.deepEqual(ran, ['planned', 'ranged'])
  })

  it('is for the following page the one that was fast enough', async () => {
    const { reader, ran } = readerOf(isIndexed)
    const page = listOf(byName)
    await page(reader)
    await page(reader, newId('biz'))
    assert.deepEqual(ran, ['planned', 'indexed', 'indexed'])
    await page(reader)
    assert.deepEqual(ran.slice(3), ['planned', 'indexed'])
  })

  it('is for the following page a range, if nothing else was fast enough', async () => {
    const { reader, ran } = readerOf(() => false)
    const page = listOf(byName)
    await page(reader)
    await page(reader, newId('biz'))
    assert.deepEqual(ran.slice(3), ['ranged'])
  })

  it('is remembered for one List alone', async () => {
    const { reader, ran } = readerOf(() => false)
    await listOf(byName)(reader)
    await listOf(byName)(reader, newId('biz'))
    assert.deepEqual(ran.slice(3), ['planned', 'indexed', 'ranged'])
  })
})
