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
}
export type JobKind = keyof JobData

/** A job that is asked for. */
export type JobDraft = { [Kind in JobKind]: { kind: Kind; data: JobData[Kind] } }[JobKind]

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

export const jobRules: Readonly<Record<JobKind, JobRules>> = {
  mail_team_invitation: rulesOfMail,
  mail_room_invitation: rulesOfMail,
}

export const jobKinds = Object.keys(jobRules) as JobKind[]
