import { createHash, createSecretKey } from 'node:crypto'
import { streamEvents } from '@wbs/contract/activity'
import { openApiDocument } from '@wbs/contract/openapi'
import type { OperationName, OperationNamed } from '@wbs/contract/registry'
import type { FastifyBaseLogger, FastifyInstance } from 'fastify'
import { createFeedCursors, type CursorsOf } from './activity/feed/feed-cursors.ts'
import { createFeedTails, type FeedTails } from './activity/feed/feed-tails.ts'
import { handleGetEvent } from './activity/get-event.ts'
import { handleListEventChanges } from './activity/list-event-changes.ts'
import { handleListEvents } from './activity/list-events.ts'
import { handleStreamEvents } from './activity/stream-events.ts'
import { businessSights } from './businesses/visibility.ts'
import { handleCreateBusiness } from './businesses/facts/create-business.ts'
import { handleCreateObservation } from './businesses/observations/create-observation.ts'
import { handleGetBusiness } from './businesses/get-business.ts'
import { handleGetWorkspaceProfile } from './businesses/profiles/get-workspace-profile.ts'
import { handleLinkBusiness } from './businesses/workspace-links/link-business.ts'
import { handleListObservations } from './businesses/observations/list-observations.ts'
import { handleListWorkspaceBusinesses } from './businesses/workspace-links/list-workspace-businesses.ts'
import { handlePublishBusiness } from './businesses/facts/publish-business.ts'
import { handleRetractObservation } from './businesses/observations/retract-observation.ts'
import { handleSearchBusinesses } from './businesses/search/search-businesses.ts'
import { handleSetWorkspaceProfile } from './businesses/profiles/set-workspace-profile.ts'
import { handleUnlinkBusiness } from './businesses/workspace-links/unlink-business.ts'
import { handleUpdateBusiness } from './businesses/facts/update-business.ts'
import { handleWithdrawBusiness } from './businesses/facts/withdraw-business.ts'
import { countedWorkspace, createAdmitted, type Admitted } from './call/authority/known-members.ts'
import { authenticate } from './call/authority/authenticate.ts'
import type { Answer, Call, Pipeline } from './call/call.ts'
import { canonicalJson } from './call/commands/fingerprint.ts'
import type { Implementation } from './call/implement.ts'
import { createInFlight } from './call/commands/in-flight.ts'
import { createKeyUse } from './call/authority/key-use.ts'
import { createOwnChange, createOwnChangeOfRooms } from './call/system-change.ts'
import { createReaper } from './call/commands/reaper.ts'
import { run } from './call/run.ts'
import type { Sights } from './call/authority/visibility.ts'
import { createSerializer } from './call/serialize.ts'
import { standingsIn } from './call/authority/standing-of-many.ts'
import { createValidator } from './call/input/validate.ts'
import type { Database } from './database/database.ts'
import { createBounds, scaledShares } from './http/bounds/bounds.ts'
import { addDocuments } from './http/pages/documents.ts'
import { addInvitationPage } from './http/pages/invitation-page.ts'
import { referencePage } from './http/pages/reference-page.ts'
import { createHttpServer } from './http/server.ts'
import {
  createInvitationTokens,
  type InvitationKind,
  type InvitationTokens,
} from './identity/invitation-token.ts'
import type { IssuerSettings } from './identity/issuer-settings.ts'
import { createTokenVerifier, type TokenVerifier } from './identity/issuers.ts'
import { isWithin } from './identity/networks.ts'
import type { JobHandlers } from './jobs/job-kinds.ts'
import type { Jobs } from './jobs/jobs.ts'
import { createBucketStore } from './limits/bucket-store.ts'
import { createLimiter, type Limiter } from './limits/limiter.ts'
import type { Mailer } from './mail/mailer.ts'
import { handleAcceptInvitation } from './invitations/accept-invitation.ts'
import { roomSights } from './rooms/visibility.ts'
import { handleArchiveRoom } from './rooms/archive-room.ts'
import { handleAttachRoomResource } from './rooms/attachments/attach-room-resource.ts'
import { handleBreakGlass } from './rooms/participants/break-glass.ts'
import { handleCreateRoom } from './rooms/create-room.ts'
import { handleDeclineInvitation } from './invitations/decline-invitation.ts'
import { handleDetachRoomResource } from './rooms/attachments/detach-room-resource.ts'
import { endParticipation } from './rooms/participants/end-participation.ts'
import { expireParticipant } from './rooms/participants/expire-participant.ts'
import { handleGetParticipant } from './rooms/participants/get-participant.ts'
import { handleGetRoomAccess } from './rooms/access/get-room-access.ts'
import { handleGetRoom } from './rooms/get-room.ts'
import { handleInspectInvitation } from './invitations/inspect-invitation.ts'
import { handleInviteParticipant } from './rooms/invitations/invite-participant.ts'
import { handleLeaveRoom } from './rooms/participants/leave-room.ts'
import { handleListParticipants } from './rooms/participants/list-participants.ts'
import { handleListRooms } from './rooms/list-rooms.ts'
import { mailRoomInvitation } from './rooms/invitations/mail-room-invitation.ts'
import { handleResendInvitation } from './rooms/invitations/resend-invitation.ts'
import { handleRestoreRoom } from './rooms/restore-room.ts'
import { handleRevokeParticipant } from './rooms/participants/revoke-participant.ts'
import { tellRoomsOfBusiness } from './rooms/notify-rooms-of-business-update.ts'
import { handleUpdateParticipant } from './rooms/participants/update-participant.ts'
import { handleUpdateRoom } from './rooms/update-room.ts'
import { handleHealth, type Environment } from './system/health.ts'
import { handleReady } from './system/ready.ts'
import { teamSights } from './workspaces/visibility.ts'
import { handleCloseWorkspace } from './workspaces/close-workspace.ts'
import { handleCreateApiKey } from './workspaces/api-keys/create-api-key.ts'
import { handleCreateTeamInvitation } from './workspaces/team-invitations/create-team-invitation.ts'
import { handleCreateWorkspace } from './workspaces/create-workspace.ts'
import { handleGetApiKey } from './workspaces/api-keys/get-api-key.ts'
import { handleGetCommand } from './workspaces/commands/get-command.ts'
import { handleGetMe } from './workspaces/get-me.ts'
import { handleGetTeamInvitation } from './workspaces/team-invitations/get-team-invitation.ts'
import { handleGetTeamMember } from './workspaces/team/get-team-member.ts'
import { handleGetWorkspace } from './workspaces/get-workspace.ts'
import { handleLeaveTeam } from './workspaces/team/leave-team.ts'
import { handleListApiKeys } from './workspaces/api-keys/list-api-keys.ts'
import { handleListTeamInvitations } from './workspaces/team-invitations/list-team-invitations.ts'
import { handleListTeamMembers } from './workspaces/team/list-team-members.ts'
import { handleListWorkspaces } from './workspaces/list-workspaces.ts'
import { mailTeamInvitation } from './workspaces/team-invitations/mail-team-invitation.ts'
import { handleRemoveMembership } from './workspaces/team/remove-membership.ts'
import { handleResendTeamInvitation } from './workspaces/team-invitations/resend-team-invitation.ts'
import { handleRevokeApiKey } from './workspaces/api-keys/revoke-api-key.ts'
import { handleRevokeTeamInvitation } from './workspaces/team-invitations/revoke-team-invitation.ts'
import { handleRotateApiKey } from './workspaces/api-keys/rotate-api-key.ts'
import { handleTransferOwnership } from './workspaces/team/transfer-ownership.ts'
import { handleUpdateApiKey } from './workspaces/api-keys/update-api-key.ts'
import { handleUpdateMembership } from './workspaces/team/update-membership.ts'
import { handleUpdateWorkspace } from './workspaces/update-workspace.ts'

