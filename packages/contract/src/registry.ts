import * as activity from './activity.ts'
import * as businesses from './businesses/businesses.ts'
import * as facts from './businesses/facts.ts'
import * as observations from './businesses/observations.ts'
import * as profiles from './businesses/profiles.ts'
import * as search from './businesses/search.ts'
import * as workspaceLinks from './businesses/workspace-links.ts'
import * as approvals from './connections/approvals.ts'
import * as connections from './connections/connections.ts'
import type { EventType } from './events.ts'
import * as content from './files/content.ts'
import * as downloads from './files/downloads.ts'
import * as files from './files/files.ts'
import * as roomFilePermissions from './files/room-file-permissions.ts'
import * as roomFiles from './files/room-files.ts'
import * as textFiles from './files/text-files.ts'
import * as uploads from './files/uploads.ts'
import * as usage from './files/usage.ts'
import * as versions from './files/versions.ts'
import * as goals from './goals/goals.ts'
import * as invitations from './invitations.ts'
import * as listColumns from './lists/columns.ts'
import * as listCounts from './lists/counts.ts'
import * as listEntries from './lists/entries.ts'
import * as lists from './lists/lists.ts'
import * as listOverrides from './lists/overrides.ts'
import * as listValues from './lists/values.ts'
import { methodOf, pathOf, type EventOf, type Operation } from './operation.ts'
import * as me from './me.ts'
import * as roomAccess from './rooms/access.ts'
import * as attachments from './rooms/attachments.ts'
import * as roomInvitations from './rooms/invitations.ts'
import * as participants from './rooms/participants.ts'
import * as rooms from './rooms/rooms.ts'
import * as system from './system.ts'
import * as taskComments from './tasks/comments.ts'
import * as requests from './tasks/requests.ts'
import * as tasks from './tasks/tasks.ts'
import * as assets from './valuations/assets.ts'
import * as benchmarkSets from './valuations/benchmark-sets.ts'
import * as claims from './valuations/claims.ts'
import * as valuationEvidence from './valuations/evidence.ts'
import * as portfolios from './valuations/portfolios.ts'
import * as valuationReading from './valuations/reading.ts'
import * as valuationStatements from './valuations/statements.ts'
import * as valuations from './valuations/valuations.ts'
import * as apiKeys from './workspaces/api-keys.ts'
import * as commands from './workspaces/commands.ts'
import * as teamInvitations from './workspaces/team-invitations.ts'
import * as team from './workspaces/team.ts'
import * as workspaces from './workspaces/workspaces.ts'

/** The files that declare operations, in the order in which the reference shows them. Add a new file here. */
const nouns = [
  system,
  search,
  businesses,
  facts,
  workspaceLinks,
  observations,
  profiles,
  workspaces,
  me,
  team,
  teamInvitations,
  invitations,
  apiKeys,
  commands,
  lists,
  listCounts,
  listColumns,
  listEntries,
  listOverrides,
  listValues,
  rooms,
  roomAccess,
  attachments,
  participants,
  roomInvitations,
  files,
  textFiles,
  content,
  uploads,
  usage,
  versions,
  downloads,
  roomFiles,
  roomFilePermissions,
  goals,
  tasks,
  taskComments,
  requests,
  connections,
  approvals,
  valuations,
  valuationEvidence,
  valuationStatements,
  valuationReading,
  claims,
  portfolios,
  assets,
  benchmarkSets,
  activity,
] as const

type Exported<Noun> = Noun extends unknown ? Noun[keyof Noun] : never
type Declared = Extract<Exported<(typeof nouns)[number]>, Operation>

export type OperationName = Declared['name']
export type OperationNamed<N extends OperationName> = Extract<Declared, { name: N }>

const isOperation = (value: unknown): value is Declared =>
  typeof value === 'object' && value !== null && 'kind' in value && 'http' in value

const methods = ['GET', 'POST', 'PUT', 'PATCH']

/** Sorts by path, then by method, because a module does not keep the order of its exports. */
const byPath = (a: Operation, b: Operation) =>
  pathOf(a) === pathOf(b)
    ? methods.indexOf(methodOf(a)) - methods.indexOf(methodOf(b))
    : pathOf(a) < pathOf(b)
      ? -1
      : 1

/** Every operation of the service: all that the files in `nouns` export. */
export const operations: readonly Declared[] = nouns.flatMap(noun =>
  Object.values<unknown>(noun).filter(isOperation).toSorted(byPath),
)

/** The events that an operation emits and no file declares. One of them fails to compile. */
type Undeclared = Exclude<EventOf<Declared>, EventType>
true satisfies [Undeclared] extends [never] ? true : `${Undeclared} is not among the events of its noun`
