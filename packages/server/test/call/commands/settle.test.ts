import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { startTestService, type TestService } from '../../harness/service.ts'

describe('the records of a change', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('are an event and a receipt that name the actor, the client, the resource and the command', async () => {
    const olivia = service.person('Olivia', { client_id: 'https://app.example.com/client' })
    const { workspace } = await olivia.client.createWorkspace({ name: 'Harbor Street Partners' })
    const [event] = await service.sql(`select * from events where workspace_id = $1`, [workspace.id])
    const [receipt] = await service.sql(`select * from receipts where workspace_id = $1`, [workspace.id])
    assert.deepEqual(
      [event?.type, event?.feed, event?.position, event?.ordinal],
      ['workspace.created', 'audit', '1', 0],
    )
    assert.match(event?.id, /^evt_[0-7][0-9A-HJKMNP-TV-Z]{25}$/)
    assert.deepEqual(event?.subject, { type: 'workspace', id: workspace.id, name: 'Harbor Street Partners' })
    assert.deepEqual(
      [receipt?.operation, receipt?.resource_type, receipt?.resource_id],
      ['create_workspace', 'workspace', workspace.id],
    )
    assert.equal(event?.command_id, receipt?.command_id)
    assert.deepEqual(event?.actor, receipt?.actor)
    const { type, user_id, name, via } = (event as { actor: unknown }).actor as {
      type: string
      user_id: string
      name: string
      via: Record<string, string>
    }
    assert.deepEqual([type, user_id, name], ['person', olivia.user_id, 'Olivia'])
    assert.deepEqual([via.kind, via.name], ['app', 'https://app.example.com/client'])
    assert.match(via.client_id ?? '', /^[0-9a-f]{8}-[0-9a-f]{4}-8[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/)
  })

  it('names a program by the same id each time', async () => {
    const actors = await Promise.all(
      ['Olivia', 'Marcus'].map(async name => {
        const person = service.person(name, { client_id: 'wbs-cli' })
        const { workspace } = await person.client.createWorkspace({ name })
        const [event] = await service.sql(
          `select actor -> 'via' ->> 'client_id' as id from events where workspace_id = $1`,
          [workspace.id],
        )
        return event?.id as string
      }),
    )
    assert.equal(actors[0], actors[1])
  })
})
