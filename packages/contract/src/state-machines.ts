import { approvalMachine } from './connections/approvals.ts'
import { connectionMachine } from './connections/connections.ts'
import { fileMachine } from './files/files.ts'
import { roomFileMachine } from './files/room-file-schema.ts'
import { uploadMachine } from './files/uploads.ts'
import { fileVersionMachine } from './files/version-schema.ts'
import { goalMachine } from './goals/goals.ts'
import { listMachine } from './lists/lists.ts'
import { participantMachine } from './rooms/participants.ts'
import { roomMachine } from './rooms/rooms.ts'
import { taskMachine } from './tasks/task-schema.ts'
import { valuationMachine, visitorValuationMachine } from './valuations/valuations.ts'
import { apiKeyMachine } from './workspaces/api-keys.ts'
import { teamInvitationMachine } from './workspaces/team-invitations.ts'
import { membershipMachine, workspaceMachine } from './workspaces/workspaces.ts'

/** The state machine of every noun that has one. */
export const stateMachines = {
  workspace: workspaceMachine,
  membership: membershipMachine,
  team_invitation: teamInvitationMachine,
  api_key: apiKeyMachine,
  list: listMachine,
  room: roomMachine,
  participant: participantMachine,
  file: fileMachine,
  file_version: fileVersionMachine,
  upload: uploadMachine,
  room_file: roomFileMachine,
  goal: goalMachine,
  task: taskMachine,
  connection: connectionMachine,
  approval: approvalMachine,
  valuation: valuationMachine,
  visitor_valuation: visitorValuationMachine,
} as const

export type MachineName = keyof typeof stateMachines
export type StateOf<N extends MachineName> = (typeof stateMachines)[N]['states'][number]
export type MoveOf<N extends MachineName> = keyof (typeof stateMachines)[N]['moves'] & string

type OfMachines<Value extends { [N in MachineName]: unknown }> = { readonly [N in MachineName]?: Value[N] }
type Moves = { [N in MachineName]: readonly MoveOf<N>[] }

/** The moves that the service makes by itself. Those that no list names are made by requests. */
export const ofService: OfMachines<Moves> = {
  team_invitation: ['expire'],
  api_key: ['expire'],
  participant: ['expire'],
  file_version: ['expire', 'process', 'fail'],
  upload: ['expire'],
  room_file: ['activate'],
  connection: ['fail'],
  visitor_valuation: ['expire'],
  approval: ['expire', 'hold', 'resume', 'stop', 'lose_authority', 'execute', 'fail'],
}

/** The moves that only operators make, in the database. */
export const ofOperators: OfMachines<Moves> = {
  workspace: ['suspend', 'resume', 'close_suspended'],
  list: ['restrict', 'lift_restriction'],
}

/** States that answers show with the name of another one, because another field tells them apart. */
export const shownAs: OfMachines<{
  [N in MachineName]: { readonly [State in StateOf<N>]?: StateOf<N> }
}> = {
  file_version: { unstored: 'failed' },
  approval: { held: 'approved' },
}
