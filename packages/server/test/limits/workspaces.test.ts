import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { assertLimited, told, untilRefused } from './answers.ts'

// Six reads a minute for each credential, and for each Workspace.
describe("a Workspace's quota", () => {
  let service: TestService
  before(async () => void (service = await startTestService({ rateLimitScale: 0.001 })))
  after(() => service.close())

  const read = (workspace_id: string, by: { token?: string; secret?: string }) =>
    service.request(`/v1/workspaces/${workspace_id}`, {
      ...(by.token !== undefined && { token: by.token }),
      headers: {
        'svc-workspace-id': workspace_id,
        ...(by.secret !== undefined && { 'x-svc-api-key': by.secret }),
      },
    })
  const key = (workspace_id: string, owner: Person) =>
    service.apiKey(workspace_id, owner, ['workspace:read', 'businesses:read'])

  it('is shared by its API keys, whatever they are used for', async () => {
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Harbor Street', olivia)
    const [one, other] = [await key(workspace_id, olivia), await key(workspace_id, olivia)]
    for (let i = 0; i < 4; i++) await read(workspace_id, one)
    const get = () => service.request('/v1/me', { headers: { 'x-svc-api-key': other.secret } })
    const answers = await untilRefused(get)
    assert.deepEqual(
      answers.map(answer => [answer.status, told(answer, 'read').left]),
      [
        [200, 1],
        [200, 0],
        [429, 0],
      ],
    )
    assertLimited(answers.at(-1), 'read')
  })

  it('is used by its people too, once they have been let in', async () => {
    const olivia = service.person('Olivia')
    const mo = service.person('Mo')
    const workspace_id = await service.workspace('Harbor Street', olivia, { member: mo })
    const { secret } = await key(workspace_id, olivia)
    await untilRefused(() => read(workspace_id, { secret }))
    assert.equal((await read(workspace_id, mo)).status, 200)
    assertLimited(await read(workspace_id.toUpperCase(), mo), 'read')
    // A caller limited in this Workspace is not limited elsewhere.
    const elsewhere = await service.request('/v1/me', { token: mo.token })
    assert.equal(told(elsewhere, 'read').left, 4)
  })

  it('cannot be used up by strangers who name it', async () => {
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Harbor Street', olivia)
    const named = { 'svc-workspace-id': workspace_id }
    for (let i = 0; i < 3; i++) {
      const { token } = service.person('Stranger')
      const statuses = []
      // Operations of a Workspace, and those that ignore the header.
      for (const path of [
        '/v1/me',
        '/v1/businesses/biz_01ARZ3NDEKTSV4RRFFQ69G5FAV',
        `/v1/workspaces/${workspace_id}`,
      ])
        for (let again = 0; again < 2; again++)
          statuses.push((await service.request(path, { token, headers: named })).status)
      assert.deepEqual(statuses, [200, 200, 403, 403, 403, 403])
    }
    const { secret } = await key(workspace_id, olivia)
    assert.equal(told(await read(workspace_id, { secret }), 'read').left, 5)
  })

  it('of one Workspace does not affect another', async () => {
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Harbor Street', olivia)
    const quentin = service.person('Quentin')
    const other_id = await service.workspace('Mill Lane', quentin)
    const { secret } = await key(workspace_id, olivia)
    await untilRefused(() => read(workspace_id, { secret }))
    const other = await key(other_id, quentin)
    assert.equal(told(await read(other_id, other), 'read').left, 5)
    assert.equal((await read(randomUUID(), other)).status, 403)
  })
})
