import type { Meter } from '@opentelemetry/api'
import type { OperationName } from '@wbs/contract/registry'
import { streamEvents } from '@wbs/contract/activity'
import { createFeedCursors } from './activity/feed/feed-cursors.ts'
import { createFeedTails } from './activity/feed/feed-tails.ts'
import { activityHandlers, type ActivityParts } from './activity/handlers.ts'
import { businessHandlers } from './businesses/handlers.ts'
import { businessVisibility } from './businesses/receipt-visibility.ts'
import { createPartitionBounds } from './businesses/search/partitions.ts'
import { standingsIn } from './call/authority/standing-of-many.ts'
import type { VisibilityChecks } from './call/commands/visibility.ts'
import { translateFault } from './call/fault-problem.ts'
import type { Implementation } from './call/implement.ts'
import { createSendNotice, createTakeHeldNotices } from './call/notices/send-notice.ts'
import { createSystemChange, createSystemChangeOfRooms } from './call/system-change.ts'
import { createRecordRead } from './call/recorded-read.ts'
import { connectionHandlers, connectionJobs } from './connections/handlers.ts'
import { connectionVisibility } from './connections/receipt-visibility.ts'
import type { Database } from './database/database.ts'
import { createInvitationTokens } from './identity/invitation-token.ts'
import type { BlobStore } from './blobs/blob-store.ts'
import { createDownloadTokens } from './files/downloads/download-token.ts'
import { createOpenLink } from './files/downloads/open-link.ts'
import { fileHandlers, fileJobs } from './files/handlers.ts'
import { contentRemover } from './files/processing/remove-content.ts'
import { createSenderTime } from './files/processing/sender-time.ts'
import { createTakePart } from './files/uploads/parts/take-part.ts'
import { createPartSignatures } from './files/uploads/parts/part-token.ts'
import type { UploadSettings } from './files/uploads/upload.ts'
import type { StorageLimits } from './files/usage/storage-limit-store.ts'
import { goalHandlers } from './goals/handlers.ts'
import { goalVisibility } from './goals/receipt-visibility.ts'
import type { Inspector } from './inspection/inspector.ts'
import { fileVisibility } from './files/receipt-visibility.ts'
import { invitationHandlers } from './invitations/handlers.ts'
import type { JobHandlers } from './jobs/job-kinds.ts'
import { createBucketStore } from './limits/buckets.ts'
import type { Jobs } from './jobs/jobs.ts'
import { createEntryCursors } from './lists/entries/entry-cursors.ts'
import { listHandlers } from './lists/handlers.ts'
import { listVisibility } from './lists/receipt-visibility.ts'
import type { Mailer } from './mail/mailer.ts'
import type { Plugins } from './plugins/plugin.ts'
import { meHandlers } from './me/handlers.ts'
import { roomHandlers, roomJobs } from './rooms/handlers.ts'
import { roomVisibility } from './rooms/receipt-visibility.ts'
import { systemHandlers, type SystemParts } from './system/handlers.ts'
import { taskHandlers, taskJobs } from './tasks/handlers.ts'
import { taskVisibility } from './tasks/receipt-visibility.ts'
import type { EngineThreads } from './valuations/engine-threads/engine-threads.ts'
import { valuationHandlers, valuationJobs } from './valuations/handlers.ts'
import { valuationVisibility } from './valuations/receipt-visibility.ts'
import { workspaceHandlers, workspaceJobs } from './workspaces/handlers.ts'
import { teamVisibility } from './workspaces/receipt-visibility.ts'

/** What the handlers of all slices need. */
export interface SliceParts extends SystemParts {
  database: Pick<Database, 'readers' | 'writers'>
  /** Takes the jobs of the service's own changes. */
  jobs: Pick<Jobs, 'send'>
  /** The key for invitation tokens and cursors. */
  secret: Buffer
  /** Where the content of Files is. */
  blobs: BlobStore
  uploads: UploadSettings
  /** Reach the apps of connections. */
  plugins: Plugins
  /** How much content a Workspace and a guest may have. */
  storage: StorageLimits
  now: () => Date
  /** The address of the service, which links begin with. */
  baseUrl: () => string
  /** Values documents. */
  engine: EngineThreads
  /** The longest silence of a stream, in milliseconds. */
  heartbeat: number
  /** Measures the delay of the feed. */
  meter: Meter
  /** Whether the node stops, so that nothing long may begin. */
  isStopping: () => boolean
  log: Parameters<typeof createFeedTails>[0]['log']
}

const keyEnvironments = { development: 'dev', test: 'test', production: 'live' } as const

/** The handlers of all slices, one for each operation. */
export function createHandlers(parts: SliceParts): readonly Implementation[] {
  const handlers = [
    ...systemHandlers(parts),
    ...workspaceHandlers({
      keyEnvironment: keyEnvironments[parts.environment],
      tokens: createInvitationTokens(parts.secret, 'team'),
      mostStorage: parts.storage.workspace_bytes,
    }),
    ...businessHandlers({ boundsOfPartitions: createPartitionBounds(parts.database.readers.unscoped) }),
    ...listHandlers({ entryCursors: createEntryCursors(parts.secret) }),
    ...roomHandlers({ tokens: createInvitationTokens(parts.secret, 'room') }),
    ...meHandlers,
    ...invitationHandlers,
    ...fileHandlers({
      blobs: parts.blobs,
      downloadTokens: createDownloadTokens(parts.secret),
      baseUrl: parts.baseUrl,
      signatures: createPartSignatures(parts.secret),
      settings: parts.uploads,
      removeContent: contentRemover({ blobs: parts.blobs, writers: parts.database.writers }),
      limits: parts.storage,
    }),
    ...valuationHandlers({ blobs: parts.blobs, engine: parts.engine }),
    ...goalHandlers,
    ...taskHandlers({ blobs: parts.blobs }),
    ...connectionHandlers({
      plugins: parts.plugins,
      recordRead: createRecordRead(parts.database.writers, parts.now),
      change: createSystemChange(parts.database.writers, parts.now, parts.jobs),
      isStopping: parts.isStopping,
    }),
    ...activityHandlers(feedOf(parts)),
  ]
  true satisfies EachHandled<(typeof handlers)[number]['operation']['name']>
  return handlers
}

