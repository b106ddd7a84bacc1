import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Id } from '@wbs/contract/ids'
import { fillFolds, startFillingFolds } from '../../../src/businesses/import/fill-folds.ts'
import { connectOwner, connectWriter } from '../../../src/database/database.ts'
import { foldText } from '../../../src/businesses/fold.ts'
import { addBusinesses } from '../../harness/businesses.ts'
import { administer } from '../../harness/postgres/administer.ts'
import { twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'

describe('filling the folds that earlier versions did not write', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())
  const log = { info: () => undefined, warn: () => assert.fail('it failed') }
  const owner = () => connectOwner(world.service.testDatabase.address)
  const fill = async () => {
    const client = await owner()
    const filled = await fillFolds(client)
    await client.end()
    return filled
  }
  const missing = () =>
    world.service.sql(
      `select id, 1 from businesses where description_folded is null and description ~ '[^\\x01-\\x7f]'
       union all select id, 2 from business_locations where state_folded is null and state ~ '[^\\x01-\\x7f]'
       union all select id, 3 from business_observations where value_type = 'text' and text_folded is null
         and value #>> '{}' ~ '[^\\x01-\\x7f]'`,
    )

  /** 1200 Businesses, and an observation in each Workspace, as earlier versions leave them. */
  beforeEach(async () => {
    const ids = await addBusinesses(
      world.service,
      Array.from({ length: 1200 }, (_, at) => ({
        name: `Old ${at}`,
        description: `${at % 2 === 0 ? 'ÄLTER' : 'OLD'} ${at}`,
        locations: [{ country_code: 'FR', state: at % 3 === 0 ? 'ÎLE' : 'Plain' }],
      })),
    )
    const business_id = ids[0] as Id<'biz'>
    for (const [client, workspace_id] of [
      [world.us, world.workspace_id],
      [world.them, world.sams],
    ] as const) {
      await client.linkBusiness({ workspace_id, business_id })
      for (const value of ['FRÖHLICH', 'Plain'])
        await client.createObservation({
          business_id,
          key: 'mood',
          value: { value_type: 'text', value },
          observed_on: '2026-01-31',
        })
    }
    await administer(world.service.testDatabase.address, async admin => {
      await admin.query('update svc.businesses set description_folded = null')
      await admin.query('update svc.business_locations set state_folded = null')
      await admin.query('update svc.business_observations set text_folded = null')
    })
    assert.ok((await missing()).length >= 600 + 400 + 2)
  })

  it('fills those of all tables and Workspaces, and nothing for ASCII', async () => {
    const count = (await missing()).length
    const before = await world.service.sql(
      'select id, revision, updated_at, description from businesses order by id',
    )
    assert.equal(await fill(), count)
    assert.deepEqual(await missing(), [])
    assert.equal(await fill(), 0)
    assert.deepEqual(
      await world.service.sql('select id, revision, updated_at, description from businesses order by id'),
      before,
    )
    const folds = await world.service.sql<{ raw: string; folded: string | null }>(
      `select description as raw, description_folded as folded from businesses
       union all select state, state_folded from business_locations
       union all select value #>> '{}', text_folded from business_observations`,
    )
    for (const { raw, folded } of folds)
      assert.equal(folded, /[\u0080-\uffff]/.test(raw) ? foldText(raw) : null, raw)
  })

  it('may be done by several nodes at once', async () => {
    const count = (await missing()).length
    const filled = await Promise.all([fill(), fill(), fill()])
    assert.equal(
      filled.reduce((sum, one) => sum + one),
      count,
    )
    assert.deepEqual(await missing(), [])
  })

  it('does not wait for a row that is locked, and fills it the next time', async () => {
    const writer = await connectWriter(world.service.testDatabase.address)
    await writer.query('begin')
    const { rows } = await writer.query(`select id from businesses where description = 'ÄLTER 0' for update`)
    assert.ok(rows.length > 0)
    await fill()
    assert.deepEqual(new Set((await missing()).map(({ id }) => id)), new Set(rows.map(({ id }) => id)))
    await writer.query('rollback')
    await writer.end()
    assert.equal(await fill(), rows.length)
  })

  it('finds them through indexes that contain nothing else', async () => {
    await fill()
    for (const table of ['businesses', 'business_locations', 'business_observations']) {
      await administer(world.service.testDatabase.address, admin => admin.query(`vacuum svc.${table}`))
      const [size] = await world.service.sql<{ entries: number }>(
        `select reltuples::integer as entries from pg_class where relname = '${table}_without_fold'`,
      )
      assert.equal(size?.entries, 0, table)
    }
  })

  it('runs in the background, and ends when it is stopped', async () => {
    await startFillingFolds(owner, log).stop()
    let tell: (details: object) => void = () => undefined
    const told = new Promise<object>(resolve => (tell = resolve))
    const filling = startFillingFolds(owner, { ...log, info: details => tell(details) })
    assert.ok('texts' in (await told))
    await filling.stop()
    assert.deepEqual(await missing(), [])
  })
})
