import { randomUUID } from 'node:crypto'
import type { AccessLevel } from '@wbs/contract/scopes'
import { createSystemChange } from '../../../src/call/system-change.ts'
import { expireApproval } from '../../../src/connections/approvals/expire-approval.ts'
import { executeApproval } from '../../../src/connections/execution/execute-approval.ts'
import type { PluginCall } from '../../../src/plugins/plugin.ts'
import type { JobDraft } from '../../../src/jobs/job-kinds.ts'
import type { Person, TestServiceOptions } from '../../harness/service.ts'
import { makeConnectionWorld, type ConnectionWorld, type Key } from '../connection-fixture.ts'

type Client = ReturnType<ConnectionWorld['as']>
export type Shown = Awaited<ReturnType<Client['getApproval']>>['data']

/** A Room that the member manages, with a connection of the admin and with guests. */
export interface Scene extends Key {
  manager: Client
  sharer: Client
  /** A guest with edit access. */
  requester: Client
}

export interface ApprovalWorld extends ConnectionWorld {
  /** A new Room with a connection, in which the guest may edit. `look` of the connection requires no approval. */
  scene(): Promise<Scene>
  /** A request of the guest that is pending. */
  pending(scene: Scene, over?: Partial<Parameters<Client['requestApproval']>[0]>): Promise<Shown>
  /** The same, approved by the sharer, and not carried out yet unless jobs run. */
  approved(scene: Scene): Promise<Shown>
  approve(client: Client, approval: Shown, over?: object): Promise<Shown>
  /** An approval as the manager sees it. */
  now(scene: Scene, approval: Pick<Shown, 'approval_id'>): Promise<Shown>
  /** Runs a job once, as a worker does. */
  run(kind: 'execute_approval' | 'expire_approval', approval: Pick<Shown, 'approval_id'>): Promise<void>
  /** Moves the time at which it expires to so many seconds from now. */
  expireIn(approval: Pick<Shown, 'approval_id'>, seconds: number): Promise<void>
  /** The types of the events about an approval, in order, with what they say. */
  eventsAbout(
    approval: Pick<Shown, 'approval_id'>,
  ): Promise<{ type: string; data: Record<string, unknown> }[]>
  /** The jobs of a kind that were sent for an approval, each with when it is due. */
  jobsFor(kind: JobDraft['kind'], approval: Pick<Shown, 'approval_id'>): Promise<string[]>
  /** With what the app was called for an approval. */
  sent(approval: Pick<Shown, 'approval_id'>): PluginCall[]
  /** Changes the level of somebody in a Room past everything; null revokes their participation. */
  level(room_id: string, person: Person, access_level: AccessLevel | null): Promise<void>
}

/** Jobs do not run by themselves, so that a test decides when each does; with `mailer` they do. */
export async function makeApprovalWorld(options: TestServiceOptions = {}): Promise<ApprovalWorld> {
  const world = await makeConnectionWorld({ mailer: undefined as never, ...options })
  const { service, workspace_id, people, as, app } = world
  const change = createSystemChange(service.database.writers, () => new Date(), {
    send: () => Promise.resolve(),
  })
  const jobs = {
    execute_approval: executeApproval({ plugins: new Map([[app.name, app]]), change }),
    expire_approval: expireApproval({ change }),
  }
  const approve: ApprovalWorld['approve'] = async (
    client,
    { approval_id, arguments_sha256, revision },
    over,
  ) =>
    (await client.approveApproval({ approval_id, arguments_sha256, expected_revision: revision, ...over }))
      .data
  const pending: ApprovalWorld['pending'] = async ({ requester, room_id, connection_id }, over) => {
    const asked = { operation: 'change', arguments: { text: 'Paid' }, ...over }
    return (await requester.requestApproval({ room_id, connection_id, ...asked })).data
  }
  return {
    ...world,
    approve,
    pending,
    async scene() {
      const room_id = await world.room()
      await world.invite(room_id, people.admin, 'edit')
      await world.invite(room_id, people.guest, 'edit')
      const key = await world.share(room_id, people.admin)
      return { ...key, manager: as(people.member), sharer: as(people.admin), requester: as(people.guest) }
    },
    approved: async scene => approve(scene.sharer, await pending(scene)),
    now: async ({ manager }, { approval_id }) => (await manager.getApproval({ approval_id })).data,
    run: (kind, { approval_id }) => jobs[kind]({ workspace_id, approval_id }, { id: randomUUID() }),
    async expireIn({ approval_id }, seconds) {
      await service.sql(
        `update approvals set expires_at = statement_timestamp() + make_interval(secs => $2) where id = $1`,
        [approval_id, seconds],
      )
    },
    eventsAbout: ({ approval_id }) =>
      service.sql(`select type, data from events where subject ->> 'id' = $1 order by position`, [
        approval_id,
      ]),
    async jobsFor(kind, { approval_id }) {
      const rows = await service.sql<{ due: Date }>(
        `select start_after as due from svc_jobs.job where name = $1 and data ->> 'approval_id' = $2 order by start_after`,
        [kind, approval_id],
      )
      return rows.map(({ due }) => due.toISOString())
    },
    sent: ({ approval_id }) => app.calls.filter(call => call.idempotency_key === approval_id),
    async level(room_id, person, access_level) {
      await service.sql(
        access_level === null
          ? `update room_participants set status = 'revoked' where room_id = $1 and user_id = $2`
          : `update room_participants set access_level = $3 where room_id = $1 and user_id = $2`,
        access_level === null ? [room_id, person.user_id] : [room_id, person.user_id, access_level],
      )
    },
  }
}
