import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { ResourceType } from '@wbs/contract/receipts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { mutations, performanceOf, type NamedMutation } from '../operations/performing.ts'
import { samples } from '../operations/samples.ts'
import { makeWorld, restore, type World } from '../operations/world.ts'

interface Resource {
  type: ResourceType
  id: string
}

/** What the answers of changes and of reads have in common. */
interface Answer {
  room?: { room_id: string }
  participant?: { participant_id: string }
  workspace?: { id: string }
  room_file?: { room_file_id: string }
  file?: { file_id: string }
  data?: { id: string; key_id?: string; invitation_id?: string }
}

const shown = ({ room, participant, workspace, file, room_file, data }: Answer) =>
  room ?? participant ?? workspace ?? file ?? room_file ?? data

describe('the resource in the answer of a change is the resource that a read shows afterwards', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startTestService()
    world = await makeWorld(service)
  })
  after(() => service.close())

  /** Where the resource that a receipt names is read. */
  const pathOf: Partial<Record<ResourceType, (of: Resource) => string | Promise<string>>> = {
    workspace: ({ id }) => `workspaces/${id}`,
    membership: ({ id }) => `team/members/${id}`,
    api_key: ({ id }) => `api-keys/${id}`,
    team_invitation: ({ id }) => `team/invitations/${id}`,
    business: ({ id }) => `businesses/${id}?include=classifications,locations,identifiers`,
    list: ({ id }) => `lists/${id}`,
    room: ({ id }) => `rooms/${id}`,
    file: ({ id }) => `files/${id}`,
    room_file: ({ id }) => `room-files/${id}`,
    valuation: ({ id }) => `valuations/${id}`,
    goal: ({ id }) => `goals/${id}`,
    task: ({ id }) => `tasks/${id}`,
    approval: ({ id }) => `approvals/${id}`,
    portfolio: ({ id }) => `portfolios/${id}`,
    asset: ({ id }) => `assets/${id}`,
    benchmark_set: ({ id }) => `benchmark-sets/${id}`,
    async participant({ id }) {
      const [place] = await service.sql('select room_id from room_participants where id = $1', [id])
      return `rooms/${place?.['room_id']}/participants/${id}`
    },
  }

  async function resourceOf(key: string): Promise<Resource> {
    const [resource] = await service.sql<Resource>(
      `select r.resource_type as type, r.resource_id as id from receipts r
       join commands c on c.command_id = r.command_id where c.idempotency_key = $1`,
      [key],
    )
    return resource ?? assert.fail('It left no receipt.')
  }

  async function read({ token }: Person, path: string): Promise<Answer> {
    const headers = {
      authorization: `Bearer ${token}`,
      'svc-workspace-id': path.startsWith('workspaces/') ? path.slice(11) : world.workspace_id,
    }
    const answer = await fetch(`${service.base_url}/v1/${path}`, { headers })
    assert.equal(answer.status, 200, path)
    return (await answer.json()) as Answer
  }

  const isReadBack = ({ name }: NamedMutation) =>
    samples[name].readBack !== false && samples[name].replay !== 'refused'

  for (const operation of mutations.filter(isReadBack))
    it(operation.name, async () => {
      const key = randomUUID()
      const { caller, ask } = await performanceOf(world, operation, key)
      const { status, body } = await ask()
      assert.equal(status, operation.status, JSON.stringify(body))
      const answered = shown(body as Answer) ?? {}
      const resource = await resourceOf(key)
      const path = await pathOf[resource.type]?.(resource)
      assert.ok(path, `Say where a ${resource.type} is read, or readBack: false in the sample.`)
      const found = shown(await read(caller, path)) ?? {}
      await restore(world)
      // A Workspace that is read also says what the reader is there.
      assert.deepEqual(
        answered,
        Object.fromEntries(Object.entries(found).filter(([name]) => name in answered)),
      )
      assert.ok(Object.keys(answered).length > 5)
    })
})