/** What the service is put together from; everything it uses of the world comes in here. */
export interface AppParts {
  database: Database
  issuers: readonly IssuerSettings[]
  environment: Environment
  /** Takes down what is to be done after a change. */
  jobs: Pick<Jobs, 'send'>
  /** Keys the fingerprints of requests, the tokens of invitations and the cursors of feeds. */
  secret: Buffer
  now: () => Date
  /** Where clients reach the service; asked when needed, since a port may be known only once it listens. */
  baseUrl: () => string
  /** Multiplies the quotas of all rate limits; 0 for none. */
  rateLimitScale: number
  /** Proxies that are believed about whom a request came from. */
  trustedProxies: readonly string[]
  /** After how many milliseconds of silence a stream says that it is still there; 15,000 unless given. */
  heartbeat?: number
  /** How long uses of API keys are gathered before they are written down, in milliseconds; a minute unless given. */
  keyUsePause?: number
  /** How long until Idempotency-Keys whose time is over are taken away again, in milliseconds; an hour unless given. */
  reaperPause?: number
  log: FastifyBaseLogger
}

export type Handlers = { readonly [N in OperationName]: Implementation<OperationNamed<N>> }

const keyEnvironments = { development: 'dev', test: 'test', production: 'live' } as const

type Tokens = Readonly<Record<InvitationKind, InvitationTokens>>

