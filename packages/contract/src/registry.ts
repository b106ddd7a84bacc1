import * as businesses from './businesses.ts'
import type { Operation } from './operation.ts'
import * as system from './system.ts'
import * as workspaces from './workspaces.ts'

/** Every operation of the service. Whatever walks the interface walks this. */
export const operations = [
  system.health,
  system.ready,
  businesses.searchBusinesses,
  businesses.getBusiness,
  businesses.listWorkspaceBusinesses,
  workspaces.createWorkspace,
  workspaces.listWorkspaces,
  workspaces.getWorkspace,
  workspaces.getMe,
] as const satisfies readonly Operation[]

export type OperationName = (typeof operations)[number]['name']
export type OperationNamed<N extends OperationName> = Extract<(typeof operations)[number], { name: N }>
