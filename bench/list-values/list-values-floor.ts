import { createHash, randomUUID } from 'node:crypto'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { prepared, together, type Values } from '../floor-queries.ts'
import { listValuesStatements } from './list-values-floor-sql.ts'

/**
 * The floor of setting one value: a bare Fastify route that claims the Idempotency-Key, locks standing and List, checks the
 * version, the column and the member, and saves value, history, receipt, stored answer and event, in two round trips. It
 * authenticates, validates and serializes nothing, and every request is of the same user.
 */
const { address, user_id, connections } = JSON.parse(process.env.FLOOR ?? '{}') as {
  address: pg.ClientConfig
  user_id: string
  connections: number
}
const pool = new pg.Pool({ ...address, pipeline: true, max: connections })

interface Cell {
  name: string
  version: number
  lifecycle_status: string
  value_type: string
  position: number | null
  member: string | null
  before: number | null
}

const { claim, locks, standing, cell, settle } = listValuesStatements
const opening = [
  () => 'begin isolation level read committed',
  prepared(claim, 'floor_claim'),
  prepared(locks, 'floor_locks'),
  prepared(standing, 'floor_standing'),
  prepared(cell, 'floor_cell'),
]
const closing = [prepared(settle, 'floor_settle'), () => 'commit']

async function setValue(request: FastifyRequest) {
  const path = request.params as { workspace: string; list: string; member: string; column: string }
  const { value, expected_version } = request.body as {
    value: { value_type: string; value: number }
    expected_version: number
  }
  const values: Values = {
    ...path,
    user: user_id,
    value: value.value,
    version: expected_version + 1,
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
    const before = found?.rows[0] as Cell | undefined
    if (before?.lifecycle_status !== 'active' || before.position === null || before.member === null)
      throw new Error('The List takes no such value.')
    if (before.version !== expected_version) throw new Error(`The List has version ${before.version}.`)
    if (before.value_type !== value.value_type || before.before === value.value)
      throw new Error('The value is of another type, or there already.')
    const answer = answerOf(value, values)
    const settled = { ...values, name: before.name, answer: JSON.stringify(answer) }
    const [, ended] = await together(client, closing, settled)
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
function answerOf(
  value: object,
  { workspace, list, member, column, version, command, receipt, now }: Values,
) {
  const data = { member_id: member, column_id: column, value, projection: 'public', list_id: list, version }
  const action_receipt = {
    receipt_id: receipt,
    command_id: command,
    workspace_id: workspace,
    occurred_at: now,
    actor,
    resource: { type: 'list', id: list },
    changed: ['values'],
    operation: 'set_list_entry_value',
  }
  return { data, action_receipt }
}

const server = Fastify()
server.route({
  method: 'PUT',
  url: '/:workspace/lists/:list/entries/:member/values/:column',
  handler: setValue,
})
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