const tokensOf = (secret: Buffer): Tokens => ({
  team: createInvitationTokens(secret, 'team'),
  room: createInvitationTokens(secret, 'room'),
})

/** One a type of resource that receipts name; a missing one does not compile. */
const sights: Sights = { ...teamSights, ...businessSights, ...roomSights }

interface Feeds {
  tails: FeedTails
  cursorsOf: CursorsOf
  heartbeat: number
}

/** One handler an operation; a missing one does not compile. */
function handlers(environment: Environment, schemaHash: string, tokens: Tokens, feeds: Feeds): Handlers {
  return {
    health: handleHealth(environment, schemaHash),
    ready: handleReady(),
    search_businesses: handleSearchBusinesses,
    get_business: handleGetBusiness,
    list_workspace_businesses: handleListWorkspaceBusinesses,
    create_business: handleCreateBusiness,
    update_business: handleUpdateBusiness,
    publish_business: handlePublishBusiness,
    withdraw_business: handleWithdrawBusiness,
    link_business: handleLinkBusiness,
    unlink_business: handleUnlinkBusiness,
    create_observation: handleCreateObservation,
    list_observations: handleListObservations,
    retract_observation: handleRetractObservation,
    set_workspace_profile: handleSetWorkspaceProfile,
    get_workspace_profile: handleGetWorkspaceProfile,
    create_workspace: handleCreateWorkspace,
    list_workspaces: handleListWorkspaces,
    get_workspace: handleGetWorkspace,
    update_workspace: handleUpdateWorkspace,
    close_workspace: handleCloseWorkspace,
    get_me: handleGetMe,
    list_team_members: handleListTeamMembers,
    get_team_member: handleGetTeamMember,
    update_membership: handleUpdateMembership,
    remove_membership: handleRemoveMembership,
    leave_team: handleLeaveTeam,
    transfer_ownership: handleTransferOwnership,
    list_api_keys: handleListApiKeys,
    get_api_key: handleGetApiKey,
    create_api_key: handleCreateApiKey(keyEnvironments[environment]),
    update_api_key: handleUpdateApiKey,
    rotate_api_key: handleRotateApiKey,
    revoke_api_key: handleRevokeApiKey,
    get_command: handleGetCommand,
    create_room: handleCreateRoom,
    get_room: handleGetRoom,
    list_rooms: handleListRooms,
    update_room: handleUpdateRoom,
    archive_room: handleArchiveRoom,
    restore_room: handleRestoreRoom,
    attach_room_resource: handleAttachRoomResource,
    detach_room_resource: handleDetachRoomResource,
    get_room_access: handleGetRoomAccess,
    list_participants: handleListParticipants,
    invite_participant: handleInviteParticipant(tokens.room),
    get_participant: handleGetParticipant,
    update_participant: handleUpdateParticipant,
    revoke_participant: handleRevokeParticipant,
    resend_invitation: handleResendInvitation(tokens.room),
    leave_room: handleLeaveRoom,
    break_glass: handleBreakGlass,
    list_team_invitations: handleListTeamInvitations,
    create_team_invitation: handleCreateTeamInvitation(tokens.team),
    get_team_invitation: handleGetTeamInvitation,
    resend_team_invitation: handleResendTeamInvitation(tokens.team),
    revoke_team_invitation: handleRevokeTeamInvitation,
    inspect_invitation: handleInspectInvitation,
    accept_invitation: handleAcceptInvitation,
    decline_invitation: handleDeclineInvitation,
    list_events: handleListEvents(feeds.cursorsOf),
    get_event: handleGetEvent,
    list_event_changes: handleListEventChanges(feeds.tails, feeds.cursorsOf),
    stream_events: handleStreamEvents(feeds.tails, feeds.cursorsOf, feeds.heartbeat),
  }
}

/** What jobs are done with, besides the database. */
export interface JobParts {
  database: Pick<Database, 'readers' | 'writers'>
  secret: Buffer
  mailer: Mailer
  /** The page that invitations are shown on. */
  invitationPage: () => string
  now: () => Date
}

