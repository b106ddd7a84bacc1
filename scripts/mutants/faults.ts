import { callFaults } from './faults/generic/call.ts'
import { httpFaults } from './faults/generic/http.ts'
import { limitsFaults } from './faults/generic/limits.ts'
import { databaseFaults } from './faults/generic/database.ts'
import { jobsFaults } from './faults/generic/jobs.ts'
import { mailFaults } from './faults/generic/mail.ts'
import { identityFaults } from './faults/generic/identity.ts'
import { blobsFaults } from './faults/generic/blobs.ts'
import { inspectionFaults } from './faults/generic/inspection.ts'
import { threadsFaults } from './faults/generic/threads.ts'
import { pluginsFaults } from './faults/generic/plugins.ts'
import { backupFaults } from './faults/generic/backup.ts'
import { contractFaults } from './faults/packages/contract.ts'
import { sdkFaults } from './faults/packages/sdk.ts'
import { cliFaults } from './faults/packages/cli.ts'
import { workspacesFaults } from './faults/slices/workspaces.ts'
import { businessesFaults } from './faults/slices/businesses.ts'
import { listsFaults } from './faults/slices/lists.ts'
import { roomsFaults } from './faults/slices/rooms.ts'
import { invitationsFaults } from './faults/slices/invitations.ts'
import { meFaults } from './faults/slices/me.ts'
import { filesFaults } from './faults/slices/files.ts'
import { valuationsFaults } from './faults/slices/valuations.ts'
import { goalsFaults } from './faults/slices/goals.ts'
import { tasksFaults } from './faults/slices/tasks.ts'
import { connectionsFaults } from './faults/slices/connections.ts'
import { activityFaults } from './faults/slices/activity.ts'
import type { MutantsBySlice } from './mutant.ts'

/** The faults that are planted, by slice. */
export const mutantsBySlice: MutantsBySlice = {
  call: callFaults,
  http: httpFaults,
  limits: limitsFaults,
  database: databaseFaults,
  jobs: jobsFaults,
  mail: mailFaults,
  identity: identityFaults,
  blobs: blobsFaults,
  inspection: inspectionFaults,
  threads: threadsFaults,
  plugins: pluginsFaults,
  backup: backupFaults,
  contract: contractFaults,
  sdk: sdkFaults,
  cli: cliFaults,
  workspaces: workspacesFaults,
  businesses: businessesFaults,
  lists: listsFaults,
  rooms: roomsFaults,
  invitations: invitationsFaults,
  me: meFaults,
  files: filesFaults,
  valuations: valuationsFaults,
  goals: goalsFaults,
  tasks: tasksFaults,
  connections: connectionsFaults,
  activity: activityFaults,
}
