import { memberPermissions } from '../../call/authority/permissions.ts'
import type { MemberRow } from './team-store.ts'
import { presentAccess } from '../workspace-view.ts'

/** A member for the answer to the team. */
export const presentMember = (row: MemberRow) => ({
  ...row,
  access: presentAccess(row.role),
  effective_permissions: [...memberPermissions(row)],
})

export const memberSubject = (row: MemberRow) => ({ type: 'membership', id: row.id, name: row.name })

/** The person whom an event is about. */
export const aboutMember = ({ user_id, email, name }: MemberRow) => ({ user_id, email, name })
