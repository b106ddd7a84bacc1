import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../../harness/businesses.ts'
import { twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('GET /v1/businesses/{business_id}/workspace-profile', () => {
  let world: TwoWorkspaces
  let business_id: string
  before(async () => {
    world = await twoWorkspaces()
    business_id = await addBusiness(world.service, { name: 'Glacier Tooling' })
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id })
    await world.them.linkBusiness({ workspace_id: world.sams, business_id })
  })
  after(() => world.close())

  it('is empty, with revision 0, if nothing was saved', async () => {
    assert.deepEqual((await world.us.getWorkspaceProfile({ business_id })).data, {
      business_id,
      logo_url: null,
      notes: null,
      revision: 0,
      updated_at: null,
    })
  })

  it('is what this Workspace saved', async () => {
    await world.them.setWorkspaceProfile({ business_id, notes: 'Theirs', expected_revision: 0 })
    assert.equal((await world.us.getWorkspaceProfile({ business_id })).data.notes, null)
    await world.us.setWorkspaceProfile({ business_id, notes: 'Ours', expected_revision: 0 })
    assert.equal((await world.them.getWorkspaceProfile({ business_id })).data.notes, 'Theirs')
    assert.equal((await world.as(world.viktor).getWorkspaceProfile({ business_id })).data.notes, 'Ours')
  })

  it('has its revision as ETag, and answers 304 if the client has it', async () => {
    const headers = { 'svc-workspace-id': world.workspace_id }
    const path = `/v1/businesses/${business_id}/workspace-profile`
    const first = await world.service.request(path, { token: world.olivia.token, headers })
    assert.equal(first.headers.get('etag'), `"r${first.body.data.revision}"`)
    const again = await world.service.request(path, {
      token: world.olivia.token,
      headers: { ...headers, 'if-none-match': first.headers.get('etag') ?? '' },
    })
    assert.equal(again.status, 304)
  })

  it('answers for an unlinked Business as for an unknown one', async () => {
    const published = await addBusiness(world.service, { name: 'Published' })
    const { data: hidden } = await world.them.createBusiness({ name: 'Hidden' })
    const details = new Set<string>()
    for (const id of [published, hidden.id, newId('biz')])
      details.add((await refused(world.us.getWorkspaceProfile({ business_id: id }), 'not_found')).detail)
    assert.equal(details.size, 1)
  })
})
