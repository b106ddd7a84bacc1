import { createHash, randomUUID } from 'node:crypto'
import { mkdir, open, rename } from 'node:fs/promises'
import { join } from 'node:path'
import Fastify, { type FastifyRequest } from 'fastify'
import pg from 'pg'
import { prepared, together, type Values } from '../floor-queries.ts'
import { textsStatements } from './texts-floor-sql.ts'

/**
 * The floor of a small text File: a bare Fastify route that claims the Idempotency-Key, locks standing and content, writes
 * one durable file, and saves File, version, receipt and stored answer, in two round trips. It authenticates, validates and
 * serializes nothing, and every request is of the same user.
 */
const { address, user_id, connections, folder } = JSON.parse(process.env.FLOOR ?? '{}') as {
  address: pg.ClientConfig
  user_id: string
  connections: number
  folder: string
}
const pool = new pg.Pool({ ...address, pipeline: true, max: connections })

const { claim, locks, standing, settle } = textsStatements
const opening = [
  () => 'begin isolation level read committed',
  prepared(claim, 'floor_claim'),
  prepared(locks, 'floor_locks'),
  prepared(standing, 'floor_standing'),
]
const closing = [prepared(settle, 'floor_settle'), () => 'commit']

/** Writes a file that has its name only when it is whole, and whose name survives a crash. */
async function keep(workspace: string, sha256: string, content: Buffer): Promise<void> {
  const into = join(folder, workspace, sha256.slice(0, 2))
  await mkdir(into, { recursive: true })
  const temporary = join(folder, randomUUID())
  const file = await open(temporary, 'wx')
  await file.writeFile(content)
  await file.datasync()
  await file.close()
  await rename(temporary, join(into, sha256))
  const directory = await open(into)
  await directory.sync()
  await directory.close()
}

async function createText(request: FastifyRequest) {
  const { workspace } = request.params as { workspace: string }
  const { name, content } = request.body as { name: string; content: string }
  const bytes = Buffer.from(content)
  const sha256 = createHash('sha256').update(bytes).digest('hex')
  const values: Values = {
    workspace,
    user: user_id,
    name,
    sha256,
    size: bytes.length,
    principal: `user:${user_id}`,
    fingerprint: createHash('sha256').update(JSON.stringify(request.body)).digest(),
    key: request.headers['idempotency-key'],
    command: randomUUID(),
    receipt: randomUUID(),
    file: `fil_${randomUUID()}`,
    version: `fvr_${randomUUID()}`,
    now: new Date().toISOString(),
    actor: JSON.stringify(actor),
  }
  const client = await pool.connect()
  try {
    const [, claimed, , member] = await together(client, opening, values)
    if (claimed?.rowCount !== 1) throw new Error('The key was used before.')
    const found = member?.rows[0] as { id: string; status: string } | undefined
    if (found?.status !== 'active') throw new Error('The caller has no standing here.')
    await keep(workspace, sha256, bytes)
    const answer = answerOf(values)
    const settled = { ...values, membership: found.id, answer: JSON.stringify(answer) }
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
function answerOf({ workspace, file, version, name, size, sha256, command, receipt, now }: Values) {
  const current_version = {
    file_version_id: version,
    version_number: 1,
    content_type: 'text/markdown',
    size_bytes: size,
    sha256,
    processing_status: 'ready',
    processing_error: null,
    summary: null,
    created_at: now,
    ready_at: now,
  }
  const described = { name, description: null, classification: 'other', tags: [], business_id: null }
  const state = { lifecycle: 'active', revision: 1, created_at: now, updated_at: now, archived_at: null }
  const action_receipt = {
    receipt_id: receipt,
    command_id: command,
    workspace_id: workspace,
    occurred_at: now,
    actor,
    resource: { type: 'file', id: file },
    changed: [],
    action: 'create_text_file',
  }
  return {
    file: { file_id: file, ...described, ...state, current_version },
    new_version: current_version,
    action_receipt,
  }
}

const server = Fastify()
server.route({ method: 'POST', url: '/:workspace/files/text', handler: createText })
console.log(await server.listen({ port: 0, host: '127.0.0.1' }))
process.on('SIGTERM', () => process.exit(0))
