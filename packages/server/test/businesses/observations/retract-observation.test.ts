import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { assertOnce, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('POST /v1/businesses/{business_id}/observations/{observation_id}/retract', () => {
  let world: TwoWorkspaces
  let business_id: string
  before(async () => {
    world = await twoWorkspaces()
    business_id = await addBusiness(world.service, { name: 'Glacier Tooling' })
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id })
    await world.them.linkBusiness({ workspace_id: world.sams, business_id })
  })
  after(() => world.close())

  async function observed(value = 'good', client = world.us): Promise<string> {
    const given = { key: 'mood', value: { value_type: 'text', value }, observed_on: '2026-01-01' } as const
    return (await client.createObservation({ business_id, ...given })).data.observation_id
  }
  const retract = (observation_id: string, of = business_id) =>
    world.us.retractObservation({ business_id: of, observation_id })

  it('retracts an observation, and the previous one counts again', async () => {
    await observed('before')
    const id = await observed('after')
    const { data, action_receipt } = await retract(id)
    assert.equal(data.observation_id, id)
    assert.equal(data.value.value, 'after')
    assert.ok(data.retracted_at)
    assert.deepEqual(action_receipt.changed, ['retracted_at'])
    const { data: listed } = await world.us.listWorkspaceBusinesses({ workspace_id: world.workspace_id })
    assert.equal(listed[0]?.observations[0]?.value.value, 'before')
    const events = await world.service.sql(
      `select type from events where data ->> 'observation_id' = $1 order by position`,
      [id],
    )
    assert.deepEqual(
      events.map(one => one['type']),
      ['business.observation_recorded', 'business.observation_retracted'],
    )
  })

  it('refuses a second retraction, and keeps the time of the first', async () => {
    const id = await observed()
    const { data } = await retract(id)
    assert.equal((await refused(retract(id), 'state_conflict')).current_status, 'retracted')
    const { data: all } = await world.us.listObservations({
      business_id,
      include_retracted: true,
      limit: 100,
    })
    assert.equal(all.find(one => one.observation_id === id)?.retracted_at, data.retracted_at)
  })

  it('takes effect once for a key, and once for many concurrent requests', async () => {
    const [id, other] = [await observed(), await observed()]
    await assertOnce(
      options => world.us.retractObservation({ business_id, observation_id: id }, options),
      options => world.us.retractObservation({ business_id, observation_id: other }, options),
    )
    const answers = await Promise.allSettled(Array.from({ length: 10 }, () => retract(other)))
    assert.equal(answers.filter(one => one.status === 'fulfilled').length, 1)
  })

  it("is for another Workspace's, and for one of another Business, as for none", async () => {
    const theirs = await observed('theirs', world.them)
    const elsewhere = await addBusiness(world.service, { name: 'Elsewhere' })
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id: elsewhere })
    const mine = await observed()
    const details = new Set<string>()
    for (const [id, of] of [[theirs], [mine, elsewhere], [newId('obs')]] as const)
      details.add((await refused(retract(id, of), 'not_found')).detail)
    assert.equal(details.size, 1)
    await refused(retract(mine, newId('biz')), 'not_found')
    const { data } = await world.them.listObservations({ business_id })
    assert.equal(data[0]?.retracted_at, null)
  })
})
