import { approvalDriver, connectionDriver } from './connection-drivers.ts'
import type { Drivers } from './driver.ts'
import { fileDriver, fileVersionDriver, roomFileDriver, uploadDriver } from './file-drivers.ts'
import { goalDriver, taskDriver } from './goal-drivers.ts'
import { listDriver, participantDriver, roomDriver } from './room-drivers.ts'
import type { StateWorld } from './state-world.ts'
import { valuationDriver } from './valuation-drivers.ts'
import { visitorValuationDriver } from './visitor-drivers.ts'
import { apiKeyDriver, membershipDriver, teamInvitationDriver, workspaceDriver } from './workspace-drivers.ts'

export const makeDrivers = (world: StateWorld): Drivers => ({
  workspace: workspaceDriver(world),
  membership: membershipDriver(world),
  team_invitation: teamInvitationDriver(world),
  api_key: apiKeyDriver(world),
  list: listDriver(world),
  room: roomDriver(world),
  participant: participantDriver(world),
  file: fileDriver(world),
  file_version: fileVersionDriver(world),
  upload: uploadDriver(world),
  room_file: roomFileDriver(world),
  goal: goalDriver(world),
  task: taskDriver(world),
  valuation: valuationDriver(world),
  connection: connectionDriver(world),
  approval: approvalDriver(world),
  visitor_valuation: visitorValuationDriver(world),
})
