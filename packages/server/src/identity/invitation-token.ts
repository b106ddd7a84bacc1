import { createHash, createHmac, hkdfSync } from 'node:crypto'

/**
 * The secrets of invitations. They are kept nowhere: each is made anew from the service's secret, the invitation and the
 * number of the mail, so that a job that mails one need not carry it, and a table that leaks holds digests alone.
 */
export interface InvitationTokens {
  tokenOf(invitation_id: string, token_number: number): string
  /** What is kept of it. */
  digestOf(invitation_id: string, token_number: number): Buffer
}

/** What there are invitations into. Their tokens start differently, and are made with different keys. */
export type InvitationKind = 'team' | 'room'

const prefixes: Readonly<Record<InvitationKind, string>> = { team: 'svi_', room: 'svr_' }
const keyLabels: Readonly<Record<InvitationKind, string>> = {
  team: 'workspace business service: invitation tokens',
  room: 'workspace business service: room invitation tokens',
}

export function createInvitationTokens(secret: Buffer, kind: InvitationKind): InvitationTokens {
  const key = Buffer.from(hkdfSync('sha256', secret, '', keyLabels[kind], 32))
  const tokenOf = (invitation_id: string, token_number: number) =>
    `${prefixes[kind]}${createHmac('sha256', key).update(`${invitation_id} ${token_number}`).digest('base64url')}`
  return { tokenOf, digestOf: (id, number) => sha256(tokenOf(id, number)) }
}

/** Where an invitation is looked at. Behind the #, what a browser keeps to itself: no server's log gets to see the token. */
export const invitationLink = (page: string, token: string): string => `${page}#token=${token}`

/** What a token invites into by its look; a text that is no token is of no kind. */
export function kindOfToken(token: string): InvitationKind | null {
  const [, prefix] = /^(sv[ir]_)[A-Za-z0-9_-]{43}$/.exec(token) ?? []
  return prefix === prefixes.room ? 'room' : prefix === prefixes.team ? 'team' : null
}

/** The digest by which an invitation of a kind is found; null of what cannot be its token. */
export const digestOfToken = (token: string, kind: InvitationKind): Buffer | null =>
  kindOfToken(token) === kind ? sha256(token) : null

const goodForMilliseconds = 14 * 86_400_000

/** Until when an invitation can be accepted that is sent at this moment. */
export const invitationExpiry = (sent_at: Date): string =>
  new Date(sent_at.getTime() + goodForMilliseconds).toISOString()

const sha256 = (text: string): Buffer => createHash('sha256').update(text).digest()
