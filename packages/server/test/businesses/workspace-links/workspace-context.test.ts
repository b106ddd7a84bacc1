import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId, type Id } from '@wbs/contract/ids'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { addBusiness } from '../../harness/businesses.ts'

interface ObservationFacts {
  key: string
  value: unknown
  value_type?: 'text' | 'number' | 'boolean' | 'date'
  observed_on?: string
  retracted?: boolean
}

describe('the records of a Workspace about a Business', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  let other: string
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Harbor Street Partners', olivia)
    other = await service.workspace('Other', olivia)
  })
  after(() => service.close())

  async function linked(...workspaces: string[]): Promise<Id<'biz'>> {
    const id = await addBusiness(service, { name: 'Glacier Tooling' })
    for (const workspace of workspaces) await service.link(workspace, id, olivia)
    return id
  }
  async function observe(
    workspace: string,
    business_id: string,
    ...all: ObservationFacts[]
  ): Promise<string[]> {
    const ids: string[] = []
    for (const { key, value, value_type = 'text', observed_on = '2026-01-01', retracted = false } of all) {
      ids.push(newId('obs'))
      await service.sql(
        `insert into business_observations (workspace_id, business_id, id, key, value_type, value, observed_on, source, recorded_by, retracted_at)
         values ($1, $2, $3, $4, $5, $6, $7, '{}', $8, case when $9::boolean then now() end)`,
        [
          workspace,
          business_id,
          ids.at(-1),
          key,
          value_type,
          JSON.stringify(value),
          observed_on,
          olivia.user_id,
          retracted,
        ],
      )
    }
    return ids
  }
  const saveLogo = (workspace: string, business_id: string, logo_url: string | null) =>
    service.sql(
      `insert into workspace_business_profiles (workspace_id, business_id, logo_url) values ($1, $2, $3)`,
      [workspace, business_id, logo_url],
    )
  async function shown(business_id: string, workspace = workspace_id) {
    const { data } = await olivia.client.listWorkspaceBusinesses({ workspace_id: workspace, limit: 100 })
    const found = data.find(one => one.id === business_id)
    assert.ok(found)
    return found
  }
  const values = async (business_id: string) =>
    Object.fromEntries((await shown(business_id)).observations.map(one => [one.key, one.value.value]))

  it('include the saved logo, unchanged', async () => {
    const id = await linked(workspace_id)
    await saveLogo(workspace_id, id, 'https://CDN.example/logo.png?size=64')
    assert.equal((await shown(id)).logo_url, 'https://CDN.example/logo.png?size=64')
  })

  it('include no logo if none is saved, or it is not a web URL', async () => {
    for (const saved of [
      null,
      '',
      'logo.png',
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      'https://me:secret@cdn.example/',
    ]) {
      const id = await linked(workspace_id)
      await saveLogo(workspace_id, id, saved)
      assert.equal((await shown(id)).logo_url, null, String(saved))
    }
  })

  it('exclude those of other Workspaces', async () => {
    const id = await linked(workspace_id, other)
    await saveLogo(other, id, 'https://cdn.example/theirs.png')
    await observe(other, id, { key: 'mood', value: 'theirs' })
    const { logo_url, observations } = await shown(id)
    assert.equal(logo_url, null)
    assert.deepEqual(observations, [])
    const theirs = await shown(id, other)
    assert.equal(theirs.logo_url, 'https://cdn.example/theirs.png')
    assert.equal(theirs.observations.length, 1)
  })

  it('are not public, and not part of search', async () => {
    const id = await linked(workspace_id)
    await saveLogo(workspace_id, id, 'https://cdn.example/canary.png')
    await observe(workspace_id, id, { key: 'canary', value: 'canary' })
    for (const client of [service.anonymous, olivia.client]) {
      const found = await client.searchBusinesses({ query: 'glacier', limit: 100 }, { workspace_id })
      const read = await client.getBusiness({ business_id: id }, { workspace_id })
      assert.doesNotMatch(JSON.stringify([found, read]), /canary/)
    }
  })

  it('include the observation of the latest day for each key, with its type', async () => {
    const id = await linked(workspace_id)
    const [headcount, , owned, founded, motto] = await observe(
      workspace_id,
      id,
      { key: 'headcount', value: 40.5, value_type: 'number', observed_on: '2026-03-01' },
      { key: 'headcount', value: 12, value_type: 'number', observed_on: '2026-02-01' },
      { key: 'family_owned', value: false, value_type: 'boolean' },
      { key: 'founded', value: '1999-02-28', value_type: 'date' },
      { key: 'motto', value: 'Never "done" \u2014 𠮷' },
    )
    const observation = (
      observation_id: string | undefined,
      key: string,
      value_type: string,
      value: unknown,
      observed_on = '2026-01-01',
    ) => ({
      observation_id,
      key,
      value: { value_type, value },
      observed_on,
    })
    assert.deepEqual((await shown(id)).observations, [
      observation(owned, 'family_owned', 'boolean', false),
      observation(founded, 'founded', 'date', '1999-02-28'),
      observation(headcount, 'headcount', 'number', 40.5, '2026-03-01'),
      observation(motto, 'motto', 'text', 'Never "done" \u2014 𠮷'),
    ])
  })

  it('include the latest recorded observation of a day', async () => {
    const id = await linked(workspace_id)
    await observe(
      workspace_id,
      id,
      { key: 'mood', value: 'first' },
      { key: 'mood', value: 'second' },
      { key: 'mood', value: 'third' },
    )
    assert.deepEqual(await values(id), { mood: 'third' })
  })

  it('include the observation before a retracted one, and none if all were retracted', async () => {
    const id = await linked(workspace_id)
    await observe(
      workspace_id,
      id,
      { key: 'mood', value: 'kept', observed_on: '2026-01-01' },
      { key: 'mood', value: 'retracted', observed_on: '2026-02-01', retracted: true },
      { key: 'price', value: 'retracted', retracted: true },
    )
    assert.deepEqual(await values(id), { mood: 'kept' })
  })

  it('belong to the right Business of a page', async () => {
    const [one, two, three] = [
      await linked(workspace_id),
      await linked(workspace_id),
      await linked(workspace_id),
    ]
    await observe(workspace_id, one, { key: 'mood', value: 'of one' })
    await observe(workspace_id, three, { key: 'mood', value: 'of three' })
    await saveLogo(workspace_id, two, 'https://cdn.example/two.png')
    assert.deepEqual(
      [await values(one), await values(two), await values(three)],
      [{ mood: 'of one' }, {}, { mood: 'of three' }],
    )
    assert.deepEqual(
      [(await shown(one)).logo_url, (await shown(two)).logo_url],
      [null, 'https://cdn.example/two.png'],
    )
  })
})
