import type { Operation } from '@wbs/contract/operation'
import { operations as registry, type OperationName } from '@wbs/contract/registry'
import { samples as activity } from '../activity/samples.ts'
import { samples as facts } from '../businesses/facts/samples.ts'
import { samples as observations } from '../businesses/observations/samples.ts'
import { samples as profiles } from '../businesses/profiles/samples.ts'
import { samples as businesses } from '../businesses/samples.ts'
import { samples as search } from '../businesses/search/samples.ts'
import { samples as workspaceLinks } from '../businesses/workspace-links/samples.ts'
import { samples as approvals } from '../connections/approvals/samples.ts'
import { samples as connections } from '../connections/samples.ts'
import { samples as fileContent } from '../files/content/samples.ts'
import { samples as downloads } from '../files/downloads/samples.ts'
import { samples as fileProcessing } from '../files/processing/samples.ts'
import { samples as roomFilePermissions } from '../files/permissions/samples.ts'
import { samples as roomFiles } from '../files/room-files/samples.ts'
import { samples as files } from '../files/samples.ts'
import { samples as textFiles } from '../files/text-files/samples.ts'
import { samples as uploads } from '../files/uploads/samples.ts'
import { samples as fileUsage } from '../files/usage/samples.ts'
import { samples as fileVersions } from '../files/versions/samples.ts'
import { samples as goals } from '../goals/samples.ts'
import { samples as invitations } from '../invitations/samples.ts'
import { samples as listColumns } from '../lists/columns/samples.ts'
import { samples as listCounts } from '../lists/counts/samples.ts'
import { samples as listEntries } from '../lists/entries/samples.ts'
import { samples as listOverrides } from '../lists/overrides/samples.ts'
import { samples as lists } from '../lists/samples.ts'
import { samples as listValues } from '../lists/values/samples.ts'
import { samples as me } from '../me/samples.ts'
import { samples as roomAccess } from '../rooms/access/samples.ts'
import { samples as attachments } from '../rooms/attachments/samples.ts'
import { samples as roomInvitations } from '../rooms/invitations/samples.ts'
import { samples as participants } from '../rooms/participants/samples.ts'
import { samples as rooms } from '../rooms/samples.ts'
import { samples as system } from '../system/samples.ts'
import { samples as taskComments } from '../tasks/comments/samples.ts'
import { samples as tasks } from '../tasks/samples.ts'
import { samples as taskRequests } from '../tasks/requests/samples.ts'
import { samples as assets } from '../valuations/assets/samples.ts'
import { samples as benchmarkSets } from '../valuations/benchmark-sets/samples.ts'
import { samples as claims } from '../valuations/claims/samples.ts'
import { samples as holdings } from '../valuations/portfolios/holdings/samples.ts'
import { samples as portfolios } from '../valuations/portfolios/samples.ts'
import { samples as valuationEvidence } from '../valuations/evidence/samples.ts'
import { samples as valuationReading } from '../valuations/reading/samples.ts'
import { samples as valuations } from '../valuations/samples.ts'
import { samples as valuationStatements } from '../valuations/statements/samples.ts'
import { samples as apiKeys } from '../workspaces/api-keys/samples.ts'
import { samples as commands } from '../workspaces/commands/samples.ts'
import { samples as workspaces } from '../workspaces/samples.ts'
import { samples as teamInvitations } from '../workspaces/team-invitations/samples.ts'
import { samples as team } from '../workspaces/team/samples.ts'
import type { Sample } from './sample.ts'

/** The samples of every noun, by slice. Add a new noun here. */
const nounsOf = {
  system: [system],
  workspaces: [workspaces, team, teamInvitations, apiKeys, commands],
  businesses: [businesses, search, facts, workspaceLinks, observations, profiles],
  lists: [lists, listColumns, listEntries, listValues, listOverrides, listCounts],
  rooms: [rooms, roomAccess, attachments, participants, roomInvitations],
  me: [me],
  invitations: [invitations],
  files: [
    files,
    textFiles,
    fileContent,
    uploads,
    fileProcessing,
    fileVersions,
    fileUsage,
    downloads,
    roomFiles,
    roomFilePermissions,
  ],
  valuations: [
    valuations,
    valuationEvidence,
    valuationStatements,
    valuationReading,
    claims,
    benchmarkSets,
    assets,
    portfolios,
    holdings,
  ],
  goals: [goals],
  tasks: [tasks, taskComments, taskRequests],
  connections: [connections, approvals],
  activity: [activity],
} as const

export type Slice = keyof typeof nounsOf
export const slices = Object.keys(nounsOf) as Slice[]

type NameIn<Noun> = Noun extends unknown ? keyof Noun : never
type Unsampled = Exclude<OperationName, NameIn<(typeof nounsOf)[Slice][number]>>

/** The operations without a sample. One of them fails to compile. */
true satisfies [Unsampled] extends [never]
  ? true
  : `${Unsampled} has no sample: add it to the samples.ts of its noun in packages/server/test`

export const samples: Readonly<Record<OperationName, Sample>> = Object.assign(
  {},
  ...Object.values(nounsOf).flat(),
)

/** An operation of the registry. */
export type NamedOperation = Operation & { name: OperationName }
export const operations = registry as readonly NamedOperation[]

/** The operations whose samples a slice has. */
export const operationsOf = (slice: Slice): readonly NamedOperation[] =>
  operations.filter(({ name }) => nounsOf[slice].some(noun => name in noun))
