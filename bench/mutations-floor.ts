import { randomBytes, randomUUID } from 'node:crypto'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { newId } from '../packages/contract/src/ids.ts'
import { declaredStatements } from '../packages/server/src/database/statement.ts'

/**
 * The floor of a change: a bare Fastify route that sends the statements of a Room's PATCH in one transaction, prepared and
 * pipelined as the service does, and nothing else: nothing is validated, decided, declared or serialized by a schema.
 */
const { address, targets } = JSON.parse(process.env.FLOOR ?? '{}') as {
  address: pg.ClientConfig
  targets: { workspace_id: string; room_id: string; user_id: string }[]
}

// Whatever is imported declares its statements.
await Promise.all([
  import('../packages/server/src/call/run.ts'),
  import('../packages/server/src/rooms/update-room.ts'),
])
const texts = new Map([...declaredStatements()].map(({ name, text }) => [name, text]))
const pool = new pg.Pool({
  ...address,
  options: '-c role=svc_writer -c search_path=svc,public -c jit=off',
  pipeline: true,
  max: 10,
})

const server = Fastify()
server.route({ method: 'PATCH', url: '/rooms/:i', handler: changeRoom })

async function changeRoom(request: FastifyRequest) {
  const { i } = request.params as { i: string }
  const { title } = request.body as { title: string }
  const { workspace_id, room_id, user_id } = targets[Number(i)] as (typeof targets)[number]
  const client = await pool.connect()
  const run = (name: string, values: unknown[]) =>
    client.query({ name, text: texts.get(name) as string, values }) as Promise<pg.QueryResult>
  const [key, command_id, now] = [randomUUID(), randomUUID(), new Date()]
  const principal = `user:${user_id}`
  const actor = JSON.stringify({ type: 'person', user_id, name: null, via: null })
  const viewer = [workspace_id, user_id, true, true]
  await Promise.all([
    client.query('begin isolation level read committed'),
    client.query({
      name: 'row_scope_local',
      text: `select set_config('svc.workspace_id', coalesce($1, ''), true), set_config('svc.user_id', coalesce($2, ''), true)`,
      values: [workspace_id, user_id],
    }),
    run('command_claim', [
      workspace_id,
      principal,
      key,
      command_id,
      'update_room',
      randomBytes(32),
      'req_0',
      false,
    ]),
    run('lock_shared', [workspace_id, ['workspace', 'member'], ['', user_id]]),
    run('standing', [workspace_id, user_id]),
  ])
  const [, , { rows }] = (await Promise.all([
    run('room_seen_parent_lock', [...viewer, room_id]),
    run('room_seen_lock', [...viewer, room_id]),
    run('room_seen', [...viewer, room_id]),
  ])) as [unknown, unknown, pg.QueryResult]
  const room = rows[0]
  await run('room_save', [
    workspace_id,
    room_id,
    title,
    room.purpose,
    room.status,
    room.general_access,
    room.general_access_level,
    room.participant_visibility,
    now,
  ])
  const saved = (await run('room_seen', [...viewer, room_id])).rows[0]
  const event = { id: newId('evt'), type: 'room.updated', feed: 'activity', room_id, data: {}, ordinal: 0 }
  const subject = { type: 'room', id: room_id, name: title }
  await Promise.all([
    run('receipt_insert', [
      workspace_id,
      randomUUID(),
      command_id,
      'update_room',
      actor,
      'room',
      room_id,
      ['title'],
      now,
    ]),
    run('command_answer', [workspace_id, principal, key, 200, JSON.stringify(saved), workspace_id]),
    run('events_append', [workspace_id, command_id, now, actor, JSON.stringify([{ ...event, subject }]), 1]),
  ])
  await client.query('commit')
  client.release()
  return saved
}
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
