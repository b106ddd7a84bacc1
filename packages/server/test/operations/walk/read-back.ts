import assert from 'node:assert/strict'
import { relative } from 'node:path'
import type { ResourceType } from '@wbs/contract/receipts'
import type { Person } from '../../harness/service.ts'
import type { World } from '../world.ts'
import type { ReceiptResource } from './hide-resource.ts'

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

/** This file, as messages name it. */
const file = relative(process.cwd(), import.meta.filename)

type FindPath = (of: ReceiptResource, world: World) => string | Promise<string>

/** Where the resource that a receipt names is read; null if only lists show it. A new type needs an entry here. */
const pathOf: Record<ResourceType, FindPath | null> = {
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
  async participant({ id }, { service }) {
    const [place] = await service.sql('select room_id from room_participants where id = $1', [id])
    return `rooms/${place?.['room_id']}/participants/${id}`
  },
  business_link: null,
  observation: null,
  list_column: null,
  room_file_permission: null,
  connection: null,
}

/** Asserts that the resource in the answer of a change is the resource that a read shows now. */
export async function assertShown(
  world: World,
  body: unknown,
  resource: ReceiptResource,
  reader: Person,
): Promise<void> {
  const answered = shown(body as Answer) ?? {}
  const path = await pathOf[resource.type]?.(resource, world)
  assert.ok(
    path,
    `No path in ${file} reads a ${resource.type}. Add one, or write readBack: false in the sample.`,
  )
  const found = shown(await read(world, reader, path)) ?? {}
  // A Workspace that is read also says what the reader is there.
  assert.deepEqual(answered, Object.fromEntries(Object.entries(found).filter(([name]) => name in answered)))
  assert.ok(
    Object.keys(answered).length > 5,
    `The answer has fewer than six fields under the keys that ${file} knows. Add its key to Answer and shown, or write readBack: false in the sample.`,
  )
}

async function read({ service, workspace_id }: World, { token }: Person, path: string): Promise<Answer> {
  const headers = { 'svc-workspace-id': path.startsWith('workspaces/') ? path.slice(11) : workspace_id }
  const { status, body } = await service.request(`/v1/${path}`, { token, headers })
  assert.equal(status, 200, path)
  return body as Answer
}
