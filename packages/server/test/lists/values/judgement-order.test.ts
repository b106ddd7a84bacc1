import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { makeSheet, number, text, type Sheet } from './value-fixture.ts'

describe('the order in which the setting of a value is judged', () => {
  let world: ListWorld
  let sheet: Sheet
  before(async () => void (world = await makeListWorld()))
  beforeEach(async () => void (sheet = await makeSheet(world)))
  after(() => world.close())

  const us = () => world.as(world.people.member)
  const stale = 7
  const place = () => ({ member_id: sheet.member_id, column_id: sheet.columns.number })
  const cell = () => ({ list_id: sheet.list_id, ...place() })
  const setStatus = (status: string) =>
    world.service.sql(
      `update lists set lifecycle_status = $2, archived_at = case when $2 = 'archived' then now() end where id = $1`,
      [sheet.list_id, status],
    )
  const archiveColumn = () =>
    world.service.sql('update list_columns set position = null, archived_at = now() where id = $1', [
      sheet.columns.number,
    ])

  for (const status of ['archived', 'restricted'])
    it(`refuses a List that is ${status} before its version, after the column`, async () => {
      await setStatus(status)
      const given = { ...cell(), value: text('no number'), expected_version: stale }
      const { current_status } = await refused(us().setListEntryValue(given), 'state_conflict')
      assert.equal(current_status, status)
      // Members of such a List are not evaluated for a change.
      const absent = newId('biz')
      await refused(us().setListEntryValue({ ...given, member_id: absent }), 'state_conflict')
      await refused(us().setListEntryValue({ ...given, column_id: randomUUID() }), 'not_found')
      const bulk = { list_id: sheet.list_id, values: [{ ...place(), value: null }], expected_version: stale }
      const { current_status: ofBulk } = await refused(us().setListEntryValues(bulk), 'state_conflict')
      assert.equal(ofBulk, status)
      await setStatus('active')
      assert.equal(
        (await us().setListEntryValue({ ...cell(), value: null, expected_version: 1 })).data.version,
        1,
      )
    })

  it('refuses an archived column before the version, after the member', async () => {
    await archiveColumn()
    const given = { ...cell(), value: text('no number'), expected_version: stale }
    const { current_status } = await refused(us().setListEntryValue(given), 'state_conflict')
    assert.equal(current_status, 'archived')
    await refused(us().setListEntryValue({ ...given, member_id: newId('biz') }), 'not_found')
  })

  it('refuses a stale version before the type of the column, after the member', async () => {
    const given = { ...cell(), value: text('no number'), expected_version: stale }
    const conflict = await refused(us().setListEntryValue(given), 'revision_conflict')
    assert.deepEqual([conflict.expected, conflict.current, conflict.changed_fields], [stale, 1, ['values']])
    await refused(us().setListEntryValue({ ...given, member_id: newId('biz') }), 'not_found')
    await refused(us().setListEntryValue({ ...given, expected_version: 1 }), 'validation_error')
    const values = [{ ...place(), member_id: newId('biz'), value: text('no number') }]
    const bulk = { list_id: sheet.list_id, values, expected_version: stale }
    await refused(us().setListEntryValues(bulk), 'revision_conflict')
  })

  it('refuses a stale version even if nothing would change', async () => {
    await refused(
      us().setListEntryValue({ ...cell(), value: null, expected_version: stale }),
      'revision_conflict',
    )
    await us().setListEntryValue({ ...cell(), value: number(1), expected_version: 1 })
    await refused(
      us().setListEntryValue({ ...cell(), value: number(1), expected_version: 1 }),
      'revision_conflict',
    )
  })

  it('refuses what is wrong in itself before all that', async () => {
    const list_id = newId('list')
    const value = { value_type: 'date', value: '2023-02-29' } as const
    await refused(
      us().setListEntryValue({ ...cell(), list_id, value, expected_version: 1 }),
      'validation_error',
    )
    const values = [{ ...place(), value }]
    await refused(us().setListEntryValues({ list_id, values, expected_version: 1 }), 'validation_error')
    await refused(
      us().setListEntryValue({ ...cell(), list_id, value: null, expected_version: 1 }),
      'not_found',
    )
  })
})
