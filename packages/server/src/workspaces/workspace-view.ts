import type { Role } from '@wbs/contract/scopes'
import { workspaceAccess } from '../call/authority/permissions.ts'
import type { WorkspaceOfMember, WorkspaceRow } from './workspace-store.ts'

export const presentWorkspace = (row: WorkspaceRow) => ({
  ...row,
  resource_type: 'workspace' as const,
  resource_id: row.id,
})

export const presentAccess = (role: Role) => ({ access_level: workspaceAccess[role] })

/** A Workspace for the answer to one of its members. */
export const presentWorkspaceOfMember = (row: WorkspaceOfMember) => ({
  ...presentWorkspace(row),
  role: row.role,
  access: presentAccess(row.role),
})
