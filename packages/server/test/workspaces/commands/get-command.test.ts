import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { refused } from '../../harness/refused.ts'

describe('GET /v1/commands/{idempotency_key}', () => {
  let service: TestService
  let olivia: Person
  let viktor: Person
  let workspace_id: string
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    viktor = service.person('Viktor')
    workspace_id = await service.workspace('Harbor', olivia, { viewer: viktor })
  })
  after(() => service.close())
  const here = (person: Person) => service.client({ access_token: person.token, workspace_id })
  const nothing = { status: 'unknown', operation: null, receipt: null, resource: null }
  const told = async (answer: Promise<{ request_id: string }>) => {
    const { request_id, ...rest } = await answer
    assert.match(request_id, /^req_/)
    return rest
  }

  it('returns the receipt of a change in a Workspace', async () => {
    const idempotency_key = `${randomUUID()}/with%odd?signs#`
    const { action_receipt } = await here(olivia).updateWorkspace(
      { workspace_id, expected_revision: 1, name: 'Harbor Street' },
      { idempotency_key },
    )
    assert.deepEqual(await told(here(olivia).getCommand({ idempotency_key })), {
      status: 'committed',
      operation: 'update_workspace',
      receipt: action_receipt,
      resource: { type: 'workspace', id: workspace_id },
    })
  })

  it('returns the receipt of a change outside any Workspace if none is named', async () => {
    const idempotency_key = randomUUID()
    const { workspace } = await olivia.client.createWorkspace({ name: 'Another' }, { idempotency_key })
    const answer = await told(olivia.client.getCommand({ idempotency_key }))
    assert.equal((answer as { status: string }).status, 'committed')
    assert.deepEqual((answer as { resource: unknown }).resource, { type: 'workspace', id: workspace.id })
    assert.deepEqual(await told(here(olivia).getCommand({ idempotency_key })), nothing)
  })

  it('does not know refused changes, nor those of others', async () => {
    const idempotency_key = randomUUID()
    await refused(
      here(olivia).updateWorkspace({ workspace_id, expected_revision: 99, name: 'No' }, { idempotency_key }),
      'revision_conflict',
    )
    assert.deepEqual(await told(here(olivia).getCommand({ idempotency_key })), nothing)
    const mine = randomUUID()
    await here(olivia).createApiKey({ name: 'A key', scopes: [] }, { idempotency_key: mine })
    assert.deepEqual(await told(here(viktor).getCommand({ idempotency_key: mine })), nothing)
  })

  it('shows a key its own changes in its Workspace', async () => {
    const { secret } = await service.apiKey(workspace_id, olivia, ['workspace:manage'])
    const idempotency_key = randomUUID()
    const { data } = await here(olivia).getWorkspace({ workspace_id })
    const key = service.client({ api_key: secret })
    await key.updateWorkspace(
      { workspace_id, expected_revision: data.revision, metadata: { by: 'key' } },
      { idempotency_key },
    )
    for (const client of [key, service.client({ api_key: secret, workspace_id })])
      assert.equal((await client.getCommand({ idempotency_key })).status, 'committed')
    assert.deepEqual(await told(here(olivia).getCommand({ idempotency_key })), nothing)
  })

  it('shows that a change is in progress on any node', async () => {
    const idempotency_key = randomUUID()
    const blocker = new pg.Client({ ...service.testDatabase.address, options: '-c search_path=svc' })
    await blocker.connect()
    await blocker.query('begin')
    await blocker.query('select from workspaces where id = $1 for update', [workspace_id])
    const { data } = await here(olivia).getWorkspace({ workspace_id })
    const change = here(olivia).updateWorkspace(
      { workspace_id, expected_revision: data.revision, metadata: { slow: true } },
      { idempotency_key },
    )
    let status = 'unknown'
    while (status === 'unknown') ({ status } = await here(olivia).getCommand({ idempotency_key }))
    assert.equal(status, 'in_progress')
    await blocker.query('commit')
    await blocker.end()
    await change
    assert.equal((await here(olivia).getCommand({ idempotency_key })).status, 'committed')
  })

  it('does not know changes after the key expired or standing was lost', async () => {
    const idempotency_key = randomUUID()
    await here(olivia).createApiKey({ name: 'A key', scopes: [] }, { idempotency_key })
    await service.sql(`update commands set expires_at = now() where idempotency_key = $1`, [idempotency_key])
    assert.deepEqual(await told(here(olivia).getCommand({ idempotency_key })), nothing)
    const founding = randomUUID()
    const { workspace } = await viktor.client.createWorkspace({ name: 'Left' }, { idempotency_key: founding })
    await service.join(workspace.id, olivia, 'owner')
    await service.client({ access_token: viktor.token, workspace_id: workspace.id }).leaveTeam()
    const answer = await viktor.client.getCommand({ idempotency_key: founding })
    assert.deepEqual([answer.status, answer.receipt, answer.resource], ['committed', null, null])
  })

  it('requires a well-formed key, and standing if a Workspace is named', async () => {
    await refused(olivia.client.getCommand({ idempotency_key: 'short' }), 'validation_error')
    await refused(
      here(service.person('Otto')).getCommand({ idempotency_key: 'a-key-that-is-long' }),
      'forbidden',
    )
  })
})
