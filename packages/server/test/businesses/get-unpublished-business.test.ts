import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId, type Id } from '@wbs/contract/ids'
import { isProblem } from '@wbs/sdk'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { addBusiness, withdraw, type BusinessFacts } from '../harness/businesses.ts'

const everything = ['classifications', 'locations', 'identifiers', 'provenance'] as const

const facts: BusinessFacts = {
  name: 'Glacier Tooling',
  locations: [
    { state: 'OR', city: 'Portland' },
    { kind: 'mailing', state: 'WA', city: 'Vancouver', is_primary: false, published: false },
  ],
  classifications: [{ code: '332710' }, { code: '541511', is_primary: false, published: false }],
  identifiers: [
    { scheme: 'ein', value: '12-3456789', published: false },
    { scheme: 'uei', value: 'ABCDEF123456', published: true },
  ],
}

describe('a Business that is not published', () => {
  let service: TestService
  let olivia: Person
  let workspace_id: string
  let draft: Id<'biz'>
  let withdrawn: Id<'biz'>
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    workspace_id = await service.workspace('Harbor Street Partners', olivia)
    draft = await addBusiness(service, { ...facts, name: 'Draft', publication_status: 'draft' })
    withdrawn = await addBusiness(service, { ...facts, name: 'Withdrawn' })
    await withdraw(service, [withdrawn])
    for (const id of [draft, withdrawn]) await service.link(workspace_id, id, olivia)
  })
  after(() => service.close())

  it('is returned in its Workspace, with all its facts', async () => {
    for (const business_id of [draft, withdrawn]) {
      const { data, projection } = await olivia.client.getBusiness(
        { business_id, include: [...everything] },
        { workspace_id },
      )
      assert.equal(projection, 'workspace')
      assert.equal(data.publication_status, business_id === draft ? 'draft' : 'withdrawn')
      assert.equal(data.city, 'Portland')
      assert.equal(data.locations?.length, 2)
      assert.equal(data.classifications?.length, 2)
      assert.equal(data.identifiers?.length, 2)
      assert.deepEqual(data.provenance, [])
    }
  })

  it('is returned to a viewer, and to a key with businesses:read without the Workspace header', async () => {
    const viewer = service.person('Viewer')
    const theirs = await service.workspace('Viewed', olivia, { viewer })
    await service.link(theirs, draft, olivia)
    assert.equal(
      (await viewer.client.getBusiness({ business_id: draft }, { workspace_id: theirs })).data.name,
      'Draft',
    )
    const { secret } = await service.apiKey(workspace_id, olivia, ['businesses:read'])
    assert.equal(
      (await service.client({ api_key: secret }).getBusiness({ business_id: draft })).projection,
      'workspace',
    )
  })

  it('is returned in its public form if it is published', async () => {
    const business_id = await addBusiness(service, facts)
    await service.link(workspace_id, business_id, olivia)
    const { data, projection } = await olivia.client.getBusiness(
      { business_id, include: ['locations'] },
      { workspace_id },
    )
    assert.equal(projection, 'public')
    assert.equal(data.locations?.length, 1)
  })

  it('answers everybody else as for an unknown one: the same status, headers and body', async () => {
    const stranger = service.person('Stranger')
    const elsewhere = await service.workspace('Elsewhere', stranger)
    const limited = service.person('Limited')
    const limiting = await service.workspace('Limiting', olivia, { member: limited })
    await service.link(limiting, draft, olivia)
    await service.sql(
      `update memberships set permissions = '{"businesses:read": false}' where user_id = $1`,
      [limited.user_id],
    )
    const { secret } = await service.apiKey(workspace_id, olivia, ['rooms:read'])
    const { secret: foreign } = await service.apiKey(elsewhere, stranger, ['businesses:read'])
    const callers: Record<string, Record<string, string>> = {
      anonymous: {},
      'anonymous, naming the Workspace': { 'svc-workspace-id': workspace_id },
      'a member who names no Workspace': { authorization: `Bearer ${olivia.token}` },
      'a member of another Workspace': {
        authorization: `Bearer ${stranger.token}`,
        'svc-workspace-id': elsewhere,
      },
      'a member without businesses:read': {
        authorization: `Bearer ${limited.token}`,
        'svc-workspace-id': limiting,
      },
      'a key without businesses:read': { 'x-svc-api-key': secret, 'svc-workspace-id': workspace_id },
      'a key of another Workspace': { 'x-svc-api-key': foreign },
    }
    for (const [caller, headers] of Object.entries(callers))
      for (const hidden of [draft, withdrawn]) {
        const seen = await service.request(`/v1/businesses/${hidden}`, { headers })
        const absentId = newId('biz')
        const absent = await service.request(`/v1/businesses/${absentId}`, { headers })
        assert.equal(seen.status, 404, caller)
        assert.deepEqual(comparable(seen, hidden), comparable(absent, absentId), caller)
      }
  })

  it('refuses callers without standing in the named Workspace, and keys that name another one', async () => {
    const stranger = service.person('Stranger')
    const { secret } = await service.apiKey(workspace_id, olivia, ['businesses:read'])
    const other = await service.workspace('Other', olivia)
    const refused = (promise: Promise<unknown>) =>
      assert.rejects(promise, error => isProblem(error, 'forbidden'))
    await refused(stranger.client.getBusiness({ business_id: draft }, { workspace_id }))
    await refused(stranger.client.getBusiness({ business_id: draft }, { workspace_id: crypto.randomUUID() }))
    await refused(
      service.client({ api_key: secret }).getBusiness({ business_id: draft }, { workspace_id: other }),
    )
  })
})

/** An answer without what always differs: its id, its time and the path. */
function comparable(
  { status, headers, text }: { status: number; headers: Headers; text: string },
  id: string,
) {
  const ofItself = /req_\w{26}/g
  return {
    status,
    headers: [...headers]
      .filter(([name]) => name !== 'date')
      .map(([name, value]) => [name, value.replace(ofItself, 'req')]),
    text: text.replaceAll(ofItself, 'req').replaceAll(id, 'the id'),
  }
}
