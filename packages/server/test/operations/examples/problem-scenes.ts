import { randomUUID } from 'node:crypto'
import type { ProblemCode } from '@wbs/contract/problems'
import pg from 'pg'
import { textFile } from '../../files/fresh-file.ts'
import { insertInvitations } from '../../harness/invitations.ts'
import { startTestService } from '../../harness/service.ts'
import { freshRoom } from '../../rooms/fresh-room.ts'
import { freshRevision } from '../../tasks/fresh-task.ts'
import type { World } from '../world.ts'

interface Request {
  method: 'GET' | 'POST' | 'PATCH' | 'PUT'
  path: string
  body?: unknown
  headers?: Record<string, string>
  /** Default: the owner's. */
  token?: string
}
export type Ask = (request: Request) => Promise<unknown>

/** For each problem, requests of which the last is answered with it. */
export const problemScenes: Readonly<Record<ProblemCode, (world: World, ask: Ask) => Promise<unknown>>> = {
  validation_error: (_, ask) =>
    ask({ method: 'POST', path: '/v1/rooms', body: { titel: 'Purchase of Harbor Bakery' } }),
  unauthenticated({ service, people }, ask) {
    const { issuer } = service
    const exp = Math.floor(Date.now() / 1000) - 3600
    const token = issuer.sign({ ...issuer.claims(), sub: people.owner.subject, iat: exp - 3600, exp })
    return ask({ method: 'GET', path: '/v1/me', token })
  },
  forbidden: ({ people }, ask) => ask({ ...newRoom, token: people.viewer.token }),
  not_found: ({ hidden }, ask) => ask({ method: 'GET', path: `/v1/rooms/${hidden['room_id']}` }),
  method_not_allowed: (_, ask) => ask({ method: 'PUT', path: '/v1/rooms', body: {} }),
  not_acceptable: (_, ask) =>
    ask({ method: 'GET', path: '/v1/rooms', headers: { accept: 'application/xml' } }),
  async revision_conflict(world, ask) {
    const room_id = await freshRoom(world)
    await world.us.updateRoom({ room_id, expected_revision: 1, title: 'Sale of Harbor Bakery' })
    return ask({ ...rename(room_id), body: { expected_revision: 1, purpose: 'Due diligence' } })
  },
  async state_conflict(world, ask) {
    const room_id = await freshRoom(world)
    await world.us.archiveRoom({ room_id, expected_revision: 1 })
    return ask({ ...rename(room_id), body: { expected_revision: 2, title: 'Sale of Harbor Bakery' } })
  },
  async idempotency_in_progress(world, ask) {
    const key = 'create-room-4711'
    return holding(
      world,
      [
        'select pg_advisory_lock(svc.command_lock($1, $2, $3))',
        [world.workspace_id, `user:${world.people.owner.user_id}`, key],
      ],
      () => ask({ ...newRoom, headers: { 'idempotency-key': key } }),
    )
  },
  async already_exists(world, ask) {
    const body = { name: 'Corner Bakery', state: 'MA', city: 'Boston' }
    await world.us.createBusiness(body)
    return ask({ method: 'POST', path: '/v1/businesses', body })
  },
  async limit_reached({ service, workspace_id, people }, ask) {
    await service.sql(
      `insert into api_keys (workspace_id, id, owner_user_id, name, prefix, last4, secret_digest, scopes)
       select $1, gen_random_uuid(), $2, 'One of many', 'many_' || n, 'last', sha256(n::text::bytea), '{}'
       from generate_series(1, 500) n`,
      [workspace_id, people.owner.user_id],
    )
    return ask({ method: 'POST', path: '/v1/api-keys', body: { name: 'Nightly import', scopes: [] } })
  },
  async gone({ service, sam, people }, ask) {
    const { email } = people.owner
    const elsewhere = await service.workspace('Quay Partners', sam)
    const [invitation] = await insertInvitations(service, elsewhere, sam, [{ email }])
    await service.sql(`update team_invitations set expires_at = now() - interval '1 day' where id = $1`, [
      invitation?.id,
    ])
    return ask({ method: 'POST', path: '/v1/invitations/accept', body: { token: invitation?.token } })
  },
  payload_too_large: (_, ask) => ask({ ...newRoom, body: { title: 'x'.repeat(2 * 1024 * 1024) } }),
  unsupported_media_type: (_, ask) => ask({ ...newRoom, headers: { 'content-type': 'text/plain' } }),
  async range_not_satisfiable(world, ask) {
    const { file_id } = await textFile(world.us)
    return ask({
      method: 'GET',
      path: `/v1/files/${file_id}/download`,
      headers: { range: 'bytes=1000000-' },
    })
  },
  async evidence_required(world, ask) {
    const { task_id } = await freshRevision(world)
    await world.service.sql('update tasks set requires_evidence = true where id = $1', [task_id])
    return ask({
      method: 'POST',
      path: `/v1/tasks/${String(task_id)}/complete`,
      body: { expected_revision: 1 },
    })
  },
  async idempotency_key_reused(_, ask) {
    const headers = { 'idempotency-key': randomUUID() }
    await ask({ ...newRoom, headers })
    return ask({ ...newRoom, headers, body: { title: 'Sale of Harbor Bakery' } })
  },
  async download_required({ service, us }, ask) {
    const content = Buffer.alloc(300_000, 7)
    const { file, upload } = await us.createFileUpload({
      name: 'Floor plan.bin',
      content_type: 'application/octet-stream',
      size_bytes: content.length,
    })
    const { upload_id } = upload
    await us.uploadContent({ upload_id, content: content.toString('base64') })
    await us.completeUpload({ upload_id })
    await service.sql(
      `update file_versions set processing_status = 'ready', ready_at = now() where file_id = $1`,
      [file.file_id],
    )
    return ask({ method: 'POST', path: `/v1/files/${file.file_id}/content`, body: {} })
  },
  async unprocessable_content(world, ask) {
    const room_id = await freshRoom(world)
    const { file_id } = await textFile(world.us, { room_id, name: 'Request list.md', content: 'Leases' })
    return ask({ method: 'POST', path: `/v1/rooms/${room_id}/requests`, body: { file_id } })
  },
  async rate_limited(_, ask) {
    const service = await startTestService({ rateLimitScale: 0.001 })
    try {
      for (let seen = 0; seen < 100; seen++) {
        const { status, body } = await service.request('/v1/businesses?limit=1')
        if (status === 429) return body as unknown
      }
      return await ask({ method: 'GET', path: '/v1/me' })
    } finally {
      await service.close()
    }
  },
  async internal_error({ service }, ask) {
    await service.sql('alter table rooms add constraint broken check (false) not valid')
    const answer = await ask(newRoom)
    await service.sql('alter table rooms drop constraint broken')
    return answer
  },
  unavailable: (world, ask) =>
    holding(world, ['lock table svc.workspaces in access exclusive mode', []], () =>
      ask({ method: 'GET', path: '/v1/workspaces' }),
    ),
}

const newRoom = { method: 'POST', path: '/v1/rooms', body: { title: 'Purchase of Harbor Bakery' } } as const

const rename = (room_id: string) => ({ method: 'PATCH', path: `/v1/rooms/${room_id}` }) as const

/** What is answered while another session holds a lock. */
async function holding<Result>(
  { service }: World,
  [lock, values]: [string, unknown[]],
  ask: () => Promise<Result>,
): Promise<Result> {
  const client = new pg.Client(service.testDatabase.address)
  await client.connect()
  try {
    await client.query('begin')
    await client.query(lock, values)
    return await ask()
  } finally {
    await client.end()
  }
}
