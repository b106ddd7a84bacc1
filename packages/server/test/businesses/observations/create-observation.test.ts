import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { InputError } from '@wbs/contract/problems'
import pg from 'pg'
import { connectionConfig } from '../../../src/database/connections/connection.ts'
import { hostileTexts, unstorableTexts } from '../../hostile/hostile-text.ts'
import { addBusiness } from '../../harness/businesses.ts'
import { assertOnce, faults, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

type Given = Parameters<TwoWorkspaces['us']['createObservation']>[0]

describe('POST /v1/businesses/{business_id}/observations', () => {
  let world: TwoWorkspaces
  let business_id: string
  before(async () => {
    world = await twoWorkspaces()
    business_id = await addBusiness(world.service, { name: 'Glacier Tooling' })
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id })
  })
  after(() => world.close())

  const observe = (given: Partial<Given> = {}, client = world.us) =>
    client.createObservation({
      business_id,
      key: 'mood',
      value: { value_type: 'text', value: 'good' },
      observed_on: '2026-01-31',
      ...given,
    })
  const latest = async () => {
    const { data } = await world.us.listWorkspaceBusinesses({ workspace_id: world.workspace_id })
    return Object.fromEntries((data[0]?.observations ?? []).map(one => [one.key, one.value.value]))
  }

  it('records an observation with its author and time', async () => {
    const source = { kind: 'statement', note: 'On the phone' } as const
    const { data, action_receipt } = await observe({ source })
    const { observation_id, recorded_at, ...rest } = data
    assert.match(observation_id, /^obs_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    assert.ok(Math.abs(Date.parse(recorded_at) - Date.now()) < 10_000)
    assert.deepEqual(rest, {
      business_id,
      key: 'mood',
      value: { value_type: 'text', value: 'good' },
      observed_on: '2026-01-31',
      source: { kind: 'statement', url: null, note: 'On the phone' },
      recorded_by: { type: 'person', user_id: world.olivia.user_id },
      retracted_at: null,
    })
    assert.deepEqual(action_receipt.resource, { type: 'observation', id: observation_id })
    const [event] = await world.service.sql(
      `select type, data, subject from events where data ->> 'observation_id' = $1`,
      [observation_id],
    )
    assert.deepEqual(event, {
      type: 'business.observation_recorded',
      data: { observation_id },
      subject: { type: 'business', id: business_id, name: null },
    })
  })

  it('stores values of every type unchanged', async () => {
    const values: Given['value'][] = [
      { value_type: 'text', value: '' },
      { value_type: 'text', value: 'Lines\nand\ttabs, "quotes" and 𠮷' },
      { value_type: 'text', value: '𠮷'.repeat(10_000) },
      { value_type: 'number', value: 0 },
      { value_type: 'number', value: -1.5e-7 },
      { value_type: 'number', value: Number.MAX_VALUE },
      { value_type: 'number', value: Number.MIN_VALUE },
      { value_type: 'boolean', value: false },
      { value_type: 'date', value: '2024-02-29' },
      ...hostileTexts
        .filter(one => !one.includes('\u0000'))
        .map(value => ({ value_type: 'text' as const, value })),
    ]
    for (const value of values) {
      const { data } = await observe({ key: 'any', value })
      assert.deepEqual(data.value, value)
      assert.deepEqual((await latest())['any'], value.value)
    }
  })

  it('the latest day counts, and for one day the latest recorded one', async () => {
    const on = (observed_on: string, value: number) =>
      observe({ key: 'headcount', value: { value_type: 'number', value }, observed_on })
    await on('2026-01-02', 2)
    await on('2026-01-01', 1)
    assert.equal((await latest())['headcount'], 2)
    await on('2026-01-02', 3)
    assert.equal((await latest())['headcount'], 3)
  })

  it('takes effect once for a key', async () => {
    const given = { business_id, key: 'once', observed_on: '2026-01-01' }
    const value = (value: string) => ({ ...given, value: { value_type: 'text' as const, value } })
    await assertOnce(
      options => world.us.createObservation(value('a'), options),
      options => world.us.createObservation(value('b'), options),
    )
  })

  it('refuses values of another type, and future days', async () => {
    const value = (value_type: string, value: unknown) => ({ value: { value_type, value } as never })
    const year = new Date().getUTCFullYear()
    const cases: [given: Partial<Given>, expected: string][] = [
      [value('text', 1), '/value/value type'],
      [value('number', '1'), '/value/value type'],
      [value('number', true), '/value/value type'],
      [value('boolean', 'true'), '/value/value type'],
      [value('date', 20260101), '/value/value type'],
      [value('date', '2026-02-30'), '/value/value format'],
      [value('date', '2026-01-01T00:00:00Z'), '/value/value format'],
      [value('text', null), '/value/value type'],
      [value('text', ['a']), '/value/value type'],
      [value('money', '1'), '/value/value_type unknown'],
      [{ value: { value_type: 'text' } as never }, '/value/value required'],
      [{ value: 'good' as never }, '/value type'],
      [value('text', 'x'.repeat(10_001)), '/value/value too_long'],
      [value('text', 'x'.repeat(2 ** 20)), '/value/value too_long'],
      [{ observed_on: `${year + 1}-01-02` }, '/observed_on out_of_range'],
      [{ observed_on: '2026-02-30' }, '/observed_on format'],
      [{ observed_on: '0001-01-01' }, '/observed_on format'],
      [{ key: 'Mood' }, '/key format'],
      [{ key: '1mood' }, '/key format'],
      [{ key: '' }, '/key format'],
      [{ key: 'a'.repeat(65) }, '/key too_long'],
      [{ key: '__proto__' }, '/key format'],
      [{ source: { kind: 'website' } }, '/source/url required'],
      [{ source: { kind: 'other', url: 'https://a:b@c.example' } }, '/source/url format'],
    ]
    for (const [given, expected] of cases)
      assert.deepEqual(await faults(observe(given)), [expected], JSON.stringify(given).slice(0, 80))
    for (const text of unstorableTexts)
      assert.deepEqual(await faults(observe(value('text', text))), ['/value/value format'])
  })

  it('accepts today in every time zone', async () => {
    const furthest = new Date(Date.now() + 14 * 3_600_000).toISOString().slice(0, 10)
    await observe({ observed_on: furthest })
    const next = new Date(Date.now() + 38 * 3_600_000).toISOString().slice(0, 10)
    assert.deepEqual(await faults(observe({ observed_on: next })), ['/observed_on out_of_range'])
  })

  it('refuses numbers out of range, and a missing value', async () => {
    for (const number of ['1e999', '-1e999', '9007199254740993', '1e-400']) {
      const { status, body } = await world.service.request(`/v1/businesses/${business_id}/observations`, {
        method: 'POST',
        body: `{"key":"big","observed_on":"2026-01-01","value":{"value_type":"number","value":${number}}}`,
        token: world.olivia.token,
        headers: {
          'content-type': 'application/json',
          'svc-workspace-id': world.workspace_id,
          'idempotency-key': crypto.randomUUID(),
        },
      })
      assert.equal(status, 400)
      assert.deepEqual(
        body.errors.map(({ pointer, code }: InputError) => [pointer, code]),
        [['/value/value', 'out_of_range']],
      )
    }
  })

  it('answers for an unlinked Business as for an unknown one', async () => {
    const published = await addBusiness(world.service, { name: 'Published' })
    const { data: hidden } = await world.them.createBusiness({ name: 'Hidden' })
    const details = new Set<string>()
    for (const id of [published, hidden.id, newId('biz')])
      details.add((await refused(observe({ business_id: id }), 'not_found')).detail)
    assert.equal(details.size, 1)
  })

  it('refuses viewers', async () => {
    const { required_permission } = await refused(observe({}, world.as(world.viktor)), 'forbidden')
    assert.equal(required_permission, 'businesses:write')
  })

  it('cannot be changed by the writer role, only retracted', async () => {
    const client = new pg.Client(connectionConfig(world.service.testDatabase.address, 'svc_writer'))
    await client.connect()
    try {
      await client.query(`select set_config('svc.workspace_id', $1, false)`, [world.workspace_id])
      for (const column of [
        'key',
        'value',
        'value_type',
        'observed_on',
        'source',
        'recorded_by',
        'recorded_at',
        'id',
      ])
        await assert.rejects(client.query(`update business_observations set ${column} = ${column}`), {
          code: '42501',
        })
      await assert.rejects(client.query('delete from business_observations'), { code: '42501' })
      await assert.rejects(client.query('delete from workspace_businesses'), { code: '42501' })
      await client.query('update business_observations set retracted_at = retracted_at')
    } finally {
      await client.end()
    }
  })
})
