import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { createClient } from '../../packages/sdk/src/index.ts'
import { userId } from '../../packages/server/src/identity/user-id.ts'
import { startTestIssuer } from '../../packages/server/test/harness/issuer.ts'
import { startProcess, type MeasuredProcess } from '../service-process.ts'

/** A service with one Workspace, its owner, and as many members as are asked for. */
export interface FeedWorld {
  service: MeasuredProcess
  database: pg.Pool
  workspace_id: string
  /** The owner's headers, and those of each member as the lines of a request. */
  owner: Record<string, string>
  members: string[]
  close(): Promise<void>
}

export async function startFeedWorld(count: number): Promise<FeedWorld> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-bench-'))
  const issuer = await startTestIssuer()
  const service = await startProcess(new URL('../../packages/server/src/main.ts', import.meta.url), {
    SVC_DATA_DIR: folder,
    PORT: '0',
    LOG_LEVEL: 'fatal',
    RATE_LIMIT_SCALE: '0',
    OIDC_ISSUERS: issuer.issuer,
    OIDC_AUDIENCE: issuer.audience,
  })
  const database = new pg.Pool({
    host: join(folder, 'postgres'),
    port: 5432,
    user: 'svc',
    database: 'postgres',
    options: '-c search_path=svc,public',
    max: 1,
  })
  const tokenOf = (sub: string) =>
    issuer.sign({ ...issuer.claims(), sub, email: `${sub}@example.com`, email_verified: true, name: sub })
  const access_token = tokenOf('owner')
  const { workspace } = await createClient({ base_url: service.base_url, access_token }).createWorkspace({
    name: 'Bench',
  })
  const subjects = Array.from({ length: count }, (_, i) => `member-${i}`)
  const user_ids = subjects.map(subject => userId(issuer.issuer, subject))
  await database.query(
    `with people as (
       insert into users (id, issuer, subject, name) select id, $1, subject, subject
       from unnest($2::uuid[], $3::text[]) as one (id, subject) returning id
     )
     insert into memberships (workspace_id, id, user_id, role, status, joined_at)
     select $4, gen_random_uuid(), id, 'member', 'active', now() from people`,
    [issuer.issuer, user_ids, subjects, workspace.id],
  )
  await database.query('analyze')
  return {
    service,
    database,
    workspace_id: workspace.id,
    owner: { authorization: `Bearer ${access_token}`, 'svc-workspace-id': workspace.id },
    members: subjects.map(
      subject => `Authorization: Bearer ${tokenOf(subject)}\r\nSVC-Workspace-Id: ${workspace.id}`,
    ),
    async close() {
      await database.end()
      await service.stop()
      await issuer.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

/** The headers of a change besides its credentials. */
export const changeHeaders = (owner: Record<string, string>): Record<string, string> => ({
  ...owner,
  'content-type': 'application/json',
  'idempotency-key': randomUUID(),
})
