import { createHash, randomUUID } from 'node:crypto'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { prepared, together, type Values } from '../floor-queries.ts'
import { floorStatements } from './mutations-floor-sql.ts'

/**
 * The floor of a change: a bare Fastify route that claims the Idempotency-Key, locks standing and Room, and saves with
 * receipt, stored answer and event, by the statements of mutations-floor-sql.ts in two round trips. It authenticates,
 * validates and serializes nothing, and every request is of the same user.
 */
const { address, user_id, connections } = JSON.parse(process.env.FLOOR ?? '{}') as {
  address: pg.ClientConfig
  user_id: string
  connections: number
}
const pool = new pg.Pool({ ...address, pipeline: true, max: connections })

interface Room extends Values {
  status: string
  revision: number
  access_level: string
}

const { claim, lock, standing, room, settle } = floorStatements
const opening = [
  () => 'begin isolation level read committed',
  prepared(claim, 'floor_claim'),
  prepared(lock, 'floor_lock'),
  prepared(standing, 'floor_standing'),
  prepared(room, 'floor_room'),
]
const closing = [prepared(settle, 'floor_settle'), () => 'commit']

async function changeRoom(request: FastifyRequest) {
  const { workspace, room: room_id } = request.params as { workspace: string; room: string }
  const { title, expected_revision } = request.body as { title: string; expected_revision: number }
  const values: Values = {
    workspace,
    room: room_id,
    user: user_id,
    title,
    principal: `user:${user_id}`,
    fingerprint: createHash('sha256')
      .update(request.url + JSON.stringify(request.body))
      .digest(),
    key: request.headers['idempotency-key'],
    command: randomUUID(),
    receipt: randomUUID(),
    event: `evt_${randomUUID()}`,
    now: new Date().toISOString(),
    actor: JSON.stringify(actor),
  }
  const client = await pool.connect()
  try {
    const [, claimed, , member, found] = await together(client, opening, values)
    if (claimed?.rowCount !== 1) throw new Error('The key was used before.')
    if (member?.rows[0]?.status !== 'active') throw new Error('The caller has no standing here.')
    const before = found?.rows[0] as Room | undefined
    if (before?.access_level !== 'full_access' || before.status !== 'active')
      throw new Error('The caller cannot change this Room.')
    if (before.revision !== expected_revision) throw new Error(`The Room is at revision ${before.revision}.`)
    const answer = answerOf(before, values)
    const [, ended] = await together(client, closing, { ...values, answer: JSON.stringify(answer) })
    if (ended?.command !== 'COMMIT') throw new Error('The change was rolled back.')
    const ids = { request_id: 'req_01M8137E2GNVR3X301FTD6N4RH', idempotent_replay: false }
    return { ...answer, ...ids, original_request_id: ids.request_id }
  } catch (error) {
    await client.query('rollback')
    throw error
  } finally {
    client.release()
  }
}

const via = { kind: 'app', name: 'Development client', client_id: randomUUID() }
const actor = { type: 'person', user_id, name: 'Olivia Bennett', via }

/** As many bytes as the service's answer. */
function answerOf(before: Room, { workspace, room, title, command, receipt, now }: Values) {
  const after = {
    room_id: room,
    ...before,
    title,
    revision: before.revision + 1,
    updated_at: now,
    attachments: [],
  }
  const action_receipt = {
    receipt_id: receipt,
    command_id: command,
    workspace_id: workspace,
    occurred_at: now,
    actor,
    resource: { type: 'room', id: room },
    changed: ['title'],
    action: 'update_room',
  }
  return { room: after, action_receipt }
}

const server = Fastify()
server.route({ method: 'PATCH', url: '/:workspace/rooms/:room', handler: changeRoom })
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
