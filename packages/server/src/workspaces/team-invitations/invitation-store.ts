import type { invitationStatuses, invitedRoles } from '@wbs/contract/workspaces/team-invitations'
import { lockExclusive, lockShared } from '../../database/locks.ts'
import { read, readUnscoped, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import { couldInviteNow } from '../team/sender-store.ts'
import type { WorkspaceRow } from '../workspace-store.ts'

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
  /** The API key that it was sent with. */
  sent_with: string | null
  accepted_by: string | null
  expires_at: string
  created_at: string
  updated_at: string
  revision: number
}

/** An invitation as it is found by its token, whatever its Workspace. */
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

/** The invitations of a Workspace by id, after a cursor: of one status, or of all. */
export const invitationsOfTeam = (
  reader: Reader,
  workspace_id: string,
  status: InvitationStatus | null,
  after: string | null,
  limit: number,
) => reader.many(invitationsPage, [workspace_id, status, after, limit])

export const invitationById = (reader: Reader, workspace_id: string, invitation_id: string) =>
  reader.one(invitationByIdStatement, [workspace_id, invitation_id])

/** Needs no Workspace, nor anybody who is signed in: the digest of a token cannot be guessed. */
export const invitationByToken = (reader: Reader, digest: Buffer) => reader.one(invitationByDigest, [digest])

/** What a mail says of an invitation, as long as its token is the one of this digest and it can be accepted. */
export const invitationToMail = (
  reader: Reader,
  workspace_id: string,
  invitation_id: string,
  digest: Buffer,
) => reader.one(invitationForMail, [workspace_id, invitation_id, digest])

/** The invitation, locked against every other change of it. */
export const lockInvitation = async (tx: Transaction, workspace_id: string, invitation_id: string) =>
  (await tx.run(invitationLocked, [workspace_id, invitation_id]))[0]

/** The same as long as its token is the one of this digest. */
export const lockInvitationOfToken = async (
  tx: Transaction,
  workspace_id: string,
  invitation_id: string,
  digest: Buffer,
) => (await tx.run(invitationOfTokenLocked, [workspace_id, invitation_id, digest]))[0]

/** The invitation of an address that was neither answered nor revoked by somebody, be it worth nothing now; locked. */
export const lockOpenInvitation = async (tx: Transaction, workspace_id: string, email_key: string) =>
  (await tx.run(openInvitationLocked, [workspace_id, email_key]))[0]

/** How many invitations of a Workspace are pending, and the name of who is to send another one. */
export async function factsForNewInvitation(tx: Transaction, workspace_id: string, inviter_id: string) {
  return (await tx.one(newInvitationFacts, [workspace_id, inviter_id])) as NewInvitationFacts
}

/** Whether an active member goes by one of these spellings of an address. */
export async function isMemberByEmail(
  reader: Reader,
  workspace_id: string,
  spellings: readonly string[],
): Promise<boolean> {
  return (await reader.one(memberByEmail, [workspace_id, spellings])) !== undefined
}

export async function isMember(reader: Reader, workspace_id: string, user_id: string): Promise<boolean> {
  return (await reader.one(memberByUser, [workspace_id, user_id])) !== undefined
}

/** The Workspace, with the locks that changes of who belongs there take. */
export async function lockTeam(tx: Transaction, workspace_id: string): Promise<WorkspaceRow | undefined> {
  const [, , workspace] = await Promise.all([
    lockExclusive(tx, workspace_id, [['team', '']]),
    lockShared(tx, workspace_id, [['workspace', '']]),
    tx.one(workspaceOfTeam, [workspace_id]),
  ])
  return workspace
}

/** What an invitation says of whom it is for and who sends it, each time that it is sent. */
type Sent = Pick<
  InvitationRow,
  'email' | 'role' | 'inviter_id' | 'inviter_name' | 'sent_with' | 'expires_at'
> & { token_digest: Buffer }

type NewInvitation = Sent & { workspace_id: string; invitation_id: string; email_key: string }

/** Keeps a new invitation of somebody who may send it. */
export function insertInvitation(tx: Transaction, one: NewInvitation, now: Date): InvitationRow {
  const { email_key, token_digest, ...shown } = one
  tx.save(invitationInsert, [
    one.workspace_id,
    one.invitation_id,
    one.email,
    email_key,
    one.role,
    token_digest,
    one.inviter_id,
    now,
    one.sent_with,
    one.expires_at,
  ])
  const [created_at, updated_at] = [now.toISOString(), now.toISOString()]
  const status = 'pending'
  return { ...shown, status, token_number: 1, accepted_by: null, created_at, updated_at, revision: 1 }
}

