import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../harness/service.ts'

describe('POST /v1/workspaces', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('makes an active team Workspace with the caller as its owner', async () => {
    const olivia = service.person('Olivia')
    const answer = await olivia.client.createWorkspace({ name: 'Harbor Street Partners' })
    assert.equal(answer.workspace.name, 'Harbor Street Partners')
    assert.equal(answer.workspace.workspace_type, 'team')
    assert.equal(answer.workspace.resource_type, 'workspace')
    assert.equal(answer.workspace.resource_id, answer.workspace.id)
    assert.equal(answer.workspace.status, 'active')
    assert.deepEqual(answer.workspace.metadata, {})
    assert.equal(answer.owner_membership.user_id, olivia.user_id)
    assert.equal(answer.owner_membership.workspace_id, answer.workspace.id)
    assert.equal(answer.owner_membership.role, 'owner')
    assert.equal(answer.owner_membership.status, 'active')
    assert.deepEqual(answer.owner_membership.permissions, {})
    assert.deepEqual(answer.access, { access_level: 'full_access' })
    assert.equal(answer.idempotent_replay, false)
    assert.equal(answer.original_request_id, answer.request_id)
  })

  it('answers 16 duplicates at once with one and the same Workspace', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    const answers = await Promise.all(Array.from({ length: 16 }, () => olivia.client.createWorkspace({ name: 'Once' }, { idempotency_key: key })))
    assert.equal(new Set(answers.map(answer => answer.workspace.id)).size, 1)
    assert.equal(answers.filter(answer => !answer.idempotent_replay).length, 1)
    assert.equal(new Set(answers.map(answer => answer.original_request_id)).size, 1)
    assert.equal(new Set(answers.map(answer => answer.request_id)).size, 16)
    const [counts] = await service.sql(
      `select (select count(*)::int from memberships where user_id = $1) as memberships,
              (select count(*)::int from receipts where actor ->> 'user_id' = $1::text) as receipts,
              (select count(*)::int from events where actor ->> 'user_id' = $1::text) as events`,
      [olivia.user_id],
    )
    assert.deepEqual(counts, { memberships: 1, receipts: 1, events: 1 })
  })
})
