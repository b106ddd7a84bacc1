import type { invitationStatuses, invitedRoles } from '@wbs/contract/workspaces/team-invitations'
import { read, readUnscoped, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { couldInviteNowSql } from './invitation-sender-store.ts'

export type InvitedRole = (typeof invitedRoles)[number]
export type InvitationStatus = (typeof invitationStatuses)[number]

export interface InvitationRow {
  invitation_id: string
  workspace_id: string
  email: string
  role: InvitedRole
  status: InvitationStatus
  token_number: number
  inviter_id: string
  inviter_name: string | null
  /** The API key that sent it. */
  sent_with: string | null
  accepted_by: string | null
  expires_at: string
  created_at: string
  updated_at: string
  revision: number
}

/** An invitation, found by its token in any Workspace. */
export interface InvitationByToken {
  workspace_id: string
  id: string
  workspace_name: string
  inviter_name: string | null
  email: string
  email_key: string
  role: InvitedRole
  status: InvitationStatus
  expires_at: string
}

/** The invitations of a Workspace by id, after a cursor: those of one status, or all. */
export const invitationsOfTeam = (
  reader: Reader,
  workspace_id: string,
  status: InvitationStatus | null,
  after: string | null,
  limit: number,
) => reader.many(invitationsPage, { workspace_id, status, after, limit })

export const invitationById = (reader: Reader, workspace_id: string, invitation_id: string) =>
  reader.one(invitationByIdStatement, { workspace_id, invitation_id })

/** Needs neither a Workspace nor a signed-in caller: nobody can guess the digest of a token. */
export const invitationByToken = (reader: Reader, digest: Buffer) =>
  reader.one(invitationByDigest, { digest })

/** The content of an invitation mail; undefined unless the invitation can be accepted and has the token of this digest. */
export const invitationToMail = (
  reader: Reader,
  workspace_id: string,
  invitation_id: string,
  digest: Buffer,
) => reader.one(invitationForMail, { workspace_id, invitation_id, digest })

/** Locks an invitation. */
export const lockInvitation = async (tx: Transaction, workspace_id: string, invitation_id: string) =>
  (await tx.run(invitationLocked, { workspace_id, invitation_id }))[0]

/** Locks an invitation if it still has the token of this digest. */
export const lockInvitationOfToken = async (
  tx: Transaction,
  workspace_id: string,
  invitation_id: string,
  digest: Buffer,
) => (await tx.run(invitationOfTokenLocked, { workspace_id, invitation_id, digest }))[0]

/**
 * Locks the open invitation of an address: one that was neither answered nor revoked, although it may have expired or count as
 * revoked.
 */
export const lockOpenInvitation = async (tx: Transaction, workspace_id: string, email_key: string) =>
  (await tx.run(openInvitationLocked, { workspace_id, email_key }))[0]

/** How many invitations of a Workspace are pending, and the name of the sender of a new one. */
export async function readForNewInvitation(tx: Transaction, workspace_id: string, inviter_id: string) {
  return (await tx.one(forNewInvitation, { workspace_id, inviter_id })) as ForNewInvitation
}

// A pending invitation that its sender could not send now counts as revoked.
const statusSql = `case when i.status <> 'pending' then i.status
    when i.expires_at <= statement_timestamp() then 'expired'
    when not ${couldInviteNowSql} then 'revoked' else 'pending' end`
const columns = `i.id as invitation_id, i.workspace_id, i.email, i.role, ${statusSql} as status, i.token_number,
  i.invited_by as inviter_id, u.name as inviter_name, i.sent_with, i.accepted_by, i.expires_at, i.created_at, i.updated_at, i.revision`
const invitations = 'team_invitations i join users u on u.id = i.invited_by'

const invitationsPage = read<InvitationRow>(
  'team_invitations_page',
  `select ${columns} from ${invitations}
   where i.workspace_id = :workspace_id and (:status::text is null or ${statusSql} = :status)
     and (:after::uuid is null or i.id > :after)
   order by i.id limit :limit`,
  'long',
)

const byIdSql = `select ${columns} from ${invitations} where i.workspace_id = :workspace_id and i.id = :invitation_id`
const invitationByIdStatement = read<InvitationRow>('team_invitation_by_id', byIdSql)
const invitationLocked = write<InvitationRow>('team_invitation_locked', `${byIdSql} for update of i`)
const invitationOfTokenLocked = write<InvitationRow>(
  'team_invitation_of_token_locked',
  `${byIdSql} and i.token_digest = :digest for update of i`,
)

const openInvitationLocked = write<InvitationRow>(
  'team_invitation_open_locked',
  `select ${columns} from ${invitations}
   where i.workspace_id = :workspace_id and i.email_key = :email_key and i.status = 'pending' for update of i`,
)

const invitationByDigest = readUnscoped<InvitationByToken>(
  'team_invitation_by_digest',
  'select * from find_team_invitation(:digest)',
)

const invitationForMail = read<InvitationRow & { email_key: string; workspace_name: string }>(
  'team_invitation_for_mail',
  `select ${columns}, i.email_key, w.name as workspace_name
   from ${invitations} join workspaces w on w.id = i.workspace_id
   where i.workspace_id = :workspace_id and i.id = :invitation_id and i.token_digest = :digest and ${statusSql} = 'pending'
     and w.status <> 'closed'`,
)

interface ForNewInvitation {
  pending: number
  inviter_name: string | null
}

const forNewInvitation = read<ForNewInvitation>(
  'team_invitation_for_new',
  `select (select count(*)::integer from team_invitations i
     where i.workspace_id = :workspace_id and i.status = 'pending' and ${statusSql} = 'pending') as pending,
     (select name from users where id = :inviter_id) as inviter_name`,
)