/** What is behind URLs that carry their own authority. */
export function createByteRoutes({ database, blobs, uploads, secret, now }: ByteRouteParts) {
  const { readers, writers } = database
  const tokens = createDownloadTokens(secret)
  const openLink = createOpenLink({ tokens, blobs, readers, writers, now })
  const signatures = createPartSignatures(secret)
  const takePart = createTakePart({ blobs, settings: uploads, signatures, readers, now })
  return {
    async takePart(target: Parameters<typeof takePart>[0]) {
      const { write, ...part } = await translated(takePart(target))
      return { ...part, write: (body: Parameters<typeof write>[0]) => translated(write(body)) }
    },
    openLink: (...asked: Parameters<typeof openLink>) => translated(openLink(...asked)),
  }
}

interface ByteRouteParts extends Pick<SliceParts, 'blobs' | 'uploads' | 'secret'> {
  database: Pick<Database, 'readers' | 'writers'>
  now: () => Date
}

const translated = <T>(work: Promise<T>): Promise<T> =>
  work.catch((error: unknown) => {
    throw translateFault(error)
  })

/** `true` if every operation has a handler; otherwise an error message that names those without one. */
export type EachHandled<Handled extends OperationName> = [OperationName] extends [Handled]
  ? true
  : `No handlers.ts names the handler of ${Exclude<OperationName, Handled>}.`

/**
 * Streams and long polls have the same requirements, so the tails check the callers of both by the declaration of the stream.
 */
function feedOf({ database: { readers }, secret, heartbeat, now, meter, log }: SliceParts): ActivityParts {
  const delays = meter.createHistogram('svc.feed.delay', {
    unit: 's',
    description:
      'From when an event occurred until a stream or long poll that waited for it on this node was given it, in seconds.',
    advice: { explicitBucketBoundaries: [0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 15, 60] },
  })
  const cursorsOf = createFeedCursors(secret)
  const tails = createFeedTails({
    open: readers.unscoped,
    readerOf: workspace_id => readers.scoped({ workspace_id, user_id: null }),
    cursorsOf,
    standingsOf: (reader, callers, workspace_id) => standingsIn(reader, callers, workspace_id, streamEvents),
    quiet: heartbeat * 0.7,
    // The node that wrote the event may tell a slightly later time.
    noteDelivery: at => delays.record(Math.max(0, now().getTime() - Date.parse(at)) / 1000),
    log,
  })
  return { tails, cursorsOf, heartbeat }
}

/** The visibility checks for the resources of receipts, one for each type. A missing one does not compile. */
export const visibilityChecks: VisibilityChecks = {
  ...teamVisibility,
  ...businessVisibility,
  ...listVisibility,
  ...roomVisibility,
  ...fileVisibility,
  ...valuationVisibility,
  ...goalVisibility,
  ...taskVisibility,
  ...connectionVisibility,
}

/** What the job handlers need. */
export interface JobParts {
  database: Pick<Database, 'readers' | 'writers' | 'counters'>
  secret: Buffer
  mailer: Mailer
  /** The address of the page that shows an invitation. */
  invitationPage: () => string
  now: () => Date
  /** Takes the jobs that a job sends. */
  jobs: Pick<Jobs, 'send'>
  blobs: BlobStore
  inspector: Pick<Inspector, 'inspect'>
  uploads: UploadSettings
  plugins: Plugins
  /** Whether people get mail about Tasks and approvals. */
  taskMail: boolean
}

/** The handlers of all kinds of jobs. A missing one does not compile. */
export function createJobHandlers({
  database,
  secret,
  mailer,
  invitationPage,
  now,
  jobs,
  blobs,
  inspector,
  uploads,
  plugins,
  taskMail,
}: JobParts): JobHandlers {
  const parts = {
    readers: database.readers,
    mailer,
    sendNotice: createSendNotice({ writers: database.writers, jobs, mailer, now }),
    takeHeldNotices: createTakeHeldNotices(database),
    page: invitationPage,
    change: createSystemChange(database.writers, now, jobs),
    changeRooms: createSystemChangeOfRooms(database.writers, now),
  }
  return {
    ...workspaceJobs({ ...parts, tokens: createInvitationTokens(secret, 'team') }),
    ...roomJobs({ ...parts, taskMail, tokens: createInvitationTokens(secret, 'room') }),
    ...fileJobs({
      ...parts,
      blobs,
      inspector,
      time: createSenderTime(createBucketStore(database.counters)),
      settings: uploads,
      now,
      removeContent: contentRemover({ blobs, writers: database.writers }),
    }),
    ...valuationJobs(parts),
    ...taskJobs({ ...parts, taskMail }),
    ...connectionJobs({ ...parts, plugins, taskMail }),
  }
}
