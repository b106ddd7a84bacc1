/**
 * What each kind of job is told. It lies in a table until the job is done and for a while after, so it names things by
 * their ids: no address, no secret. A kind that was released keeps its name and what it is told; more may be added.
 */
export interface JobData {
  mail_team_invitation: { workspace_id: string; invitation_id: string; token_number: number }
  mail_room_invitation: {
    workspace_id: string
    room_id: string
    participant_id: string
    token_number: number
  }
  /** Some public facts of a Business are not what they were. */
  tell_rooms_of_business: { business_id: string; changed: string[] }
  /** A membership has ended, and with it what was given to the member in Rooms. */
  end_participation: { workspace_id: string; membership_id: string }
  /** Somebody's time in a Room, or to answer an invitation to it, may be over. */
  expire_participant: { workspace_id: string; room_id: string; participant_id: string }
}
export type JobKind = keyof JobData

/** A job that is asked for; it is done at once, or when it is due. */
export type JobDraft = { [Kind in JobKind]: { kind: Kind; data: JobData[Kind]; due?: string } }[JobKind]

/** What is known of a job besides what it is told. */
export interface JobIdentity {
  /** The same at every attempt. */
  id: string
}

/** What carries out each kind. It may be run more than once for one job: an attempt may be cut off after its effect. */
export type JobHandlers = { [Kind in JobKind]: (data: JobData[Kind], job: JobIdentity) => Promise<void> }

/** How a kind of job is attended to. */
export interface JobRules {
  /** How many attempts follow one that failed. */
  retries: number
  /** The pause before the first of them, about; it doubles each time. */
  firstPauseSeconds: number
  longestPauseSeconds: number
  /** An attempt that has not ended by then is taken for lost, as with its process. */
  attemptSeconds: number
}

/** Mail is tried for some six hours: a mail server may well be away for an evening. */
const rulesOfMail: JobRules = {
  retries: 10,
  firstPauseSeconds: 30,
  longestPauseSeconds: 4 * 3600,
  attemptSeconds: 120,
}

/** What is done in the database alone fails when that is away, which is seldom long. */
const rulesOfChanges: JobRules = {
  retries: 12,
  firstPauseSeconds: 5,
  longestPauseSeconds: 2 * 3600,
  attemptSeconds: 60,
}

export const jobRules: Readonly<Record<JobKind, JobRules>> = {
  mail_team_invitation: rulesOfMail,
  mail_room_invitation: rulesOfMail,
  tell_rooms_of_business: rulesOfChanges,
  end_participation: rulesOfChanges,
  expire_participant: rulesOfChanges,
}

export const jobKinds = Object.keys(jobRules) as JobKind[]
