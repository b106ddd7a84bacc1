import { randomUUID } from 'node:crypto'
import type { Client } from '@wbs/sdk'
import { createInvitationTokens } from '../../../src/identity/invitation-token.ts'
import type { Inspection } from '../../../src/inspection/inspector.ts'
import type { JobData, JobKind } from '../../../src/jobs/job-kinds.ts'
import { createJobHandlers } from '../../../src/slices.ts'
import { plainText } from '../../files/uploads/upload-fixture.ts'
import { startTestService, testSecret, type Person, type TestService } from '../../harness/service.ts'
import { makeTestApp, type TestApp } from './test-app.ts'

/**
 * A Workspace whose jobs run only when a test runs them, so that nothing changes by itself, and what a refused request has
 * changed can be found by counting.
 */
export interface StateWorld {
  service: TestService
  workspace_id: string
  owner: Person
  /** The owner's client. */
  us: Client
  /** A person's client in the Workspace. */
  as(person: Person): Client
  /** Somebody new, outside the Workspace, who has signed in. */
  somebody(): Promise<Person>
  /** Runs a job now, as if `ahead` milliseconds had passed. */
  run<Kind extends JobKind>(kind: Kind, data: JobData[Kind], ahead?: number): Promise<void>
  /** The app to which connections lead. */
  app: TestApp
  /** What inspections find from now on. */
  inspection: { finds: Inspection }
  /** The token in the mail of an invitation. */
  token(kind: 'team' | 'room', id: string, token_number: number): string
  /** A value of a row. */
  value<T>(sql: string, values: unknown[]): Promise<T>
  /** How many events, receipts and used keys there are. */
  traces(): Promise<Record<string, number>>
  close(): Promise<void>
}

export async function makeStateWorld(): Promise<StateWorld> {
  const app = makeTestApp()
  const service = await startTestService({ plugins: [app.plugin] })
  const owner = service.person('Olivia')
  const workspace_id = await service.workspace('Harbor', owner)
  const as = ({ token }: Person) => service.client({ access_token: token, workspace_id })
  const inspection = { finds: plainText }
  let ahead = 0
  const jobs = createJobHandlers({
    database: service.database,
    blobs: service.blobs,
    inspector: { inspect: () => Promise.resolve(inspection.finds) },
    uploads: service.uploads,
    plugins: new Map([[app.plugin.name, app.plugin]]),
    taskMail: false,
    jobs: { send: () => Promise.resolve() },
    secret: testSecret,
    mailer: { send: () => Promise.resolve() },
    invitationPage: () => `${service.base_url}/invitations`,
    now: () => new Date(Date.now() + ahead),
  })
  const tokens = {
    team: createInvitationTokens(testSecret, 'team'),
    room: createInvitationTokens(testSecret, 'room'),
  }

  return {
    service,
    workspace_id,
    owner,
    us: as(owner),
    app,
    as,
    inspection,
    async somebody() {
      const person = service.person('Zoe')
      await person.client.createWorkspace({ name: 'Their own' })
      return person
    },
    async run(kind, data, milliseconds = 0) {
      ahead = milliseconds
      await jobs[kind](data, { id: randomUUID() })
      ahead = 0
    },
    token: (kind, id, token_number) => tokens[kind].tokenOf(id, token_number),
    async value<T>(sql: string, values: unknown[]) {
      const [row] = await service.sql<{ value: T }>(sql, values)
      return (row as { value: T }).value
    },
    async traces() {
      const [counts] = await service.sql(
        `select (select count(*)::integer from events) as events, (select count(*)::integer from receipts) as receipts,
           (select count(*)::integer from commands) as commands`,
      )
      return counts as Record<string, number>
    },
    close: () => service.close(),
  }
}
