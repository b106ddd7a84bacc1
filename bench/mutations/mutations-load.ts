import { randomUUID } from 'node:crypto'
import { createClient } from '../../packages/sdk/src/index.ts'
import { openHttpConnection, type HttpConnection } from '../http-connection.ts'
import { loadOf, type Load } from '../load.ts'

/** A Room that one connection of the load changes repeatedly. */
export interface Target {
  path: string
  workspace_id: string
  revision: number
}

export interface LoadOptions {
  seconds: number
  connections: number
}

export interface Owner {
  access_token: string
  user_id: string
}

/** Creates a Room for each connection, of one owner, in so many Workspaces. */
export async function makeTargets(
  base_url: string,
  { access_token }: Owner,
  { workspaces, connections }: { workspaces: number; connections: number },
): Promise<Target[]> {
  const made = await Promise.all(
    Array.from({ length: workspaces }, (_, i) =>
      createClient({ base_url, access_token }).createWorkspace({ name: `Bench ${i}` }),
    ),
  )
  return Promise.all(
    Array.from({ length: connections }, async (_, i) => {
      const workspace_id = made[i % workspaces]?.workspace.id ?? ''
      const client = createClient({ base_url, access_token, workspace_id })
      const { room } = await client.createRoom({ title: `Room ${i}` })
      return { path: `/v1/rooms/${room.room_id}`, workspace_id, revision: room.revision }
    }),
  )
}

/** PATCHes the title at the current revision. */
export const patchRoom = async (connection: HttpConnection, target: Target, token: string): Promise<void> => {
  const body = { expected_revision: target.revision, title: `Title ${target.revision}` }
  await connection.send('PATCH', target.path, headersOf(target, token), JSON.stringify(body))
  target.revision++
}

/** POSTs a Room into the Workspace of the target. */
export const createRoom = (connection: HttpConnection, target: Target, token: string): Promise<string> =>
  connection.send('POST', '/v1/rooms', headersOf(target, token), JSON.stringify({ title: 'Another Room' }))

/** Invites somebody to the Room, with the job that sends the mail. */
export const inviteParticipant = (
  connection: HttpConnection,
  target: Target,
  token: string,
): Promise<string> => {
  const body = { email: `${randomUUID()}@example.com`, access_level: 'view' }
  return connection.send(
    'POST',
    `${target.path}/participants`,
    headersOf(target, token),
    JSON.stringify(body),
  )
}

/** Opens a connection for each target, sends requests over each for a while, and closes them. */
export async function loadOn(
  base_url: string,
  targets: readonly Target[],
  send: (connection: HttpConnection, target: Target) => Promise<unknown>,
  options: LoadOptions,
): Promise<Load> {
  const connections = await Promise.all(targets.map(() => openHttpConnection(base_url)))
  try {
    return await loadOf(i => send(connections[i] as HttpConnection, targets[i] as Target), options)
  } finally {
    for (const connection of connections) connection.close()
  }
}

const headersOf = ({ workspace_id }: Target, token: string) => ({
  authorization: `Bearer ${token}`,
  'svc-workspace-id': workspace_id,
  'idempotency-key': randomUUID(),
  'content-type': 'application/json',
})