/** One handler a kind of job; a missing one does not compile. */
export function jobHandlers({ database, secret, mailer, invitationPage, now }: JobParts): JobHandlers {
  const parts = { readers: database.readers, mailer, page: invitationPage }
  const change = createOwnChange(database.writers, now)
  const changeOfRooms = createOwnChangeOfRooms(database.writers, now)
  const tokens = tokensOf(secret)
  return {
    mail_team_invitation: mailTeamInvitation({ ...parts, tokens: tokens.team }),
    mail_room_invitation: mailRoomInvitation({ ...parts, tokens: tokens.room }),
    tell_rooms_of_business: tellRoomsOfBusiness({ readers: database.readers, change: changeOfRooms }),
    end_participation: endParticipation({ change: changeOfRooms }),
    expire_participant: expireParticipant({ change }),
  }
}

export interface App {
  server: FastifyInstance
  /** Writes down when API keys were last used, as happens by itself from time to time. */
  flushKeyUses(): Promise<void>
  /** Creates a Workspace by the same path as a request, for set-up. */
  createWorkspace(call: Call): Promise<Answer>
}

/** The composition root: the only place that knows every slice. */
export function createApp(parts: AppParts): App {
  const { database } = parts
  const document = openApiDocument()
  const schemaHash = `sha256:${createHash('sha256').update(canonicalJson(document)).digest('hex')}`
  const tokens: TokenVerifier = createTokenVerifier(parts.issuers, { log: parts.log, now: parts.now })
  const admitted = createAdmitted()
  const pipeline: Pipeline = {
    readers: database.readers,
    writers: database.writers,
    secret: createSecretKey(parts.secret),
    now: parts.now,
    oneAtATime: createInFlight(),
    admitted,
    sights,
    jobs: parts.jobs,
  }
  const keyUse = createKeyUse({
    writers: database.writers,
    now: parts.now,
    ...(parts.keyUsePause !== undefined && { pauseMilliseconds: parts.keyUsePause }),
  })
  const reaper = createReaper({
    writers: database.writers,
    log: parts.log,
    ...(parts.reaperPause !== undefined && { pauseMilliseconds: parts.reaperPause }),
  })
  const credentials = { verifyToken: tokens.verify, reader: database.readers.open, noteUse: keyUse.note }
  const runnable = (implementation: Implementation) => ({
    implementation,
    validate: createValidator(implementation.operation),
    serialize: createSerializer(implementation.operation),
  })
  const cursorsOf = createFeedCursors(parts.secret)
  const heartbeat = parts.heartbeat ?? 15_000
  const all = handlers(parts.environment, schemaHash, tokensOf(parts.secret), {
    tails: feedTails(parts, cursorsOf, heartbeat),
    cursorsOf,
    heartbeat,
  })
  const limiter = limiterOf(parts, admitted)
  const server = createHttpServer({
    routes: Object.values(all).map(runnable),
    authenticate: presented => authenticate(presented, credentials),
    run: (route, call) => run(pipeline, route, call),
    countsFor: (caller, workspace_id) => countedWorkspace(admitted, caller, workspace_id),
    limiter,
    bounds: createBounds(limiter && scaledShares(parts.rateLimitScale)),
    isProxy: address => isWithin(parts.trustedProxies, address),
    baseUrl: parts.baseUrl,
    trustedProxies: parts.trustedProxies,
    log: parts.log,
  })
  server.addHook('onClose', () => keyUse.close())
  server.addHook('onClose', async () => reaper.close())
  addDocuments(server, { openapi: JSON.stringify(document), page: referencePage(document) })
  addInvitationPage(server)
  return {
    server,
    flushKeyUses: keyUse.flush,
    createWorkspace: call => run(pipeline, runnable(all.create_workspace), call),
  }
}

/** Those who wait for events are judged by what streams and long polls ask of their callers, which is the same. */
const feedTails = (
  { database: { readers }, log }: AppParts,
  cursorsOf: CursorsOf,
  heartbeat: number,
): FeedTails =>
  createFeedTails({
    open: readers.open,
    readerOf: workspace_id => readers.scoped({ workspace_id, user_id: null }),
    cursorsOf,
    judge: (reader, callers, workspace_id) => standingsIn(reader, callers, workspace_id, streamEvents),
    quiet: heartbeat * 0.7,
    log,
  })

function limiterOf({ database, rateLimitScale, log }: AppParts, admitted: Admitted): Limiter | undefined {
  if (rateLimitScale === 0) return undefined
  return createLimiter({ store: createBucketStore(database.counters), admitted, scale: rateLimitScale, log })
}
