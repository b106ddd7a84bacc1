import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { addBusinesses } from '../../harness/businesses.ts'
import { startFaultProxy, type FaultProxy } from '../../harness/postgres/fault-proxy.ts'
import { withinRoundTrips } from '../../harness/round-trips.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { makeSheet, number, type Sheet } from './value-fixture.ts'

describe('the round trips of setting values', () => {
  let proxy: FaultProxy
  let world: ListWorld
  let sheet: Sheet
  let us: Client
  before(async () => {
    proxy = await startFaultProxy()
    world = await makeListWorld()
    sheet = await makeSheet(world, { kind: 'or', rules: [{ kind: 'all' }, where('state', 'eq', 'OH')] })
    us = world.as(world.people.member)
    await us.listLists({})
  })
  after(async () => {
    await world.close()
    await proxy.close()
  })

  it('are two for one value', async () => {
    await withinRoundTrips(proxy, 2, () => sheet.set('number', number(1), 1))
    await withinRoundTrips(proxy, 2, () => sheet.set('number', null, 2))
    await withinRoundTrips(proxy, 2, () => sheet.set('number', null, 3))
  })

  it('are three for 500 values', async () => {
    const ids = await addBusinesses(
      world.service,
      Array.from({ length: 500 }, (_, i) => ({ name: `Harbor ${i}` })),
    )
    const { list_id, columns } = sheet
    const set = (value: number, expected_version: number) =>
      us.setListEntryValues({
        list_id,
        values: ids.map(member_id => ({ member_id, column_id: columns.number, value: number(value) })),
        expected_version,
      })
    await withinRoundTrips(proxy, 3, () => set(1, 3))
    await withinRoundTrips(proxy, 3, () => set(2, 4))
  })
})
