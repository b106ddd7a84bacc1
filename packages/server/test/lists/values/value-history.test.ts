import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { declaredStatements } from '../../../src/database/statement.ts'
import { withdraw } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { makeSheet, number, text, type Sheet } from './value-fixture.ts'

describe('the history of a value', () => {
  let world: ListWorld
  let sheet: Sheet
  before(async () => void (world = await makeListWorld()))
  beforeEach(async () => void (sheet = await makeSheet(world)))
  after(() => world.close())

  it('says who wrote what, when, by which app, agent or key', async () => {
    const { owner, member } = world.people
    const key = await world.withKey(['lists:read', 'list_members:read', 'list_values:write'])
    await sheet.set('text', text('Ann'), 1)
    await sheet.set('text', text('Bea'), 2, key)
    const [byKey, byMember] = await sheet.history('text')
    assert.deepEqual(
      [byMember?.value, byMember?.author.user_id, byMember?.author.name, byMember?.via, byMember?.version],
      [text('Ann'), member.user_id, member.name, null, 2],
    )
    assert.deepEqual(
      [byKey?.value, byKey?.author.user_id, byKey?.author.name, byKey?.via?.kind, byKey?.version],
      [text('Bea'), owner.user_id, owner.name, 'api_key', 3],
    )
    assert.ok(String(byKey?.written_at) >= String(byMember?.written_at))
  })

  it('has pages, of which none misses or repeats a change', async () => {
    const count = 23
    for (let version = 1; version <= count; version++) await sheet.set('number', number(version), version)
    const us = world.as(world.people.viewer)
    const { list_id, member_id, columns } = sheet
    const cell = { list_id, member_id, column_id: columns.number }
    const found: unknown[] = []
    let cursor: string | undefined
    do {
      const { data, page } = await us.listListEntryValueHistory({
        ...cell,
        limit: 5,
        ...(cursor && { cursor }),
      })
      found.push(...data.map(change => change.value?.value))
      assert.equal(page.has_more, page.cursor !== null)
      // A change that is made in between is newer than what follows.
      await sheet.set('number', number(1000 + found.length), await sheet.version())
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    assert.deepEqual(
      found,
      Array.from({ length: count }, (_, i) => count - i),
    )
    const last = await us.listListEntryValueHistory({ ...cell, cursor: '9999999999', limit: 1 })
    assert.equal(last.data.length, 1)
    await refused(us.listListEntryValueHistory({ ...cell, cursor: '0' }), 'validation_error')
  })

  it('is read by an index, however often the value was written', async () => {
    const { list_id, member_id, columns } = sheet
    await world.service.sql(
      `insert into list_value_changes (workspace_id, list_id, member_id, column_id, version, value, actor, written_at)
       select $1, $2, $3, $4, i, jsonb_build_object('value_type', 'number', 'value', i), '{"type": "person", "user_id": null, "name": null, "via": null}', now()
       from generate_series(1, 20000) i`,
      [world.workspace_id, list_id, member_id, columns.number],
    )
    await world.service.sql('analyze list_value_changes')
    const rows = await rowsRead(world, [world.workspace_id, list_id, member_id, columns.number, 10_000])
    assert.ok(rows <= 101, `${rows} rows were read`)
    const us = world.as(world.people.member)
    const cell = { list_id, member_id, column_id: columns.number }
    const { data } = await us.listListEntryValueHistory({ ...cell, cursor: '10000', limit: 100 })
    assert.deepEqual([data[0]?.version, data.length], [9999, 100])
  })

  it('of an archived column, and in an archived List, can be read', async () => {
    await sheet.set('text', text('Ann'), 1)
    await world.service.sql('update list_columns set position = null, archived_at = now() where id = $1', [
      sheet.columns.text,
    ])
    assert.equal((await sheet.history('text')).length, 1)
    const us = world.as(world.people.member)
    await us.archiveList({ list_id: sheet.list_id, expected_version: 2 })
    assert.equal((await sheet.history('text')).length, 1)
  })

  it('is hidden, and kept, while the Business is no member', async () => {
    await sheet.set('text', text('Ann'), 1)
    await withdraw(world.service, [sheet.member_id])
    await refused(sheet.history('text'), 'not_found')
    await refused(sheet.set('text', text('Bea'), 2), 'not_found')
    await world.service.sql(`update businesses set publication_status = 'published' where id = $1`, [
      sheet.member_id,
    ])
    await world.service.sql('select project_businesses($1)', [[sheet.member_id]])
    assert.deepEqual(await sheet.values(), { [sheet.columns.text]: 'Ann' })
    assert.equal((await sheet.history('text')).length, 1)
  })
})

/** How many rows the statement of a page reads from the table. */
async function rowsRead(world: ListWorld, values: unknown[]): Promise<number> {
  const statement = [...declaredStatements()].find(({ name }) => name === 'list_value_changes_page')
  assert.ok(statement)
  const [row] = await world.service.sql<{ 'QUERY PLAN': [{ Plan: PlanNode }] }>(
    `explain (analyze, format json) ${statement.text}`,
    [...values, 101],
  )
  assert.ok(row)
  return rowsOf(row['QUERY PLAN'][0].Plan)
}

interface PlanNode {
  'Relation Name'?: string
  'Actual Rows': number
  'Rows Removed by Filter'?: number
  Plans?: PlanNode[]
}

function rowsOf(node: PlanNode): number {
  const below = (node.Plans ?? []).reduce((sum, one) => sum + rowsOf(one), 0)
  if (node['Relation Name'] !== 'list_value_changes') return below
  return below + node['Actual Rows'] + (node['Rows Removed by Filter'] ?? 0)
}
