// SQL expressions for the status of the participant `p` now.

import { couldInviteNowSql } from './invitation-sender-store.ts'
import { membershipLastsSql } from '../visibility/room-visibility-store.ts'

/**
 * Whether an end date has passed. The participation or invitation ends at that moment; a job, or the next row for the same
 * person, records it later.
 */
export const isPastEndSql = `(
  p.status = 'pending' and least(p.invited_until, p.expires_at) <= statement_timestamp()
  or p.status = 'active' and p.expires_at <= statement_timestamp())`

/**
 * Whether a participation or invitation counts as revoked although its row does not say so: the membership that it belongs
 * to has ended, or its sender could not send it now.
 */
export const isVoidSql = `case p.status when 'pending' then not ${couldInviteNowSql} when 'active' then not ${membershipLastsSql('p')} else false end`

export const hasNotEndedSql = `p.status in ('pending', 'active') and not coalesce(${isPastEndSql}, false) and not ${isVoidSql}`

/** The status as answers show it. */
export const statusSql = `case when ${isPastEndSql} then 'expired' when p.status = 'left' or ${isVoidSql} then 'revoked' else p.status end`
