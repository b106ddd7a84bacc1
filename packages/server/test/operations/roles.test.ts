import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { roles, scopes } from '@wbs/contract/scopes'
import type { Client } from '@wbs/sdk'
import { startTestService, type TestService } from '../harness/service.ts'
import { keyMay, roleHas } from './roles.ts'
import { makeWorld, type World } from './world.ts'

describe('GET /v1/me says what a credential may do in a Workspace', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startTestService()
    world = await makeWorld(service)
  })
  after(() => service.close())

  async function permissionsOf(client: Client): Promise<string[] | undefined> {
    const { memberships } = (await client.getMe({})).data
    return memberships.find(one => one.workspace_id === world.workspace_id)?.effective_permissions
  }

  for (const role of roles)
    it(`${role}: the permissions of the role, and no other`, async () => {
      assert.deepEqual(
        await permissionsOf(world.people[role].client),
        scopes.filter(scope => roleHas(role, scope)),
      )
    })

  it('an API key of the owner with every scope: all permissions but those that no key can have', async () => {
    const { secret } = await service.apiKey(world.workspace_id, world.people.owner, scopes)
    assert.deepEqual(await permissionsOf(service.client({ api_key: secret })), scopes.filter(keyMay))
  })
})
