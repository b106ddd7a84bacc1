import { randomUUID } from 'node:crypto'
import { isProblem } from '@wbs/sdk'
import type { ProblemCode } from '@wbs/contract/problems'
import { createMailbox, type Mailbox } from '../../harness/invitations.ts'
import {
  startTestService,
  type Person,
  type TestService,
  type TestServiceOptions,
} from '../../harness/service.ts'

type Role = 'admin' | 'member' | 'viewer'

/** A service that sends mail, and the common steps of tests of invitations. */
export interface InvitationWorld {
  service: TestService
  mailbox: Mailbox
  /** A Workspace of a person, and its invitations. */
  team(owner?: Person, members?: Partial<Record<Role, Person>>): Promise<Team>
  /** A person with this address, verified by the issuer. */
  holder(email: string, name?: string): Person
}

export interface Team {
  owner: Person
  workspace_id: string
  /** Sends an invitation, and returns it with the token of its mail. */
  invite(email?: string, role?: Role): Promise<{ invitation_id: string; email: string; token: string }>
  /** The events of the Workspace, in order. */
  events(): Promise<string[]>
  memberships(): Promise<{ user_id: string; role: string; status: string }[]>
}

export const someAddress = () => `${randomUUID().slice(0, 13)}@example.com`

export async function startInvitationWorld(options: TestServiceOptions = {}): Promise<InvitationWorld> {
  const mailbox = createMailbox()
  const service = await startTestService({ ...options, mailer: mailbox.mailer })
  return {
    service,
    mailbox,
    holder: (email, name = 'Zoe') => ({ ...service.person(name, { email, email_verified: true }), email }),
    async team(owner = service.person('Olivia'), members = {}) {
      const workspace_id = await service.workspace('Harbor Street Partners', owner, members)
      return {
        owner,
        workspace_id,
        async invite(email = someAddress(), role = 'member') {
          const before = mailbox.messages.filter(message => message.to === email).length
          const { data } = await owner.client.createTeamInvitation({ email, role }, { workspace_id })
          const token = await mailbox.token(email, before + 1)
          return { invitation_id: data.invitation_id, email, token }
        },
        events: async () =>
          (
            await service.sql<{ type: string }>(
              'select type from events where workspace_id = $1 order by position',
              [workspace_id],
            )
          ).map(({ type }) => type),
        memberships: () =>
          service.sql('select user_id, role, status from memberships where workspace_id = $1 order by id', [
            workspace_id,
          ]),
      }
    },
  }
}

/** For assert.rejects: checks that a call is refused with this code. */
export const refusedWith = (code: ProblemCode) => (error: unknown) => isProblem(error, code)
