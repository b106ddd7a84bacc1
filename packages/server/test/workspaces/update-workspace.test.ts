import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import { forbiddenForKeys, scopes } from '@wbs/contract/scopes'
import type { Client } from '@wbs/sdk'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { refused } from '../harness/refused.ts'

let service: TestService
let workspace_id: string
const people = {} as Record<'owner' | 'admin' | 'member', Person>
before(async () => void (service = await startTestService()))
after(() => service.close())
beforeEach(async () => {
  for (const role of ['owner', 'admin', 'member'] as const) people[role] = service.person(role)
  const { owner, admin, member } = people
  workspace_id = await service.workspace('Harbor Street Partners', owner, { admin, member })
})
const as = (person: Person): Client => service.client({ access_token: person.token, workspace_id })

describe('PATCH /v1/workspaces/{workspace_id}', () => {
  it('changes name and metadata; a field that is not given stays', async () => {
    const renamed = await as(people.admin).updateWorkspace({
      workspace_id,
      expected_revision: 1,
      name: '  Harbor & Co  ',
    })
    assert.equal(renamed.data.name, 'Harbor & Co')
    assert.deepEqual(renamed.data.metadata, {})
    assert.equal(renamed.data.role, 'admin')
    assert.equal(renamed.action_receipt.operation, 'update_workspace')
    const metadata = { crm: { id: 12.5, tags: ['a', null] }, 'odd key ': '\u2028' }
    const tagged = await as(people.owner).updateWorkspace({ workspace_id, expected_revision: 2, metadata })
    assert.deepEqual(
      [tagged.data.name, tagged.data.metadata, tagged.data.revision],
      ['Harbor & Co', metadata, 3],
    )
    assert.deepEqual((await as(people.member).getWorkspace({ workspace_id })).data.metadata, metadata)
    const events = await service.sql(
      `select type, data from events where workspace_id = $1 order by position`,
      [workspace_id],
    )
    assert.deepEqual(events.slice(1), [
      { type: 'workspace.updated', data: { changed: ['name'] } },
      { type: 'workspace.updated', data: { changed: ['metadata'] } },
    ])
  })

  it('accepts metadata of up to 16 KiB as JSON', async () => {
    const of = (bytes: number) => ({ text: 'é'.repeat((bytes - 11) / 2).padEnd((bytes - 11) / 2, '') })
    const fits = of(16 * 1024 - 1)
    assert.equal(Buffer.byteLength(JSON.stringify(fits)), 16 * 1024 - 1)
    await as(people.owner).updateWorkspace({ workspace_id, expected_revision: 1, metadata: fits })
    const { errors } = await refused(
      as(people.owner).updateWorkspace({ workspace_id, expected_revision: 2, metadata: of(16 * 1024 + 1) }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => [one.pointer, one.code]),
      [['/metadata', 'too_long']],
    )
  })

  it('applies one of 50 concurrent changes of a revision', async () => {
    const answers = await Promise.allSettled(
      Array.from({ length: 50 }, (_, i) =>
        as(i % 2 ? people.owner : people.admin).updateWorkspace({
          workspace_id,
          expected_revision: 1,
          name: `Name ${i}`,
        }),
      ),
    )
    assert.equal(answers.filter(answer => answer.status === 'fulfilled').length, 1)
    assert.equal((await as(people.owner).getWorkspace({ workspace_id })).data.revision, 2)
  })

  it('refuses an invalid name, and an empty change', async () => {
    for (const wrong of [
      { name: '' },
      { name: ' ' },
      { name: 'a\nb' },
      { name: 'x'.repeat(201) },
      { name: null },
      { metadata: [] },
      { metadata: null },
      {},
    ])
      await refused(
        as(people.owner).updateWorkspace({ workspace_id, expected_revision: 1, ...(wrong as object) }),
        'validation_error',
      )
    await refused(
      as(people.member).updateWorkspace({ workspace_id, expected_revision: 1, name: 'x' }),
      'forbidden',
    )
  })
})

describe('POST /v1/workspaces/{workspace_id}/close', () => {
  it('ends all standing, also of keys, and keeps the Workspace in the lists of its members', async () => {
    const { secret } = await service.apiKey(workspace_id, people.owner, scopes)
    const { data } = await as(people.owner).closeWorkspace({ workspace_id, expected_revision: 1 })
    assert.deepEqual([data.status, data.revision], ['closed', 2])
    for (const client of [
      ...Object.values(people).map(as),
      service.client({ api_key: secret, workspace_id }),
    ])
      await refused(client.getWorkspace({ workspace_id }), 'forbidden')
    const { data: mine } = await people.member.client.listWorkspaces()
    assert.deepEqual(
      mine.map(one => one.status),
      ['closed'],
    )
    assert.deepEqual((await people.owner.client.getMe()).data.memberships[0]?.effective_permissions, [])
  })

  it('requires an owner in person, and the present revision', async () => {
    const { secret } = await service.apiKey(
      workspace_id,
      people.owner,
      scopes.filter(one => !forbiddenForKeys.includes(one)),
    )
    const close = { workspace_id, expected_revision: 1 }
    for (const client of [as(people.admin), service.client({ api_key: secret, workspace_id })])
      await refused(client.closeWorkspace(close), 'forbidden')
    await refused(as(people.owner).closeWorkspace({ ...close, expected_revision: 2 }), 'revision_conflict')
  })

  it('waits for changes in progress, and keeps others from beginning', async () => {
    const changes = Array.from({ length: 20 }, (_, i) =>
      as(people.admin)
        .createApiKey({ name: `Key ${i}`, scopes: [] })
        .then(
          () => true,
          () => false,
        ),
    )
    await as(people.owner).closeWorkspace({ workspace_id, expected_revision: 1 })
    const outcome = await Promise.all(changes)
    const made = outcome.filter(Boolean).length
    const rows = await service.sql(`select e.type from events e where workspace_id = $1 order by position`, [
      workspace_id,
    ])
    assert.equal(rows.at(-1)?.['type'], 'workspace.closed')
    assert.equal(rows.filter(row => row['type'] === 'api_key.created').length, made)
  })
})

describe('a suspended Workspace', () => {
  it('can be read but not changed', async () => {
    await service.sql(`update workspaces set status = 'suspended' where id = $1`, [workspace_id])
    assert.equal((await as(people.member).getWorkspace({ workspace_id })).data.status, 'suspended')
    for (const change of [
      () => as(people.owner).updateWorkspace({ workspace_id, expected_revision: 1, name: 'New' }),
      () => as(people.owner).createApiKey({ name: 'A key', scopes: [] }),
      () => as(people.owner).closeWorkspace({ workspace_id, expected_revision: 1 }),
    ])
      assert.equal((await refused(change(), 'state_conflict')).current_status, 'suspended')
  })
})