/** Gives an invitation another token; whoever sends it may. The token before it finds nothing any more. */
export function renewInvitation(
  tx: Transaction,
  invitation: InvitationRow,
  { token_digest, ...sent }: Sent,
  now: Date,
): InvitationRow {
  const renewed = { ...invitation, ...sent, token_number: invitation.token_number + 1 }
  tx.save(invitationRenew, [
    renewed.workspace_id,
    renewed.invitation_id,
    renewed.email,
    renewed.role,
    renewed.inviter_id,
    renewed.token_number,
    token_digest,
    now,
    renewed.sent_with,
    renewed.expires_at,
  ])
  return { ...renewed, status: 'pending', updated_at: now.toISOString(), revision: renewed.revision + 1 }
}

/** Ends an invitation that is pending and was locked; accepted ones say by whom. */
export function endInvitation(
  tx: Transaction,
  invitation: InvitationRow,
  status: 'accepted' | 'declined' | 'revoked',
  accepted_by: string | null,
  now: Date,
): InvitationRow {
  const { workspace_id, invitation_id, revision } = invitation
  tx.save(invitationEnd, [workspace_id, invitation_id, status, accepted_by, now])
  return { ...invitation, status, accepted_by, revision: revision + 1, updated_at: now.toISOString() }
}

// An invitation is worth what its sender could still give: otherwise it is as if they had revoked it.
const status = `case when i.status <> 'pending' then i.status
    when i.expires_at <= statement_timestamp() then 'expired'
    when not ${couldInviteNow} then 'revoked' else 'pending' end`
const columns = `i.id as invitation_id, i.workspace_id, i.email, i.role, ${status} as status, i.token_number,
  i.invited_by as inviter_id, u.name as inviter_name, i.sent_with, i.accepted_by, i.expires_at, i.created_at, i.updated_at, i.revision`
const invitations = 'team_invitations i join users u on u.id = i.invited_by'

const invitationsPage = read<InvitationRow>(
  'team_invitations_page',
  `select ${columns} from ${invitations}
   where i.workspace_id = $1 and ($2::text is null or ${status} = $2) and ($3::uuid is null or i.id > $3)
   order by i.id limit $4`,
  'long',
)

const one = `select ${columns} from ${invitations} where i.workspace_id = $1 and i.id = $2`
const invitationByIdStatement = read<InvitationRow>('team_invitation_by_id', one)
const invitationLocked = write<InvitationRow>('team_invitation_locked', `${one} for update of i`)
const invitationOfTokenLocked = write<InvitationRow>(
  'team_invitation_of_token_locked',
  `${one} and i.token_digest = $3 for update of i`,
)

const openInvitationLocked = write<InvitationRow>(
  'team_invitation_open_locked',
  `select ${columns} from ${invitations}
   where i.workspace_id = $1 and i.email_key = $2 and i.status = 'pending' for update of i`,
)

const invitationByDigest = readUnscoped<InvitationByToken>(
  'team_invitation_by_digest',
  'select * from find_team_invitation($1)',
)

const invitationForMail = read<InvitationRow & { email_key: string; workspace_name: string }>(
  'team_invitation_for_mail',
  `select ${columns}, i.email_key, w.name as workspace_name
   from ${invitations} join workspaces w on w.id = i.workspace_id
   where i.workspace_id = $1 and i.id = $2 and i.token_digest = $3 and ${status} = 'pending' and w.status <> 'closed'`,
)

interface NewInvitationFacts {
  pending: number
  inviter_name: string | null
}

const newInvitationFacts = read<NewInvitationFacts>(
  'team_invitation_new_facts',
  `select (select count(*)::integer from team_invitations i
     where i.workspace_id = $1 and i.status = 'pending' and ${status} = 'pending') as pending,
     (select name from users where id = $2) as inviter_name`,
)

const memberByEmail = read<{ id: string }>(
  'member_by_email',
  `select m.id from memberships m join users u on u.id = m.user_id
   where m.workspace_id = $1 and m.status = 'active' and lower(u.email) = any ($2::text[]) limit 1`,
)

const memberByUser = read<{ id: string }>(
  'member_by_user',
  `select id from memberships where workspace_id = $1 and user_id = $2 and status <> 'removed'`,
)

const workspaceOfTeam = read<WorkspaceRow>(
  'workspace_of_team',
  `select id, name, workspace_type, status, metadata, revision, created_at, updated_at
   from workspaces where id = $1`,
)

const invitationInsert = write(
  'team_invitation_insert',
  `insert into team_invitations (workspace_id, id, email, email_key, role, token_digest, invited_by, sent_with, expires_at,
     created_at, updated_at)
   values ($1, $2, $3, $4, $5, $6, $7, $9, $10, $8, $8)`,
)

const invitationRenew = write(
  'team_invitation_renew',
  `update team_invitations
   set email = $3, role = $4, invited_by = $5, sent_with = $9, token_number = $6, token_digest = $7, expires_at = $10,
       revision = revision + 1, updated_at = $8
   where workspace_id = $1 and id = $2 and status = 'pending'`,
)

const invitationEnd = write(
  'team_invitation_end',
  `update team_invitations set status = $3, accepted_by = $4, revision = revision + 1, updated_at = $5
   where workspace_id = $1 and id = $2 and status = 'pending'`,
)
