import { createHash, createHmac } from 'node:crypto'
import { derivedKey } from './derived-key.ts'

/**
 * The tokens of invitations. They are not stored: each is derived from the service's secret, the invitation and the
 * number of its mail. So a job that mails one need not contain it, and a leaked table has only digests.
 */
export interface InvitationTokens {
  tokenOf(invitation_id: string, token_number: number): string
  /** The digest to store. */
  digestOf(invitation_id: string, token_number: number): Buffer
}

/** What invitations invite to. Their tokens have different prefixes and are derived from different keys. */
export type InvitationKind = 'team' | 'room'

const prefixes: Readonly<Record<InvitationKind, string>> = { team: 'svi_', room: 'svr_' }
const keyLabels: Readonly<Record<InvitationKind, string>> = {
  team: 'workspace business service: invitation tokens',
  room: 'workspace business service: room invitation tokens',
}

export function createInvitationTokens(secret: Buffer, kind: InvitationKind): InvitationTokens {
  const key = derivedKey(secret, keyLabels[kind])
  const tokenOf = (invitation_id: string, token_number: number) =>
    `${prefixes[kind]}${createHmac('sha256', key).update(`${invitation_id} ${token_number}`).digest('base64url')}`
  return { tokenOf, digestOf: (id, number) => sha256(tokenOf(id, number)) }
}

/** The link of an invitation. The token is in the fragment, which browsers do not send, so it appears in no server's log. */
export const invitationLink = (page: string, token: string): string => `${page}#token=${token}`

/** The kind of a token, by its form; null if the text is not a token. */
export function kindOfToken(token: string): InvitationKind | null {
  const [, prefix] = /^(sv[ir]_)[A-Za-z0-9_-]{43}$/.exec(token) ?? []
  return prefix === prefixes.room ? 'room' : prefix === prefixes.team ? 'team' : null
}

/** The digest by which an invitation is found; null if the token cannot be of this kind. */
export const digestOfToken = (token: string, kind: InvitationKind): Buffer | null =>
  kindOfToken(token) === kind ? sha256(token) : null

const goodForMilliseconds = 14 * 86_400_000

/** When an invitation expires that is sent at this time. */
export const invitationExpiry = (sent_at: Date): string =>
  new Date(sent_at.getTime() + goodForMilliseconds).toISOString()

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
