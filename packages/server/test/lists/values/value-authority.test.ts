import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Scope } from '@wbs/contract/scopes'
import type { Client, UpdateApiKeyInput } from '@wbs/sdk'
import { withdraw } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { makeSheet, number, text, type Sheet } from './value-fixture.ts'

const needed = ['lists:read', 'list_members:read', 'list_values:write'] as const

describe('who may set values', () => {
  let world: ListWorld
  let sheet: Sheet
  before(async () => void (world = await makeListWorld()))
  beforeEach(async () => void (sheet = await makeSheet(world)))
  after(() => world.close())

  const bulk = (client: Client) =>
    client.setListEntryValues({
      list_id: sheet.list_id,
      values: [{ member_id: sheet.member_id, column_id: sheet.columns.number, value: number(1) }],
      expected_version: 1,
    })

  for (const missing of needed)
    it(`an API key without ${missing} may not`, async () => {
      const key = await world.withKey(needed.filter(scope => scope !== missing))
      for (const call of [() => sheet.set('number', number(1), 1, key), () => bulk(key)]) {
        const { required_permission } = await refused(call(), 'forbidden')
        assert.equal(required_permission, missing)
      }
      assert.equal(await sheet.version(), 1)
    })

  for (const missing of ['lists:read', 'list_members:read'] as const)
    it(`an API key without ${missing} reads no history`, async () => {
      const key = await world.withKey(needed.filter(scope => scope !== missing))
      const { required_permission } = await refused(sheet.history('number', key), 'forbidden')
      assert.equal(required_permission, missing)
    })

  it('an API key with all of them may, without lists:write', async () => {
    const key = await world.withKey(needed)
    assert.equal((await sheet.set('number', number(1), 1, key)).data.version, 2)
    assert.equal((await sheet.history('number', key)).length, 1)
  })

  it('a viewer may not, and reads the history', async () => {
    const viewer = world.as(world.people.viewer)
    const { required_permission } = await refused(sheet.set('number', number(1), 1, viewer), 'forbidden')
    assert.equal(required_permission, 'list_values:write')
    assert.deepEqual(await sheet.history('number', viewer), [])
  })

  it('a caller without businesses:read sets no values of unpublished Businesses', async () => {
    const draft = await world.linked()
    const { list_id, columns } = sheet
    const cell = { list_id, member_id: draft, column_id: columns.number }
    const value = { ...cell, value: number(1), expected_version: 1 }
    const blind = await world.withKey(needed)
    await refused(blind.setListEntryValue(value), 'not_found')
    const seeing = await world.withKey([...needed, 'businesses:read'])
    const { data } = await seeing.setListEntryValue(value)
    assert.equal(data.projection, 'workspace')
    await refused(blind.listListEntryValueHistory(cell), 'not_found')
  })

  it('membership is that of the moment: a Business that was withdrawn takes no values', async () => {
    await withdraw(world.service, [sheet.member_id])
    await refused(sheet.set('number', number(1), 1), 'not_found')
    const { errors } = await refused(bulk(world.as(world.people.member)), 'validation_error')
    assert.deepEqual(
      errors.map(error => error.pointer),
      ['/values/0/member_id'],
    )
  })

  it('nor does one for which the rule holds no longer', async () => {
    const ohio = await makeSheet(world, where('name', 'eq', 'Harbor Air'))
    await ohio.set('text', text('Ann'), 1)
    const us = world.as(world.people.member)
    const rule = where('name', 'eq', 'Another name')
    const definition = { schema_version: 'svc.list.v1', subject_type: 'business', rule } as const
    await us.updateList({ list_id: ohio.list_id, definition, expected_version: 2 })
    await refused(ohio.set('text', null, 3), 'not_found')
    const before = where('name', 'eq', 'Harbor Air')
    await us.updateList({
      list_id: ohio.list_id,
      definition: { ...definition, rule: before },
      expected_version: 3,
    })
    assert.deepEqual(await ohio.values(), { [ohio.columns.text]: 'Ann' })
  })
})

describe('a repeated request to set a value', () => {
  let world: ListWorld
  let sheet: Sheet
  before(async () => void (world = await makeListWorld()))
  beforeEach(async () => void (sheet = await makeSheet(world)))
  after(() => world.close())

  const setAs = (client: Client, idempotency_key: string) =>
    client.setListEntryValue(
      {
        list_id: sheet.list_id,
        member_id: sheet.member_id,
        column_id: sheet.columns.number,
        value: number(1),
        expected_version: 1,
      },
      { idempotency_key },
    )
  const narrowed = async (kept: readonly Scope[]) => {
    const { key_id, secret } = await world.service.apiKey(world.workspace_id, world.people.owner, needed)
    const client = world.service.client({ api_key: secret, workspace_id: world.workspace_id })
    const key = randomUUID()
    await setAs(client, key)
    const owner = world.as(world.people.owner)
    await owner.updateApiKey({ key_id, expected_revision: 1, scopes: kept as UpdateApiKeyInput['scopes'] })
    return setAs(client, key)
  }

  it('gets the first answer, whatever was set since', async () => {
    const us = world.as(world.people.member)
    const key = randomUUID()
    const first = await setAs(us, key)
    await sheet.set('number', number(2), 2)
    await us.archiveList({ list_id: sheet.list_id, expected_version: 3 })
    const again = await setAs(us, key)
    assert.equal(again.idempotent_replay, true)
    assert.deepEqual(again.data, first.data)
    assert.deepEqual(again.action_receipt, first.action_receipt)
  })

  for (const lost of needed)
    it(`is refused to a key that lost ${lost}`, async () => {
      const { required_permission } = await refused(
        narrowed(needed.filter(scope => scope !== lost)),
        'forbidden',
      )
      assert.equal(required_permission, lost)
    })

  it('is not found once the caller cannot see the Business, alone or among others', async () => {
    const us = world.as(world.people.member)
    const other = await world.business()
    const [single, bulk] = [randomUUID(), randomUUID()]
    const setBoth = () =>
      us.setListEntryValues(
        {
          list_id: sheet.list_id,
          values: [other, sheet.member_id].map(member_id => ({
            member_id,
            column_id: sheet.columns.text,
            value: text('Ann'),
          })),
          expected_version: 2,
        },
        { idempotency_key: bulk },
      )
    await setAs(us, single)
    await setBoth()
    assert.equal((await setAs(us, single)).idempotent_replay, true)
    assert.equal((await setBoth()).idempotent_replay, true)
    await withdraw(world.service, [sheet.member_id])
    await refused(setAs(us, single), 'not_found')
    await refused(setBoth(), 'not_found')
  })

  it('is refused with another value', async () => {
    const us = world.as(world.people.member)
    const key = randomUUID()
    await setAs(us, key)
    const { list_id, member_id, columns } = sheet
    const cell = { list_id, member_id, column_id: columns.number, value: number(2), expected_version: 1 }
    await refused(us.setListEntryValue(cell, { idempotency_key: key }), 'idempotency_key_reused')
  })
})
