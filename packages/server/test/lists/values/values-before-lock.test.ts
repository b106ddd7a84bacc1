import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import pg from 'pg'
import { holdLock, lockWaits, unlocked } from '../../harness/lock-waits.ts'
import { refused } from '../../harness/refused.ts'
import { eventually } from '../../harness/eventually.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { makeSheet, number, type Sheet } from './value-fixture.ts'

describe('setting many values of a List with a long rule', () => {
  let world: ListWorld
  let sheet: Sheet
  before(async () => void (world = await makeListWorld()))
  beforeEach(async () => {
    const leaves = Array.from({ length: 19 }, (_, i) => where('description', 'contains', `word ${i}`))
    const rule = { kind: 'or', rules: [...leaves, where('name', 'contains', 'harbor')] }
    sheet = await makeSheet(world, rule)
  })
  after(() => world.close())

  const us = () => world.as(world.people.member)
  const set = (expected_version = 1) =>
    us().setListEntryValues({
      list_id: sheet.list_id,
      expected_version,
      values: [{ member_id: sheet.member_id, column_id: sheet.columns.number, value: number(1) }],
    })
  const oneWaits = () => eventually(async () => (await lockWaits(world.service)) === 1)
  /** Awaits a request, and asserts that nothing waits for a lock meanwhile but what waited before. */
  async function whileOneWaits(request: Promise<unknown>): Promise<void> {
    const ended = request.then(() => true)
    const looked = async () => {
      assert.ok((await lockWaits(world.service)) <= 1, 'The request waits for a lock.')
      return false
    }
    while (!(await Promise.race([ended, looked()])));
  }
  const setName = (name: string) =>
    world.service.sql('update published_businesses set name = $2, name_folded = lower($2) where id = $1', [
      sheet.member_id,
      name,
    ])

  const holdList = () => holdLock(world.service, world.workspace_id, ['list', sheet.list_id])

  /** Begins to set the values, runs `work` once the List is waited for, and lets it go. */
  async function whileListIsLocked<T>(work: () => Promise<unknown>, setting: () => Promise<T>): Promise<T> {
    const release = await holdList()
    const answer = setting()
    try {
      await oneWaits()
      await work()
    } finally {
      await release()
    }
    return answer
  }

  it('locks the List only once the rule was evaluated', async () => {
    const holder = new pg.Client(world.service.testDatabase.address)
    await holder.connect()
    await holder.query('begin; lock table svc.published_businesses in access exclusive mode')
    const stale = refused(set(), 'revision_conflict')
    try {
      await oneWaits()
      const { list_id } = sheet
      const column = { list_id, name: 'Between', value_type: 'text', expected_version: 1 } as const
      await whileOneWaits(us().createListColumn(column))
    } finally {
      await holder.end()
    }
    await stale
  })

  it('refuses a version that the List does not have yet, without waiting for the List', async () => {
    const release = await holdList()
    try {
      const { current } = await refused(unlocked(world.service, set(2)), 'revision_conflict')
      assert.equal(current, 1)
    } finally {
      await release()
    }
  })

  it('sets no value of a Business that stopped being a member before the List was locked', async () => {
    const { errors } = await refused(
      whileListIsLocked(
        () => setName('Another'),
        () => set(),
      ),
      'validation_error',
    )
    assert.deepEqual(
      errors?.map(({ pointer }) => pointer),
      ['/values/0/member_id'],
    )
    assert.deepEqual(await sheet.values().catch(() => 'no member'), 'no member')
    assert.equal(await sheet.version(), 1)
  })

  it('sets the value of a Business that became a member before the List was locked', async () => {
    await setName('Another')
    const { data } = await whileListIsLocked(
      () => setName('Harbor Air'),
      () => set(),
    )
    assert.equal(data.version, 2)
  })

  it('sets no value of a Business that an override excludes since', async () => {
    const exclude = () =>
      world.service.sql(
        `with excluded as (
           insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at)
           select $1, $2, $3, 'exclude', id, now() from users limit 1)
         update lists set members_version = members_version + 1 where workspace_id = $1 and id = $2`,
        [world.workspace_id, sheet.list_id, sheet.member_id],
      )
    await refused(
      whileListIsLocked(exclude, () => set()),
      'validation_error',
    )
  })
})
