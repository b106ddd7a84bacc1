/**
 * The data of each kind of job. It is stored until some time after the job is done, so it contains ids only: no email
 * address, no secret. A released kind keeps its name and fields; fields may be added.
 */
export interface JobData {
  mail_team_invitation: { workspace_id: string; invitation_id: string; token_number: number }
  mail_room_invitation: {
    workspace_id: string
    room_id: string
    participant_id: string
    token_number: number
  }
  /** Public facts of a Business have changed. */
  tell_rooms_of_business: { business_id: string; changed: string[] }
  /** Something happened to a valuation, of which the Rooms of its Business after this one were not told. */
  tell_rooms_of_valuation: {
    workspace_id: string
    valuation_id: string
    type: 'valuation.completed' | 'valuation.claimed' | 'valuation.superseded'
    after: string
  }
  /** A membership has ended, so the member's participation in Rooms ends too. */
  end_participation: { workspace_id: string; membership_id: string }
  /** A participation in a Room, or an invitation to it, may have expired. */
  expire_participant: { workspace_id: string; room_id: string; participant_id: string }
  /**
   * The content of a version was stored. `last`: if this fails as well, the version fails. `left`: the seconds that its sender
   * had left when it was queued; without it, all of them.
   */
  process_file_version: { workspace_id: string; file_version_id: string; last: boolean; left?: number }
  /** The same, for content that needs a long turn, or whose senders used their time. */
  process_file_version_last: { workspace_id: string; file_version_id: string; last: boolean }
  /** An upload may have expired. */
  expire_upload: { workspace_id: string; upload_id: string }
  /** An upload has ended, so its parts are not needed any more. */
  discard_upload: { workspace_id: string; upload_id: string; sha256?: string }
  /** A Task was assigned to a user. Jobs of versions up to 0.3.0 do not name the sender. */
  mail_task_assigned: { workspace_id: string; task_id: string; user_id: string; sender_user_id?: string }
  /** A request list of so many Tasks was assigned to a user. Jobs of versions up to 0.3.0 do not name the sender. */
  mail_requests_assigned: {
    workspace_id: string
    room_id: string
    user_id: string
    count: number
    sender_user_id?: string
  }
  /** Notices to a user were not mailed one by one. */
  mail_digest: { workspace_id: string; user_id: string }
  /** The sharer of a connection is asked for an approval. */
  mail_approval_requested: { workspace_id: string; approval_id: string }
  /** An approval was given, or its connection was resumed. */
  execute_approval: { workspace_id: string; approval_id: string }
  /** An approval may have expired. */
  expire_approval: { workspace_id: string; approval_id: string }
  /** A user may have lost their access to the Room, or with null to all Rooms, with which they shared connections. */
  end_connections: { workspace_id: string; user_id: string; room_id: string | null }
}
export type JobKind = keyof JobData

/** A job to send, to run at once or when it is due. Of those of a kind that wait, those of a higher priority run first. */
export type JobDraft = {
  [Kind in JobKind]: { kind: Kind; data: JobData[Kind]; due?: string; priority?: number }
}[JobKind]

/** From what a job follows, as far as it is known. It is stored with the data, for the log and for traces. */
export interface JobCause {
  /** The request that sent the job, or that sent the job which sent it. */
  request_id?: string
  /** The span that sent the job, if it was sampled and the job is not for later. */
  traceparent?: string
}

/** What a handler knows of its job besides the data. */
export interface JobIdentity {
  /** The same for every attempt. */
  id: string
  cause?: JobCause | undefined
  /**
   * Aborted when the node stops. Work that may take longer than a node has for that throws its reason then: another node begins
   * it anew.
   */
  stopping?: AbortSignal
}

/** The handler of each kind. It may run more than once for a job, because an attempt may be cut off after its effect. */
export type JobHandlers = { [Kind in JobKind]: (data: JobData[Kind], job: JobIdentity) => Promise<void> }

/** The retry rules of a kind of job. */
export interface JobRules {
  /** How many retries follow a failed attempt. */
  retries: number
  /** The approximate pause before the first retry. It doubles each time. */
  firstPauseSeconds: number
  longestPauseSeconds: number
  /** After this an attempt counts as lost, for example with its process. */
  attemptSeconds: number
  /** After this without a sign of its worker an attempt counts as lost sooner. Default: never. */
  heartbeatSeconds?: number
  /** How many run at once on a node, each of another Workspace, so that none waits for all jobs of another. Default: 1. */
  workspacesAtOnce?: number
}

/** Mail is retried for about six hours: a mail server may be down for an evening. */
const rulesOfMail: JobRules = {
  retries: 10,
  firstPauseSeconds: 30,
  longestPauseSeconds: 4 * 3600,
  attemptSeconds: 120,
}

/** Changes of the database fail only while it is down, which is seldom long. */
const rulesOfChanges: JobRules = {
  retries: 12,
  firstPauseSeconds: 5,
  longestPauseSeconds: 2 * 3600,
  attemptSeconds: 60,
}

/** Content of gigabytes takes minutes to read. Another job gives up on it when its time is over. */
const rulesOfProcessing: JobRules = {
  ...rulesOfChanges,
  retries: 18,
  longestPauseSeconds: 1800,
  attemptSeconds: 1200,
  heartbeatSeconds: 60,
  workspacesAtOnce: 3,
}

/** Apps answer slowly, or not at all. An attempt that was cut off is settled by the next one. */
const rulesOfExecution: JobRules = { ...rulesOfChanges, firstPauseSeconds: 30, workspacesAtOnce: 3 }

export const jobRules: Readonly<Record<JobKind, JobRules>> = {
  mail_team_invitation: rulesOfMail,
  mail_room_invitation: rulesOfMail,
  tell_rooms_of_business: rulesOfChanges,
  tell_rooms_of_valuation: rulesOfChanges,
  end_participation: rulesOfChanges,
  expire_participant: rulesOfChanges,
  process_file_version: rulesOfProcessing,
  process_file_version_last: rulesOfProcessing,
  expire_upload: rulesOfChanges,
  discard_upload: rulesOfChanges,
  mail_task_assigned: rulesOfMail,
  mail_requests_assigned: rulesOfMail,
  mail_digest: rulesOfMail,
  mail_approval_requested: rulesOfMail,
  execute_approval: rulesOfExecution,
  expire_approval: rulesOfChanges,
  end_connections: rulesOfChanges,
}

export const jobKinds = Object.keys(jobRules) as JobKind[]
