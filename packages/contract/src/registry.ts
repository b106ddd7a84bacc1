import * as activity from './activity.ts'
import * as apiKeys from './api-keys.ts'
import * as businesses from './businesses.ts'
import * as commands from './commands.ts'
import * as invitations from './invitations.ts'
import type { Operation } from './operation.ts'
import * as participants from './participants.ts'
import * as rooms from './rooms.ts'
import * as system from './system.ts'
import * as team from './team.ts'
import * as workspaceBusinesses from './workspace-businesses.ts'
import * as workspaces from './workspaces.ts'

/** Every operation of the service. Whatever walks the interface walks this. */
export const operations = [
  system.health,
  system.ready,
  businesses.searchBusinesses,
  businesses.getBusiness,
  businesses.listWorkspaceBusinesses,
  workspaceBusinesses.createBusiness,
  workspaceBusinesses.updateBusiness,
  workspaceBusinesses.publishBusiness,
  workspaceBusinesses.withdrawBusiness,
  workspaceBusinesses.linkBusiness,
  workspaceBusinesses.unlinkBusiness,
  workspaceBusinesses.createObservation,
  workspaceBusinesses.listObservations,
  workspaceBusinesses.retractObservation,
  workspaceBusinesses.setWorkspaceProfile,
  workspaceBusinesses.getWorkspaceProfile,
  workspaces.createWorkspace,
  workspaces.listWorkspaces,
  workspaces.getWorkspace,
  workspaces.updateWorkspace,
  workspaces.closeWorkspace,
  workspaces.getMe,
  team.listTeamMembers,
  team.getTeamMember,
  team.updateMembership,
  team.removeMembership,
  team.leaveTeam,
  team.transferOwnership,
  apiKeys.listApiKeys,
  apiKeys.getApiKey,
  apiKeys.createApiKey,
  apiKeys.updateApiKey,
  apiKeys.rotateApiKey,
  apiKeys.revokeApiKey,
  commands.getCommand,
  rooms.createRoom,
  rooms.getRoom,
  rooms.listRooms,
  rooms.updateRoom,
  rooms.archiveRoom,
  rooms.restoreRoom,
  rooms.attachRoomResource,
  rooms.detachRoomResource,
  rooms.getRoomAccess,
  participants.listParticipants,
  participants.inviteParticipant,
  participants.getParticipant,
  participants.updateParticipant,
  participants.revokeParticipant,
  participants.resendInvitation,
  participants.leaveRoom,
  participants.breakGlass,
  invitations.listTeamInvitations,
  invitations.createTeamInvitation,
  invitations.getTeamInvitation,
  invitations.resendTeamInvitation,
  invitations.revokeTeamInvitation,
  invitations.inspectInvitation,
  invitations.acceptInvitation,
  invitations.declineInvitation,
  activity.listEvents,
  activity.getEvent,
  activity.listEventChanges,
  activity.streamEvents,
] as const satisfies readonly Operation[]

export type OperationName = (typeof operations)[number]['name']
export type OperationNamed<N extends OperationName> = Extract<(typeof operations)[number], { name: N }>
