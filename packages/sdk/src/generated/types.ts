// npm run generate writes this file from the declarations of packages/contract.

import type { FormatMethod, ListMethod, Method } from '../methods.ts'

/** What every answer has. */
export interface Answered {
  /** The ID of the request that this is the answer to: req_ and 26 characters. */
  request_id: string
}

/** What the answer of every change has. */
export interface Changed extends Answered {
  /** The ID of the request that made the change. Equal to request_id, except in a replay. */
  original_request_id: string
  /** Whether this is the answer to an earlier request with the same Idempotency-Key. */
  idempotent_replay: boolean
}

export interface Actor {
  type: 'person' | 'system' | (string & {})
  /** Null for the system. */
  user_id: string | null
  name: string | null
  via: {
    kind: 'app' | 'agent' | 'api_key' | (string & {})
    name: string | null
    client_id: string | null
  } | null
}

export interface ActionReceipt {
  receipt_id: string
  command_id: string
  workspace_id: string
  operation?: string
  action?: string
  occurred_at: string
  actor: Actor
  resource: {
    type:
      | 'workspace'
      | 'membership'
      | 'team_invitation'
      | 'api_key'
      | 'business'
      | 'business_link'
      | 'observation'
      | 'list'
      | 'list_column'
      | 'room'
      | 'participant'
      | 'file'
      | 'room_file'
      | 'room_file_permission'
      | 'goal'
      | 'task'
      | 'connection'
      | 'approval'
      | 'valuation'
      | 'portfolio'
      | 'asset'
      | 'benchmark_set'
      | (string & {})
    id: string
  }
  /** The names of the fields that changed. */
  changed: string[]
}

export interface Business {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  name?: string
  publication_status?: 'draft' | 'published' | 'withdrawn' | 'merged' | (string & {})
  status?: 'active' | 'closed' | 'inactive' | 'unknown' | (string & {})
  closed_on?: string | null
  description?: string | null
  founded_on?: string | null
  /**
   * The ID of a classification: cls_ and 26 characters of Crockford base32, of which the first is 0 to
   * 7.
   */
  primary_classification_id?: string | null
  /** The ID of a location: loc_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  primary_location_id?: string | null
  published_at?: string | null
  public_email?: string | null
  public_phone?: string | null
  website_url?: string | null
  country_code?: string | null
  state?: string | null
  city?: string | null
  naics_code?: string | null
  naics_vintage?: string | null
  naics_title?: string | null
}

export interface Provenance {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  field: string
  source: string
  source_url: string | null
  observed_at: string | null
}

export interface BusinessRecord {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  name?: string
  publication_status?: 'draft' | 'published' | 'withdrawn' | 'merged' | (string & {})
  status?: 'active' | 'closed' | 'inactive' | 'unknown' | (string & {})
  closed_on?: string | null
  description?: string | null
  founded_on?: string | null
  /**
   * The ID of a classification: cls_ and 26 characters of Crockford base32, of which the first is 0 to
   * 7.
   */
  primary_classification_id?: string | null
  /** The ID of a location: loc_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  primary_location_id?: string | null
  published_at?: string | null
  public_email?: string | null
  public_phone?: string | null
  website_url?: string | null
  country_code?: string | null
  state?: string | null
  city?: string | null
  naics_code?: string | null
  naics_vintage?: string | null
  naics_title?: string | null
  legal_name?: string | null
  /** The year of the founding. Set even if the day is not known. */
  founded_year?: number | null
  revision?: number
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  merged_into_id?: string | null
  created_at?: string
  updated_at?: string
  classifications?: {
    /**
     * The ID of a classification: cls_ and 26 characters of Crockford base32, of which the first is 0 to
     * 7.
     */
    classification_id: string
    scheme: 'naics' | (string & {})
    code: string
    vintage: '1997' | '2002' | '2007' | '2012' | '2017' | '2022' | (string & {})
    title: string | null
    is_primary: boolean
    published: boolean
  }[]
  locations?: {
    /** The ID of a location: loc_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    location_id: string
    kind: 'principal' | 'branch' | 'mailing' | (string & {})
    country_code: string
    state: string | null
    city: string | null
    postal_code: string | null
    line1: string | null
    is_primary: boolean
    published: boolean
  }[]
  identifiers?: { scheme: string; value: string; published: boolean }[]
  provenance?: Provenance[]
}

export interface Page {
  /** Pass it as cursor to get the next page. Null at the end of the list. */
  cursor: string | null
  /** Whether there are more items. An empty page does not mean the end while this is true. */
  has_more: boolean
}

export interface Observation {
  /** The ID of an observation: obs_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  observation_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  key: string
  value: { value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {}); value: unknown }
  observed_on: string
  source: {
    kind: 'government_record' | 'website' | 'document' | 'statement' | 'other' | (string & {})
    url: string | null
    note: string | null
  } | null
  recorded_by: { type: 'person' | (string & {}); user_id: string }
  recorded_at: string
  retracted_at: string | null
}

export interface LatestObservation {
  /** The ID of an observation: obs_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  observation_id: string
  key: string
  value: { value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {}); value: unknown }
  observed_on: string
}

export interface WorkspaceBusiness {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  name?: string
  publication_status?: 'draft' | 'published' | 'withdrawn' | 'merged' | (string & {})
  status?: 'active' | 'closed' | 'inactive' | 'unknown' | (string & {})
  closed_on?: string | null
  description?: string | null
  founded_on?: string | null
  /**
   * The ID of a classification: cls_ and 26 characters of Crockford base32, of which the first is 0 to
   * 7.
   */
  primary_classification_id?: string | null
  /** The ID of a location: loc_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  primary_location_id?: string | null
  published_at?: string | null
  public_email?: string | null
  public_phone?: string | null
  website_url?: string | null
  country_code?: string | null
  state?: string | null
  city?: string | null
  naics_code?: string | null
  naics_vintage?: string | null
  naics_title?: string | null
  /** The logo that the Workspace saved. The service never fetches or publishes it. */
  logo_url: string | null
  /** The current observation of each key that the Workspace recorded. */
  observations: LatestObservation[]
  workspace_access: { access_level: 'view' | 'edit' | 'full_access' | (string & {}) }
}

export interface RoomAttachment {
  attachment_id: string
  type: 'business' | 'list' | (string & {})
  /** The ID of the Business or List. */
  id: string
  /** The name of the Business or List. Null if you cannot open it. */
  label: string | null
  attached_at: string
}

export interface Room {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string
  title: string
  purpose: string | null
  status: 'active' | 'archived' | (string & {})
  revision: number
  created_at: string
  updated_at: string
  archived_at: string | null
  access_level: 'view' | 'edit' | 'full_access' | (string & {})
  general_access: 'invited_only' | 'business' | 'workspace' | (string & {})
  general_access_level: 'view' | 'edit' | (string & {}) | null
  participant_visibility: 'everyone' | 'managers' | (string & {})
  guest_files?: 'uploader' | 'everyone' | (string & {})
  attachments: RoomAttachment[]
  parent?: {
    /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    room_id: string
    /** Null if you cannot open the parent. */
    title: string | null
  }
  /** The number of active sub-rooms that you can open. */
  sub_room_count: number
}

export interface SharedConnection {
  connection_id: string
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  kind: 'app' | 'agent' | 'source' | (string & {})
  /** The plugin that reaches the app, such as http_json. */
  plugin: string
  /** Where the app is, such as https://api.example.com. */
  origin: string
  label: string
  status: 'live' | 'paused' | 'stopped' | 'error' | (string & {})
  shared_by: {
    /** The ID of the user who shares it. */
    id: string
    name: string | null
  }
  shared_at: string
  /** Whether you share it. */
  mine: boolean
  /** Whether you may stop it. */
  can_stop: boolean
  /** The operations of the plugin that it allows. */
  allowed_operations: string[]
  /** Those of them that run only after the sharer or a Room manager has approved. */
  requires_approval: string[]
}

export interface Approval {
  /** The ID of an approval: apr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  approval_id: string
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  connection_id: string
  requested_by: { type: 'user' | (string & {}); id: string }
  /** The person who shares the connection. */
  asked_of_user_id: string
  operation: string
  /** What would be done, in one line. */
  summary: string
  /** What the requester wrote. */
  note: string | null
  arguments: Record<string, unknown>
  /** The SHA-256 of the arguments in the form of RFC 8785, in lower-case hexadecimal. */
  arguments_sha256: string
  status: 'pending' | 'approved' | 'declined' | 'canceled' | 'expired' | 'executed' | 'failed' | (string & {})
  held_for: 'resume' | (string & {}) | null
  expires_at: string
  decided_by: { type: 'user' | (string & {}); id: string } | null
  decided_at: string | null
  decision_note: string | null
  /** Whether the requester decided. */
  self_decided: boolean
  result: {
    outcome: 'succeeded' | 'failed' | (string & {})
    code:
      | 'refused'
      | 'access_refused'
      | 'unreachable'
      | 'invalid_answer'
      | 'outcome_unknown'
      | (string & {})
      | null
    detail: string | null
    /** What the app answered, as the plugin gives it. */
    output: unknown
    at: string
  } | null
  revision: number
  created_at: string
  updated_at: string
}

export interface FileVersion {
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id: string
  version_number: number
  content_type: string
  /** The size of the content in bytes. */
  size_bytes: number
  /** The SHA-256 of the content, in hex. Null until the content is stored, if none was announced. */
  sha256: string | null
  processing_status: 'pending_upload' | 'processing' | 'ready' | 'failed' | (string & {})
  processing_error:
    | 'upload_expired'
    | 'upload_aborted'
    | 'size_mismatch'
    | 'checksum_mismatch'
    | 'type_mismatch'
    | 'unreadable'
    | 'malware_detected'
    | 'internal_error'
    | (string & {})
    | null
  /** What the content is, in one line. */
  summary: string | null
  created_at: string
  ready_at: string | null
}

export interface File {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string
  name: string
  description: string | null
  classification:
    | 'financial'
    | 'tax'
    | 'legal'
    | 'corporate'
    | 'commercial'
    | 'operations'
    | 'hr'
    | 'ip'
    | 'property'
    | 'insurance'
    | 'compliance'
    | 'valuation'
    | 'other'
    | (string & {})
  tags: string[]
  origin: 'upload' | 'text' | 'import' | 'generated' | 'connection' | (string & {})
  lifecycle: 'active' | 'archived' | (string & {})
  current_version: FileVersion
  revision: number
  created_at: string
  updated_at: string
  archived_at: string | null
  access_level: 'view' | 'edit' | 'full_access' | (string & {})
}

export interface RoomFile {
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  file: File
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id: string | null
  index_path: string
  display_name: string | null
  access_mode: 'inherit_room' | 'restricted' | (string & {})
  status: 'pending' | 'active' | 'archived' | (string & {})
  revision: number
  attached_at: string
  updated_at: string
  archived_at: string | null
  access_level: 'view' | 'edit' | 'full_access' | (string & {})
}

export interface RoomFilePermission {
  permission_id: string
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
  user_id: string
  email: string | null
  access_level: 'view' | 'edit' | 'full_access' | (string & {})
  status: 'active' | 'revoked' | (string & {})
  created_at: string
  updated_at: string
}

export interface Goal {
  /** The ID of a Goal: gol_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  goal_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string | null
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string | null
  title: string
  description: string | null
  status: 'active' | 'completed' | 'canceled' | (string & {})
  /** Who answers for the Goal. */
  accountable_user_id: string | null
  due_at: string | null
  metric: {
    name: string
    unit: string | null
    /** A decimal number. */
    start: string | null
    /** A decimal number. */
    target: string
    source: { type: 'manual' | 'list_count' | 'valuation' | (string & {}); id: string | null }
    current: {
      /** A decimal number. Null if it is unknown, or not for you to read. */
      value: string | null
      /** When the value was current. */
      as_of: string | null
      status: 'unknown' | 'computing' | 'exact' | 'estimated' | 'stale' | (string & {})
    }
  } | null
  /** Why the Goal was completed or canceled. */
  terminal_reason: string | null
  completed_at: string | null
  canceled_at: string | null
  created_by: {
    type: 'user' | (string & {})
    /** The ID of the user; for an API key, of its owner. */
    id: string
  }
  revision: number
  created_at: string
  updated_at: string
}

/**
 * A rule: `{kind: "field", field, operator, value}`, `{kind: "and" | "or", rules: [1 to 20 rules]}`,
 * `{kind: "not", rule}`, `{kind: "all"}` or `{kind: "none"}`, at most 5 levels deep and with at most
 * 100 rules of the kinds field, all and none, in at most 64 KiB of JSON. `field` is a field of the
 * Business search projection, or `observations.` and the key of an observation of the Workspace.
 * Operators of text: eq, neq, in, not_in, contains, starts_with; of dates: eq, before, after, between,
 * within_last (an ISO 8601 duration such as P5Y); of numbers: eq, neq, gt, gte, lt, lte, between; of
 * booleans: eq; of naics_code also naics with {code, vintage}; of all: is_set, is_not_set (value
 * null). in and not_in take an array of 1 to 100 items, between takes [from, to], both included.
 */
export interface ListRule {
  kind: 'field' | 'and' | 'or' | 'not' | 'all' | 'none' | (string & {})
  field?: string
  operator?:
    | 'eq'
    | 'neq'
    | 'in'
    | 'not_in'
    | 'contains'
    | 'starts_with'
    | 'before'
    | 'after'
    | 'between'
    | 'within_last'
    | 'gt'
    | 'gte'
    | 'lt'
    | 'lte'
    | 'is_set'
    | 'is_not_set'
    | 'naics'
    | (string & {})
  value?: unknown
  rules?: ListRule[]
  rule?: ListRule
}

export interface ListCount {
  status: 'unknown' | 'computing' | 'exact' | 'estimated' | 'stale' | (string & {})
  /** The number of members that you can see. Null if it is unknown. */
  value: number | null
  /** When the members were counted. */
  as_of: string | null
}

export interface List {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  workspace_id: string
  name: string
  description: string | null
  definition: {
    schema_version: 'svc.list.v1' | (string & {})
    subject_type: 'business' | (string & {})
    rule: ListRule
  }
  /** Raised by every change of the definition, the columns, the overrides and the values. */
  version: number
  lifecycle_status: 'active' | 'restricted' | 'archived' | (string & {})
  count: ListCount
  columns: {
    column_id: string
    name: string
    value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {})
    /** From 0, without gaps. Null if the column is archived. */
    position: number | null
    /** Only with include_archived. */
    archived_at?: string | null
  }[]
  created_at: string
  updated_at: string
  archived_at: string | null
}

export interface ListEntry {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  member_id: string
  subject: {
    type: 'business' | (string & {})
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    id: string
    name: string | null
  }
  source: 'rule' | 'override' | (string & {})
  values: {
    column_id: string
    value: {
      value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {})
      value: string | number | boolean
    }
  }[]
  projection: 'public' | 'workspace' | (string & {})
  business?: {
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    id: string
    name?: string
    publication_status?: 'draft' | 'published' | 'withdrawn' | 'merged' | (string & {})
    status?: 'active' | 'closed' | 'inactive' | 'unknown' | (string & {})
    closed_on?: string | null
    description?: string | null
    founded_on?: string | null
    /**
     * The ID of a classification: cls_ and 26 characters of Crockford base32, of which the first is 0 to
     * 7.
     */
    primary_classification_id?: string | null
    /** The ID of a location: loc_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    primary_location_id?: string | null
    published_at?: string | null
    public_email?: string | null
    public_phone?: string | null
    website_url?: string | null
    country_code?: string | null
    state?: string | null
    city?: string | null
    naics_code?: string | null
    naics_vintage?: string | null
    naics_title?: string | null
  }
}

export interface RoomParticipant {
  participant_id: string
  type: 'user' | 'invitation' | (string & {})
  /** Null for an invitation. */
  user_id: string | null
  email: string | null
  /** Null for an invitation. */
  name: string | null
  access_level: 'view' | 'edit' | 'full_access' | (string & {})
  status: 'pending' | 'active' | 'revoked' | 'expired' | 'declined' | (string & {})
  created_at: string
  updated_at: string
  /** When the access ends. Null: it does not end by itself. */
  expires_at: string | null
  /** When a pending invitation expires. Null if there is none. */
  invited_until: string | null
  can_download: boolean
}

export interface Task {
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string | null
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string | null
  /** The ID of a Goal: gol_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  goal_id: string | null
  title: string
  description: string | null
  /** The part of a request list that the Task belongs to. */
  section: string | null
  kind: 'task' | 'question' | 'evidence_request' | (string & {})
  status: 'open' | 'in_progress' | 'blocked' | 'done' | 'canceled' | (string & {})
  priority: 'none' | 'low' | 'medium' | 'high' | 'urgent' | (string & {})
  /** The user to whom the Task is assigned. */
  assignee_user_id: string | null
  /** Whether a File is needed to complete the Task. */
  requires_evidence: boolean
  evidence: {
    /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    file_id: string
    /** Null if you cannot open the File. */
    name: string | null
    /** The ID of the user who added the File. */
    added_by: string
    added_at: string
  }[]
  due_at: string | null
  /** The note with which the Task was completed or canceled. */
  terminal_reason: string | null
  completed_at: string | null
  canceled_at: string | null
  created_by: {
    type: 'user' | (string & {})
    /** The ID of the user; for an API key, of its owner. */
    id: string
  }
  revision: number
  created_at: string
  updated_at: string
}

export interface BuildUpCostOfEquity {
  /** The sum of the premiums. */
  model: 'build_up'
  /** The risk-free rate. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
  risk_free: string
  /** The equity risk premium. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
  equity_risk_premium: string
  /** The premium for size. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
  size_premium?: string | undefined
  /**
   * The premium for risks of this company. A fraction from -1 to 1, as a decimal string: 0.05 is 5
   * percent.
   */
  company_specific?: string | undefined
  /** The premium for the industry. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
  industry_premium?: string | undefined
}

export interface CapmCostOfEquity {
  /** capm: with the beta. total_beta: with the beta divided by the correlation. */
  model: 'capm' | 'total_beta'
  /** The risk-free rate. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
  risk_free: string
  /** The equity risk premium. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
  equity_risk_premium: string
  /** The premium for size. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
  size_premium?: string | undefined
  /**
   * The premium for risks of this company. A fraction from -1 to 1, as a decimal string: 0.05 is 5
   * percent.
   */
  company_specific?: string | undefined
  /**
   * The correlation with the market. Required for total_beta. A fraction of at least 0, as a decimal
   * string: 0.25 is 25 percent.
   */
  correlation?: string | undefined
  beta: {
    /** The levered beta, used as it is; of a peer, before it is unlevered. A decimal number as a string. */
    levered?: string | undefined
    /** The unlevered beta, which is relevered with debt_equity and tax_rate. A decimal number as a string. */
    unlevered?: string | undefined
    /**
     * Debt divided by equity, of the subject. A fraction of at least 0, as a decimal string: 0.25 is 25
     * percent.
     */
    debt_equity?: string | undefined
    /**
     * The rate of income tax of the subject. A fraction of at least 0, as a decimal string: 0.25 is 25
     * percent.
     */
    tax_rate?: string | undefined
    /** Peers whose betas are unlevered and averaged. */
    peers?:
      | readonly {
          /** The levered beta of the peer. A decimal number as a string. */
          levered: string
          /** Its debt divided by its equity. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
          debt_equity: string
          /** Its rate of income tax. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
          tax_rate: string
        }[]
      | undefined
  }
}

export interface StatedCostOfEquity {
  /** A rate from elsewhere. */
  model: 'stated'
  /** The cost of equity. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
  rate: string
  /**
   * Where the figure comes from. One line, without control characters. White space at the ends is
   * removed.
   */
  source?: string | undefined
}

export interface CostOfCapital {
  /** The cost of equity. */
  equity?: BuildUpCostOfEquity | CapmCostOfEquity | StatedCostOfEquity | undefined
  /** The cost of debt: pre_tax with tax_rate, or after_tax. */
  debt?:
    | {
        /**
         * The cost of debt before taxes. Needs tax_rate. A fraction from -1 to 1, as a decimal string: 0.05 is
         * 5 percent.
         */
        pre_tax?: string | undefined
        /** The rate of income tax. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        tax_rate?: string | undefined
        /** The cost of debt after taxes. A fraction from -1 to 1, as a decimal string: 0.05 is 5 percent. */
        after_tax?: string | undefined
      }
    | undefined
  weights?:
    | {
        /**
         * The share of equity in the capital. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        equity: string
        /**
         * The share of debt in the capital. Both add up to 1. A fraction of at least 0, as a decimal string:
         * 0.25 is 25 percent.
         */
        debt: string
      }
    | undefined
}

export interface IncomeStatement {
  /** Revenue. A decimal number as a string, with at most 18 digits before the point. */
  revenue?: string | undefined
  /** Cost of sales. A decimal number as a string, with at most 18 digits before the point. */
  cost_of_sales?: string | undefined
  /**
   * Operating expenses, without the lines that have a field of their own. A decimal number as a string,
   * with at most 18 digits before the point.
   */
  operating_expenses?: string | undefined
  /** What the owners were paid. A decimal number as a string, with at most 18 digits before the point. */
  owner_compensation?: string | undefined
  /** Depreciation. A decimal number as a string, with at most 18 digits before the point. */
  depreciation?: string | undefined
  /** Amortization. A decimal number as a string, with at most 18 digits before the point. */
  amortization?: string | undefined
  /** Interest paid. A decimal number as a string, with at most 18 digits before the point. */
  interest_expense?: string | undefined
  /** Other income. A decimal number as a string, with at most 18 digits before the point. */
  other_income?: string | undefined
  /** Income taxes. A decimal number as a string, with at most 18 digits before the point. */
  taxes?: string | undefined
  /** Net income. A decimal number as a string, with at most 18 digits before the point. */
  net_income?: string | undefined
  /**
   * Earnings before interest and taxes, if they were stated. A decimal number as a string, with at most
   * 18 digits before the point.
   */
  ebit?: string | undefined
  /** The rate of income tax. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
  tax_rate?: string | undefined
  /**
   * What was spent on fixed assets. A decimal number as a string, with at most 18 digits before the
   * point.
   */
  capital_expenditure?: string | undefined
  /**
   * By how much working capital grew. A decimal number as a string, with at most 18 digits before the
   * point.
   */
  change_in_working_capital?: string | undefined
}

export interface BalanceSheet {
  /** Cash. A decimal number as a string, with at most 18 digits before the point. */
  cash?: string | undefined
  /** Receivables. A decimal number as a string, with at most 18 digits before the point. */
  receivables?: string | undefined
  /** Inventory. A decimal number as a string, with at most 18 digits before the point. */
  inventory?: string | undefined
  /**
   * Fixed assets, after depreciation. A decimal number as a string, with at most 18 digits before the
   * point.
   */
  fixed_assets?: string | undefined
  /** Intangible assets. A decimal number as a string, with at most 18 digits before the point. */
  intangibles?: string | undefined
  /** Other assets. A decimal number as a string, with at most 18 digits before the point. */
  other_assets?: string | undefined
  /** Total assets. A decimal number as a string, with at most 18 digits before the point. */
  total_assets?: string | undefined
  /** Payables. A decimal number as a string, with at most 18 digits before the point. */
  payables?: string | undefined
  /** Debt that bears interest. A decimal number as a string, with at most 18 digits before the point. */
  interest_bearing_debt?: string | undefined
  /** Other liabilities. A decimal number as a string, with at most 18 digits before the point. */
  other_liabilities?: string | undefined
  /** Equity. A decimal number as a string, with at most 18 digits before the point. */
  equity?: string | undefined
}

export interface StatementPeriod {
  /** The name of the period in this document. */
  key: string
  /** Its first day. */
  start: string
  /** Its last day. */
  end: string
  /** How reliable the statements are. */
  basis: 'tax_return' | 'audited' | 'reviewed' | 'compiled' | 'internal'
  /**
   * Whether the figures were known or could be known at the valuation date. Required to be true for a
   * period that ends later.
   */
  known_or_knowable?: boolean | undefined
  /** The evidence that supports it: an evidence_id of this valuation. */
  evidence_id?: string | null | undefined
  income?: IncomeStatement | undefined
  balance?: BalanceSheet | undefined
  stated?:
    | {
        /**
         * Seller's discretionary earnings as stated by somebody else. A decimal number as a string, with at
         * most 18 digits before the point.
         */
        sde?: string | undefined
        /**
         * EBITDA as stated by somebody else. A decimal number as a string, with at most 18 digits before the
         * point.
         */
        ebitda?: string | undefined
        /**
         * Net cash flow as stated by somebody else. A decimal number as a string, with at most 18 digits
         * before the point.
         */
        net_cash_flow?: string | undefined
      }
    | undefined
}

export interface NormalizationAdjustment {
  /** The name of the adjustment in this document. */
  key: string
  /** The key of its period. */
  period: string
  /** The line of the income statement. */
  line:
    | 'revenue'
    | 'cost_of_sales'
    | 'operating_expenses'
    | 'owner_compensation'
    | 'depreciation'
    | 'amortization'
    | 'interest_expense'
    | 'other_income'
    | 'taxes'
    | 'net_income'
  /** Why the line is adjusted. */
  kind:
    | 'owner_compensation'
    | 'related_party'
    | 'non_recurring'
    | 'discretionary'
    | 'non_operating'
    | 'accounting'
  /**
   * What is added back to earnings; a negative amount is taken off. A decimal number as a string, with
   * at most 18 digits before the point.
   */
  amount: string
  /**
   * The owner whose compensation it is. One line, without control characters. White space at the ends is
   * removed.
   */
  owner?: string | undefined
  /**
   * What it would cost to pay somebody else for the same work. EBITDA keeps this cost. A decimal number
   * of at least 0, as a string.
   */
  replacement_cost?: string | undefined
  /** The evidence that supports it: an evidence_id of this valuation. */
  evidence_id?: string | null | undefined
  /** What a reader should know. May have several lines; no control characters but tabs and line breaks. */
  note?: string | undefined
}

export interface EquityBridge {
  /**
   * Cash, which is added to get from enterprise value to equity. A decimal number as a string, with at
   * most 18 digits before the point.
   */
  cash?: string | undefined
  /** Debt, which is deducted. A decimal number as a string, with at most 18 digits before the point. */
  interest_bearing_debt?: string | undefined
  /**
   * Assets that operations do not need, which are added. A decimal number as a string, with at most 18
   * digits before the point.
   */
  non_operating_assets?: string | undefined
  working_capital?:
    | {
        /**
         * Working capital at the valuation date. A decimal number as a string, with at most 18 digits before
         * the point.
         */
        actual: string
        /**
         * Working capital that operations need. The difference is added. A decimal number as a string, with at
         * most 18 digits before the point.
         */
        normal: string
      }
    | undefined
  /** The number of shares, for the value of one. A decimal number of at least 0, as a string. */
  shares?: string | undefined
}

export interface OptionModelDlom {
  /** finnerty: an average-strike put. chaffe: a European put at the money. */
  model: 'finnerty' | 'chaffe'
  /**
   * The annual volatility of the shares. A fraction of at least 0 and below 10, as a decimal string:
   * 0.25 is 25 percent.
   */
  volatility: string
  /** The holding period in years. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
  years: string
  /**
   * The risk-free rate, continuously compounded. Required for chaffe. A fraction from -1 to 1, as a
   * decimal string: 0.05 is 5 percent.
   */
  risk_free?: string | undefined
  /**
   * The dividend yield, continuously compounded. A fraction from 0 to 1, as a decimal string: 0.05 is 5
   * percent.
   */
  dividend_yield?: string | undefined
}

export interface CitedStudyDlom {
  /** A rate from a study. */
  model: 'cited_study'
  /** The discount. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
  rate: string
  /**
   * Where the figure comes from. One line, without control characters. White space at the ends is
   * removed.
   */
  source: string
  /** The date of the study. */
  as_of: string
}

export interface Discounts {
  dloc?:
    | {
        /**
         * The control premium from which the discount for lack of control follows. A fraction of at least 0
         * and below 10, as a decimal string: 0.25 is 25 percent.
         */
        control_premium: string
        /**
         * Where the figure comes from. One line, without control characters. White space at the ends is
         * removed.
         */
        source: string
        /** The date of the figure. */
        as_of: string
      }
    | undefined
  /** The discount for lack of marketability. */
  dlom?: OptionModelDlom | CitedStudyDlom | undefined
}

export interface ValuationInputs {
  /** The statements, oldest or newest first. */
  periods?: readonly StatementPeriod[] | undefined
  adjustments?: readonly NormalizationAdjustment[] | undefined
  cost_of_capital?: CostOfCapital | undefined
  bridge?: EquityBridge | undefined
  discounts?: Discounts | undefined
  /** The benchmark set that gives multiples which the methods leave out. By default that of the service. */
  benchmark_set_id?: string | null | undefined
  fx?:
    | readonly {
        /** The currency that is converted. Three capital letters, as in ISO 4217. */
        from: string
        /** The currency into which it is converted. Three capital letters, as in ISO 4217. */
        to: string
        /**
         * How much of `to` one unit of `from` is worth. A fraction of at least 0, as a decimal string: 0.25 is
         * 25 percent.
         */
        rate: string
        /** The day of the rate: on or before the valuation date. */
        as_of: string
        /**
         * Where the figure comes from. One line, without control characters. White space at the ends is
         * removed.
         */
        source: string
      }[]
    | undefined
  /** Events that the report discloses. Those after the valuation date are not used. */
  events?:
    | readonly {
        /** The day. */
        on: string
        /** What happened. May have several lines; no control characters but tabs and line breaks. */
        text: string
      }[]
    | undefined
}

export interface MultipleMethod {
  /** A multiple of seller's discretionary earnings, of adjusted EBITDA or of revenue. */
  method: 'sde_multiple' | 'ebitda_multiple' | 'revenue_multiple'
  /** The level of value that the method indicates before discounts. By default that of its kind. */
  base_level?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** What the method applies to. */
  basis_metric?: 'sde' | 'ebitda' | 'revenue' | 'net_cash_flow' | 'net_assets' | undefined
  /** The key of the period whose figures are used, or weighted. By default the last period. */
  period?: string | undefined
  /** The weight of each period, if period is weighted. They add up to 1. */
  period_weights?: Record<string, string> | undefined
  /**
   * Why the method has its weight. One line, without control characters. White space at the ends is
   * removed.
   */
  rationale?: string | undefined
  /**
   * The multiple. By default the median of the benchmark set. A fraction of at least 0, as a decimal
   * string: 0.25 is 25 percent.
   */
  multiple?: string | undefined
  /**
   * Where the figure comes from. One line, without control characters. White space at the ends is
   * removed.
   */
  source?: string | undefined
  /** The date of the multiple. */
  as_of?: string | undefined
}

export interface GuidelineTransactionsMethod {
  /** The multiples of transactions that you list. */
  method: 'guideline_transactions'
  /** The level of value that the method indicates before discounts. By default that of its kind. */
  base_level?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** What the method applies to. */
  basis_metric?: 'sde' | 'ebitda' | 'revenue' | 'net_cash_flow' | 'net_assets' | undefined
  /** The key of the period whose figures are used, or weighted. By default the last period. */
  period?: string | undefined
  /** The weight of each period, if period is weighted. They add up to 1. */
  period_weights?: Record<string, string> | undefined
  /**
   * Why the method has its weight. One line, without control characters. White space at the ends is
   * removed.
   */
  rationale?: string | undefined
  /** What the price is divided by. */
  metric: 'sde' | 'ebitda' | 'revenue'
  /** How the multiples are summarized. */
  statistic: 'median' | 'mean'
  rows: readonly {
    /** What was sold. One line, without control characters. White space at the ends is removed. */
    name: string
    /** The price. A decimal number of at least 0, as a string. */
    price: string
    /** The metric of what was sold. A decimal number of at least 0, as a string. */
    metric_amount: string
    /** The day of the sale. */
    closed_on: string
    /**
     * Where the figure comes from. One line, without control characters. White space at the ends is
     * removed.
     */
    source: string
  }[]
}

export interface CapitalizedCashFlowMethod {
  /** One cash flow, divided by the discount rate less growth. */
  method: 'capitalized_cash_flow'
  /** The level of value that the method indicates before discounts. By default that of its kind. */
  base_level?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** What the method applies to. */
  basis_metric?: 'sde' | 'ebitda' | 'revenue' | 'net_cash_flow' | 'net_assets' | undefined
  /** The key of the period whose figures are used, or weighted. By default the last period. */
  period?: string | undefined
  /** The weight of each period, if period is weighted. They add up to 1. */
  period_weights?: Record<string, string> | undefined
  /**
   * Why the method has its weight. One line, without control characters. White space at the ends is
   * removed.
   */
  rationale?: string | undefined
  /** The cash flow as a decimal string, or from where it is computed. */
  cash_flow:
    | string
    | {
        /** The net cash flow of the period. */
        from: 'net_cash_flow'
      }
  /** Whether growth of one year is already in it. */
  cash_flow_is: 'next_year' | 'base_year'
  /** A rate as a fraction of at most 1 (0.2 is 20 percent), or from where it is computed. */
  discount_rate:
    | string
    | {
        /** The rate that follows from inputs.cost_of_capital. */
        from: 'cost_of_equity' | 'wacc'
      }
  /**
   * The growth for ever. It must be below the discount rate. A fraction from -1 to 1, as a decimal
   * string: 0.05 is 5 percent.
   */
  growth: string
}

export interface GordonTerminalValue {
  /** Growth for ever. */
  kind: 'gordon'
  /**
   * The growth for ever. It must be below the discount rate. A fraction from -1 to 1, as a decimal
   * string: 0.05 is 5 percent.
   */
  growth: string
}

export interface ExitMultipleTerminalValue {
  /** A sale at the end. */
  kind: 'exit_multiple'
  /** The metric at the end. A decimal number as a string, with at most 18 digits before the point. */
  metric_amount: string
  /** The multiple of it. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
  multiple: string
}

export interface DiscountedCashFlowMethod {
  /** Cash flows of coming years, and a terminal value, at their present value. */
  method: 'discounted_cash_flow'
  /** The level of value that the method indicates before discounts. By default that of its kind. */
  base_level?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** What the method applies to. */
  basis_metric?: 'sde' | 'ebitda' | 'revenue' | 'net_cash_flow' | 'net_assets' | undefined
  /** The key of the period whose figures are used, or weighted. By default the last period. */
  period?: string | undefined
  /** The weight of each period, if period is weighted. They add up to 1. */
  period_weights?: Record<string, string> | undefined
  /**
   * Why the method has its weight. One line, without control characters. White space at the ends is
   * removed.
   */
  rationale?: string | undefined
  cash_flows: readonly string[]
  /** A rate as a fraction of at most 1 (0.2 is 20 percent), or from where it is computed. */
  discount_rate:
    | string
    | {
        /** The rate that follows from inputs.cost_of_capital. */
        from: 'cost_of_equity' | 'wacc'
      }
  /** Whether cash flows come in the middle of their year. By default at its end. */
  mid_year?: boolean | undefined
  /** The value after the last cash flow. */
  terminal: GordonTerminalValue | ExitMultipleTerminalValue
}

export interface AdjustedNetAssetsMethod {
  /** Assets less liabilities, each at its value. */
  method: 'adjusted_net_assets'
  /** The level of value that the method indicates before discounts. By default that of its kind. */
  base_level?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** What the method applies to. */
  basis_metric?: 'sde' | 'ebitda' | 'revenue' | 'net_cash_flow' | 'net_assets' | undefined
  /** The key of the period whose figures are used, or weighted. By default the last period. */
  period?: string | undefined
  /** The weight of each period, if period is weighted. They add up to 1. */
  period_weights?: Record<string, string> | undefined
  /**
   * Why the method has its weight. One line, without control characters. White space at the ends is
   * removed.
   */
  rationale?: string | undefined
  assets: readonly {
    /** The name of the item. One line, without control characters. White space at the ends is removed. */
    name: string
    /** The ID of an asset: ast_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    asset_id?: string | null | undefined
    /** The book value. A decimal number as a string, with at most 18 digits before the point. */
    book?: string | undefined
    /** The value. A decimal number of at least 0, as a string. */
    amount: string
  }[]
  liabilities?:
    | readonly {
        /** The name of the item. One line, without control characters. White space at the ends is removed. */
        name: string
        /** What is owed. A decimal number of at least 0, as a string. */
        amount: string
      }[]
    | undefined
}

export interface LiquidationMethod {
  /** What the assets bring when they are sold, less costs and liabilities. */
  method: 'liquidation'
  /** The level of value that the method indicates before discounts. By default that of its kind. */
  base_level?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** What the method applies to. */
  basis_metric?: 'sde' | 'ebitda' | 'revenue' | 'net_cash_flow' | 'net_assets' | undefined
  /** The key of the period whose figures are used, or weighted. By default the last period. */
  period?: string | undefined
  /** The weight of each period, if period is weighted. They add up to 1. */
  period_weights?: Record<string, string> | undefined
  /**
   * Why the method has its weight. One line, without control characters. White space at the ends is
   * removed.
   */
  rationale?: string | undefined
  /** Whether there is time to sell. */
  kind: 'orderly' | 'forced'
  assets: readonly {
    /** The name of the item. One line, without control characters. White space at the ends is removed. */
    name: string
    /** The ID of an asset: ast_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    asset_id?: string | null | undefined
    /** The value in use or on the market. A decimal number of at least 0, as a string. */
    amount: string
    /**
     * The part of it that a sale brings, at most 1. A fraction of at least 0, as a decimal string: 0.25 is
     * 25 percent.
     */
    recovery: string
  }[]
  liabilities?:
    | readonly {
        /** The name of the item. One line, without control characters. White space at the ends is removed. */
        name: string
        /** What is owed. A decimal number of at least 0, as a string. */
        amount: string
      }[]
    | undefined
  /** The costs of selling. A decimal number of at least 0, as a string. */
  costs?: string | undefined
  /** How many months it takes. A decimal number of at least 0, as a string. */
  months?: string | undefined
  /**
   * The annual rate at which the proceeds are discounted. A fraction from 0 to 1, as a decimal string:
   * 0.05 is 5 percent.
   */
  discount_rate?: string | undefined
}

export interface ExcessEarningsMethod {
  /** A check: net tangible assets, and the earnings above a return on them. It has no weight. */
  method: 'excess_earnings'
  /** The level of value that the method indicates before discounts. By default that of its kind. */
  base_level?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** What the method applies to. */
  basis_metric?: 'sde' | 'ebitda' | 'revenue' | 'net_cash_flow' | 'net_assets' | undefined
  /** The key of the period whose figures are used, or weighted. By default the last period. */
  period?: string | undefined
  /** The weight of each period, if period is weighted. They add up to 1. */
  period_weights?: Record<string, string> | undefined
  /**
   * Why the method has its weight. One line, without control characters. White space at the ends is
   * removed.
   */
  rationale?: string | undefined
  /** The normalized earnings. A decimal number as a string, with at most 18 digits before the point. */
  earnings: string
  /** The net tangible assets. A decimal number of at least 0, as a string. */
  net_tangible_assets: string
  /** The return on net tangible assets. A fraction from 0 to 1, as a decimal string: 0.05 is 5 percent. */
  tangible_return: string
  /**
   * The rate at which the excess is capitalized; above 0. A fraction from 0 to 1, as a decimal string:
   * 0.05 is 5 percent.
   */
  intangible_rate: string
}

export interface Money {
  /** The amount. A decimal string. */
  amount: string
  /** As in ISO 4217. */
  currency: string
}

export interface ValuationConclusion {
  low: Money
  point: Money
  high: Money
  per_share: Money | null
  level_of_value:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | (string & {})
}

export interface ValuationSensitivity {
  /** How far each driver moves the conclusion, the one that moves it most first: at most 40 drivers. */
  tornado: {
    /** The ID of the node of the calculation. */
    driver: string
    /** What it is, for people. */
    label: string
    /** The value in the calculation. A decimal string. */
    base: string
    /** The low value that was tried. A decimal string. */
    low_input: string
    /** The high value that was tried. A decimal string. */
    high_input: string
    low: Money
    high: Money
    swing: Money
  }[]
  grid: {
    x: {
      /** The ID of the node of the calculation. */
      driver: string
      /** What it is, for people. */
      label: string
      values: string[]
    }
    y: {
      /** The ID of the node of the calculation. */
      driver: string
      /** What it is, for people. */
      label: string
      values: string[]
    }
    /** The amounts of the conclusion: a row for each y, a column for each x. Null where there is none. */
    points: (string | null)[][]
  } | null
  monte_carlo: {
    draws: number
    p5: Money
    p25: Money
    p50: Money
    p75: Money
    p95: Money
    mean: Money
    standard_deviation: Money
    /** How the drivers were drawn. */
    distribution: string
  } | null
  /** The ID of the driver that moves the conclusion most. */
  moves_most: string | null
}

export interface ValuationResult {
  /**
   * The adjustments, those of the oldest period first. adjusted is the line after this adjustment and
   * the earlier ones of it.
   */
  normalisation: {
    key: string
    line:
      | 'revenue'
      | 'cost_of_sales'
      | 'operating_expenses'
      | 'owner_compensation'
      | 'depreciation'
      | 'amortization'
      | 'interest_expense'
      | 'other_income'
      | 'taxes'
      | 'net_income'
      | (string & {})
    period: string
    reported: Money | null
    adjustment: Money
    adjusted: Money | null
    kind:
      | 'owner_compensation'
      | 'related_party'
      | 'non_recurring'
      | 'discretionary'
      | 'non_operating'
      | 'accounting'
      | (string & {})
    evidence_id: string | null
    note: string | null
  }[]
  /** The normalized figures of each period, the oldest first. */
  earnings: {
    period: string
    revenue: Money | null
    sde: Money | null
    ebitda: Money | null
    ebit: Money | null
    net_cash_flow: Money | null
    /** Whether an earnings figure was stated, not computed. */
    is_stated: boolean
  }[]
  /**
   * Figures that do not add up or are out of the ordinary. They are reported, not repaired. difference
   * is reported less computed.
   */
  checks: {
    code:
      | 'net_income_does_not_add_up'
      | 'ebit_does_not_add_up'
      | 'total_assets_do_not_add_up'
      | 'balance_sheet_does_not_balance'
      | 'adjusted_line_is_negative'
      | 'terminal_share_above_80_percent'
      | 'stated_sde_differs'
      | 'stated_ebitda_differs'
      | 'stated_net_cash_flow_differs'
      | 'excess_earnings_differ'
      | (string & {})
    period: string | null
    reported: string | null
    computed: string | null
    difference: string | null
  }[]
  cost_of_capital: {
    /** The cost of equity. A decimal string. */
    cost_of_equity: string | null
    /** The cost of debt after taxes. A decimal string. */
    cost_of_debt: string | null
    /** The weighted average cost of capital. A decimal string. */
    wacc: string | null
  } | null
  approaches: {
    approach: 'income' | 'market' | 'asset' | (string & {})
    considered: boolean
    used: boolean
    reason_rejected: string | null
    methods: {
      method:
        | 'sde_multiple'
        | 'ebitda_multiple'
        | 'revenue_multiple'
        | 'guideline_transactions'
        | 'capitalized_cash_flow'
        | 'discounted_cash_flow'
        | 'adjusted_net_assets'
        | 'liquidation'
        | 'excess_earnings'
        | 'look_through'
        | (string & {})
      used: boolean
      /** Why it is not used. */
      reason_rejected: string | null
      basis_metric:
        | 'sde'
        | 'ebitda'
        | 'revenue'
        | 'net_cash_flow'
        | 'net_assets'
        | 'earnings'
        | 'look_through'
        | (string & {})
        | null
      basis: Money | null
      /** The key of the period, or weighted. */
      period: string | null
      /** The multiple. A decimal string. */
      multiple: string | null
      /** The rate at which cash flows are discounted or capitalized. A decimal string. */
      rate: string | null
      base_level:
        | 'control_marketable'
        | 'control_nonmarketable'
        | 'minority_marketable'
        | 'minority_nonmarketable'
        | (string & {})
        | null
      indicated: Money | null
      concluded: Money | null
      /** Whether it only checks the others, and has no weight. */
      is_check: boolean
    }[]
  }[]
  adjustments: {
    code:
      | 'dloc'
      | 'dlom'
      | 'control_premium'
      | 'cash'
      | 'interest_bearing_debt'
      | 'non_operating_assets'
      | 'working_capital'
      | 'interest'
      | 'holding_discount'
      | (string & {})
    method:
      | 'sde_multiple'
      | 'ebitda_multiple'
      | 'revenue_multiple'
      | 'guideline_transactions'
      | 'capitalized_cash_flow'
      | 'discounted_cash_flow'
      | 'adjusted_net_assets'
      | 'liquidation'
      | 'excess_earnings'
      | 'look_through'
      | (string & {})
      | null
    applied: boolean
    /** The rate. A decimal string. */
    rate: string | null
    amount: Money | null
    reason: string
    source: string | null
    as_of: string | null
  }[]
  reconciliation: {
    method:
      | 'sde_multiple'
      | 'ebitda_multiple'
      | 'revenue_multiple'
      | 'guideline_transactions'
      | 'capitalized_cash_flow'
      | 'discounted_cash_flow'
      | 'adjusted_net_assets'
      | 'liquidation'
      | 'excess_earnings'
      | 'look_through'
      | (string & {})
    value: Money
    /** The weight that was used. A decimal string. */
    weight: string
    rationale: string
  }[]
  conclusion: ValuationConclusion
  sensitivity: ValuationSensitivity
  holdings:
    | {
        key: string
        subject_type: string
        name: string
        /** The share, through all portfolios that lead to it, in percent. A decimal string. */
        ownership_percent: string
        value: Money
        converted: Money
        /** The exchange rate. A decimal string. */
        rate: string | null
        /** The discounts of the holding and of those that lead to it, together. A decimal string. */
        discount: string | null
        share: Money
        /** The keys of the holdings that lead to it, the outermost first. */
        path: string[]
      }[]
    | null
  assumptions: string[]
  limiting_conditions: string[]
  sources: { figure: string; source: string; as_of: string | null }[]
  subsequent_events: { on: string; text: string }[]
  /** The eight factors of Rev. Rul. 59-60. */
  factors_59_60: {
    order: number
    factor: string
    addressed: boolean
    /** Where the valuation addresses it, or what is missing. */
    note: string
  }[]
  engine: {
    version: string
    benchmark_set_id: string | null
    benchmark_set_sha256: string | null
    seed: number
    /** The SHA-256 of the document, as in RFC 8785. */
    input_hash: string
    /** The SHA-256 of this result without this field, as in RFC 8785. */
    result_hash: string
  }
}

export interface Asset {
  /** The ID of an asset: ast_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  asset_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string | null
  class:
    | 'real_property'
    | 'equipment'
    | 'vehicle'
    | 'inventory'
    | 'receivable'
    | 'intangible'
    | 'cash'
    | 'other'
    | (string & {})
  cost: Money
  acquired_on: string
  condition: 'new' | 'good' | 'fair' | 'poor' | (string & {})
  description: string | null
  revision: number
  created_at: string
  updated_at: string
}

export interface BenchmarkRow {
  /** The beginning of a NAICS code (2022). Null: all industries. */
  naics?: string | null | undefined
  /**
   * The prices of the deals in US dollars, from the first (included) to the second (excluded):
   * 500000-1000000, or 50000000- without an end. Also as surveys write them: <$500K, $500K-$1M, $1-2M,
   * $50M+. Null or all: all sizes. One line, without control characters. White space at the ends is
   * removed.
   */
  size_band?: string | null | undefined
  /** What the price is divided by. */
  metric: 'sde' | 'ebitda' | 'revenue'
  /**
   * The multiple below which a quarter of the deals lie. Null: not known. A fraction of at least 0, as a
   * decimal string: 0.25 is 25 percent.
   */
  p25?: string | null | undefined
  /** The median multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
  p50: string
  /**
   * The multiple above which a quarter of the deals lie. Null: not known. A fraction of at least 0, as a
   * decimal string: 0.25 is 25 percent.
   */
  p75?: string | null | undefined
  /** How many deals. Null: not known. */
  n?: number | null | undefined
  /**
   * Where the figure comes from. One line, without control characters. White space at the ends is
   * removed.
   */
  source: string
  /** The date of the figure. */
  as_of: string
}

export interface BenchmarkSetSummary {
  benchmark_set_id: string
  name: string
  /** The SHA-256 of its rows, as in RFC 8785. */
  sha256: string
  row_count: number
  /** Whether it is the set of the service, which every Workspace has. */
  is_default: boolean
  /** Null for the set of the service. */
  created_at: string | null
}

export interface BenchmarkSet {
  benchmark_set_id: string
  name: string
  /** The SHA-256 of its rows, as in RFC 8785. */
  sha256: string
  row_count: number
  /** Whether it is the set of the service, which every Workspace has. */
  is_default: boolean
  /** Null for the set of the service. */
  created_at: string | null
  rows: {
    /** The beginning of a NAICS code (2022). Null: all industries. */
    naics: string | null
    /**
     * The prices of the deals in US dollars, from the first (included) to the second (excluded):
     * 500000-1000000, or 50000000- without an end. Also as surveys write them: <$500K, $500K-$1M, $1-2M,
     * $50M+. Null or all: all sizes. One line, without control characters. White space at the ends is
     * removed.
     */
    size_band: string | null
    /** What the price is divided by. */
    metric: 'sde' | 'ebitda' | 'revenue'
    /**
     * The multiple below which a quarter of the deals lie. Null: not known. A fraction of at least 0, as a
     * decimal string: 0.25 is 25 percent.
     */
    p25: string | null
    /** The median multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
    p50: string
    /**
     * The multiple above which a quarter of the deals lie. Null: not known. A fraction of at least 0, as a
     * decimal string: 0.25 is 25 percent.
     */
    p75: string | null
    /** How many deals. Null: not known. */
    n: number | null
    /**
     * Where the figure comes from. One line, without control characters. White space at the ends is
     * removed.
     */
    source: string
    /** The date of the figure. */
    as_of: string
  }[]
}

export interface ValuationSummary {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /** Null while nobody has claimed the valuation of a guest. */
  workspace_id: string | null
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string | null
  subject: {
    type: 'business' | 'asset' | 'portfolio' | (string & {})
    id: string | null
    name: string | null
  }
  engagement_type: 'indicative' | 'calculation' | 'analyst' | (string & {})
  purpose:
    | 'sale'
    | 'purchase'
    | 'financing'
    | 'planning'
    | 'buy_sell'
    | 'gift_estate_tax'
    | 'divorce'
    | 'esop'
    | 'litigation'
    | 'financial_reporting'
    | (string & {})
  valuation_date: string
  currency: string
  status: 'draft' | 'running' | 'completed' | 'failed' | (string & {})
  conclusion: ValuationConclusion | null
  /** The valuation that this one replaces. */
  supersedes_id: string | null
  /** The valuation that replaces this one. */
  superseded_by_id: string | null
  is_signed: boolean
  revision: number
  created_by: { type: 'user' | (string & {}); id: string } | null
  created_at: string
  updated_at: string
  completed_at: string | null
  claimed_at: string | null
}

export interface Valuation {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /** Null while nobody has claimed the valuation of a guest. */
  workspace_id: string | null
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string | null
  subject: {
    type: 'business' | 'asset' | 'portfolio' | (string & {})
    id: string | null
    name: string | null
  }
  engagement_type: 'indicative' | 'calculation' | 'analyst' | (string & {})
  purpose:
    | 'sale'
    | 'purchase'
    | 'financing'
    | 'planning'
    | 'buy_sell'
    | 'gift_estate_tax'
    | 'divorce'
    | 'esop'
    | 'litigation'
    | 'financial_reporting'
    | (string & {})
  valuation_date: string
  currency: string
  status: 'draft' | 'running' | 'completed' | 'failed' | (string & {})
  conclusion: ValuationConclusion | null
  /** The valuation that this one replaces. */
  supersedes_id: string | null
  /** The valuation that replaces this one. */
  superseded_by_id: string | null
  is_signed: boolean
  revision: number
  created_by: { type: 'user' | (string & {}); id: string } | null
  created_at: string
  updated_at: string
  completed_at: string | null
  claimed_at: string | null
  standard_of_value: string
  premise_of_value: string
  level_of_value: string
  interest: { percent: string; kind: string }
  /** As they were given. */
  inputs: Record<string, unknown>
  methods: Record<string, unknown>[]
  weights: Record<string, unknown> | null
  result: ValuationResult | null
  /** What is missing before it can run. Empty unless it is a draft. */
  missing_evidence: { code: string; pointer: string; detail: string; accepted: string[] }[]
  signature: {
    signed_by: { user_id: string; name: string | null }
    signed_at: string
    statement: string
    qualifications: string
    /** The hash of the result that was signed. */
    result_hash: string
  } | null
}

export interface Portfolio {
  /** The ID of a portfolio: pfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  portfolio_id: string
  name: string
  currency: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string | null
  holding_count: number
  revision: number
  created_at: string
  updated_at: string
}

export interface Holding {
  /** The ID of a portfolio: pfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  portfolio_id: string
  key: string
  subject: { type: 'business' | 'asset' | 'portfolio' | (string & {}); id: string | null }
  ownership_percent: string
  valuation_id: string | null
  discount: { rate: string; reason: string } | null
  updated_at: string
}

export interface ApiKey {
  key_id: string
  workspace_id: string
  name: string
  /** The first characters of the key. They are safe to show. */
  prefix: string
  /** The last four characters of the key. */
  last4: string
  scopes: (
    | 'workspace:read'
    | 'workspace:manage'
    | 'team:read'
    | 'team:manage'
    | 'api_keys:manage'
    | 'webhooks:manage'
    | 'audit:read'
    | 'businesses:read'
    | 'businesses:write'
    | 'businesses:publish'
    | 'valuations:read'
    | 'valuations:run'
    | 'valuations:claim'
    | 'rooms:read'
    | 'rooms:write'
    | 'rooms:share'
    | 'files:read'
    | 'files:write'
    | 'files:download'
    | 'lists:read'
    | 'lists:write'
    | 'list_members:read'
    | 'list_values:write'
    | 'goals:read'
    | 'goals:write'
    | 'tasks:read'
    | 'tasks:write'
    | 'connections:read'
    | 'connections:share'
    | 'connections:use'
    | 'approvals:read'
    | 'approvals:decide'
    | 'events:read'
    | 'imports:run'
    | 'exports:run'
    | (string & {})
  )[]
  status: 'active' | 'revoked' | 'expired' | (string & {})
  owner: { user_id: string; name: string | null }
  /** The networks from which the key works. Null: any network. */
  allowed_cidrs: string[] | null
  /** When the key expires. Null: never. */
  expires_at: string | null
  /** When the previous secret stops working. Null if it does not work now. */
  previous_secret_until: string | null
  /** When the key was last used, accurate to about a minute. Null if it was never used. */
  last_used_at: string | null
  revision: number
  created_at: string
  updated_at: string
}

export interface TeamInvitation {
  invitation_id: string
  workspace_id: string
  /** The address as it was entered. */
  email: string
  role: 'admin' | 'member' | 'viewer' | (string & {})
  status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired' | (string & {})
  invited_by: { user_id: string; name: string | null }
  /** When the invitation expires if it is still pending. */
  expires_at: string
  created_at: string
  updated_at: string
  revision: number
}

export interface Workspace {
  id: string
  name: string
  workspace_type: 'personal' | 'team' | (string & {})
  resource_type: 'workspace' | (string & {})
  /** The same as id. */
  resource_id: string
  status: 'active' | 'suspended' | 'closed' | (string & {})
  metadata: Record<string, unknown>
  /**
   * The most bytes of content that its admins allow: stored, and promised by open uploads. Null for the
   * limit of the service.
   */
  storage_limit_bytes?: number | null
  revision: number
  created_at: string
  updated_at: string
}

export interface Membership {
  id: string
  workspace_id: string
  user_id: string
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {})
  status: 'invited' | 'active' | 'removed' | (string & {})
  /** The overrides of the role: true grants a permission, false removes it. */
  permissions: Record<string, boolean>
  joined_at: string | null
  created_at: string
}

export interface WorkspaceAccess {
  access_level: 'view' | 'edit' | 'full_access' | (string & {})
}

export interface WorkspaceOfCaller {
  id: string
  name: string
  workspace_type: 'personal' | 'team' | (string & {})
  resource_type: 'workspace' | (string & {})
  /** The same as id. */
  resource_id: string
  status: 'active' | 'suspended' | 'closed' | (string & {})
  metadata: Record<string, unknown>
  /**
   * The most bytes of content that its admins allow: stored, and promised by open uploads. Null for the
   * limit of the service.
   */
  storage_limit_bytes?: number | null
  revision: number
  created_at: string
  updated_at: string
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {})
  access: WorkspaceAccess
}

export interface TeamMember {
  id: string
  workspace_id: string
  user_id: string
  role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {})
  status: 'invited' | 'active' | 'removed' | (string & {})
  /** The overrides of the role: true grants a permission, false removes it. */
  permissions: Record<string, boolean>
  joined_at: string | null
  created_at: string
  /** The name from the access token with which they last changed something. */
  name: string | null
  email: string | null
  access: WorkspaceAccess
  /** What the member may do with an access token: the role and the overrides combined. */
  effective_permissions: (
    | 'workspace:read'
    | 'workspace:manage'
    | 'team:read'
    | 'team:manage'
    | 'api_keys:manage'
    | 'webhooks:manage'
    | 'audit:read'
    | 'businesses:read'
    | 'businesses:write'
    | 'businesses:publish'
    | 'valuations:read'
    | 'valuations:run'
    | 'valuations:claim'
    | 'rooms:read'
    | 'rooms:write'
    | 'rooms:share'
    | 'files:read'
    | 'files:write'
    | 'files:download'
    | 'lists:read'
    | 'lists:write'
    | 'list_members:read'
    | 'list_values:write'
    | 'goals:read'
    | 'goals:write'
    | 'tasks:read'
    | 'tasks:write'
    | 'connections:read'
    | 'connections:share'
    | 'connections:use'
    | 'approvals:read'
    | 'approvals:decide'
    | 'events:read'
    | 'imports:run'
    | 'exports:run'
    | (string & {})
  )[]
  revision: number
  updated_at: string
}

export interface EventRoom {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  /** The current title. */
  title: string
}

export interface EventSubject {
  type:
    | 'room'
    | 'room_file'
    | 'file'
    | 'business'
    | 'list'
    | 'participant'
    | 'connection'
    | 'approval'
    | 'task'
    | 'goal'
    | 'valuation'
    | (string & {})
  id: string
  name: string | null
}

/** An event, whose type says which further facts `data` holds. Types may be added. */
export type Event =
  | RoomCreatedEvent
  | RoomUpdatedEvent
  | RoomAccessChangedEvent
  | RoomArchivedEvent
  | RoomRestoredEvent
  | BusinessUpdatedEvent
  | ParticipantInvitedEvent
  | ParticipantJoinedEvent
  | ParticipantAccessChangedEvent
  | ParticipantRevokedEvent
  | ParticipantDeclinedEvent
  | ParticipantLeftEvent
  | ParticipantExpiredEvent
  | AttachmentAddedEvent
  | AttachmentRemovedEvent
  | FileCreatedEvent
  | FileVersionAddedEvent
  | FileReadyEvent
  | FileFailedEvent
  | FileUpdatedEvent
  | FileArchivedEvent
  | FileRestoredEvent
  | FileAddedToRoomEvent
  | FileRemovedFromRoomEvent
  | FilePermissionSetEvent
  | FilePermissionRevokedEvent
  | GoalCreatedEvent
  | GoalUpdatedEvent
  | GoalCompletedEvent
  | GoalCanceledEvent
  | GoalReopenedEvent
  | TaskCreatedEvent
  | TaskAssignedEvent
  | TaskUpdatedEvent
  | TaskCommentedEvent
  | TaskCompletedEvent
  | TaskCanceledEvent
  | TaskReopenedEvent
  | ConnectionSharedEvent
  | ConnectionReadEvent
  | ConnectionPausedEvent
  | ConnectionResumedEvent
  | ConnectionStoppedEvent
  | ConnectionFailedEvent
  | ConnectionReconnectedEvent
  | ApprovalRequestedEvent
  | ApprovalApprovedEvent
  | ApprovalDeclinedEvent
  | ApprovalCanceledEvent
  | ApprovalExpiredEvent
  | ApprovalExecutedEvent
  | ApprovalFailedEvent
  | ValuationClaimedEvent
  | ValuationCompletedEvent
  | ValuationFailedEvent
  | ValuationSupersededEvent

export interface Upload {
  /** The ID of an upload: upl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  upload_id: string
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id: string
  status: 'open' | 'completed' | 'aborted' | 'expired' | (string & {})
  size_bytes: number
  /** The size of every part but the last, which may be shorter. */
  part_size_bytes: number
  part_count: number
  /** The parts that are stored completely. Empty when the upload has ended. */
  received_parts: { part_number: number; size_bytes: number; etag: string }[]
  /** When the upload expires if nothing more arrives. */
  expires_at: string
}

export interface RoomOfCaller {
  room_id: string
  title: string
  status: 'active' | 'archived' | (string & {})
  /** Send it as SVC-Workspace-Id to work in the Room. */
  workspace_id: string
  workspace_name: string
  access_level: 'view' | 'edit' | 'full_access' | (string & {})
  joined_at: string
}

export interface TaskComment {
  comment_id: string
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
  text: string
  files: {
    /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    file_id: string
    /** Null if you cannot open the File. */
    name: string | null
  }[]
  created_by: { user_id: string; name: string | null }
  created_at: string
}

export interface ValuationEvidence {
  evidence_id: string
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  code:
    | 'statements'
    | 'returns'
    | 'cap_table'
    | 'debt_schedule'
    | 'add_back_support'
    | 'comparables'
    | 'signatory'
    | (string & {})
  file_id: string
  file_version_id: string
  /** The SHA-256 of the content, in hexadecimal. */
  sha256: string
  pointer: string | null
  dated_on: string
  known_or_knowable: boolean
  note: string | null
  added_by: string
  created_at: string
}

export interface CalculationNode {
  id: string
  label: string
  op: 'add' | 'subtract' | 'multiply' | 'divide' | 'power' | 'level' | 'lookup' | 'input' | (string & {})
  /** A decimal string, exact to 34 significant digits. */
  value: string
  /** A currency, ratio, multiple, years or shares. */
  unit: string
  formula: string
  source?: string | null
  as_of?: string | null
  evidence_id?: string | null
  inputs: CalculationNode[]
}

export interface ValuationReportBlock {
  kind: 'text' | 'list' | 'table' | 'chart' | (string & {})
  title: string | null
  /** Of a text: its paragraphs, each on a line of its own. */
  text?: string
  /** Of a list. */
  items?: string[]
  /** How deep each item is below the first. Without it, all items are at one depth. */
  depths?: number[]
  /** Of a table, and of the table beside a chart. */
  columns?: string[]
  /** Their cells, as people read them. */
  rows?: string[][]
  chart?: 'ranges' | 'tornado' | 'columns' | 'waterfall' | (string & {})
  series?: {
    label: string
    /** In columns, the figure that it shows. In a waterfall total, rise or fall. Null in the other charts. */
    group: string | null
    /** Where the bar begins. A decimal string, in the currency of the report. */
    low: string
    /** The figure that it is about. */
    point: string | null
    /** Where the bar ends. */
    high: string
  }[]
}

export interface ValuationReport {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string | null
  title: string
  /** What the report is: whether a person signed it, or whether only the engine calculated. */
  notice: string
  is_signed: boolean
  valuation_date: string
  currency: string
  conclusion: ValuationConclusion
  sections: { code: string; title: string; blocks: ValuationReportBlock[] }[]
}

export interface RoomCreatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'room.created'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface RoomUpdatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'room.updated'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    /** The names of the fields that changed. */
    changed: string[]
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface RoomAccessChangedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'room.access_changed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    /** The names of the fields that changed. */
    changed: string[]
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface RoomArchivedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'room.archived'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface RoomRestoredEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'room.restored'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface BusinessUpdatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'business.updated'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    /** The names of the fields that changed. */
    changed: string[]
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ParticipantInvitedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'participant.invited'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { access_level: 'view' | 'edit' | 'full_access' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ParticipantJoinedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'participant.joined'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { access_level: 'view' | 'edit' | 'full_access' | (string & {}); break_glass?: { reason: string } }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ParticipantAccessChangedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'participant.access_changed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    access_level: 'view' | 'edit' | 'full_access' | (string & {})
    previous_access_level?: 'view' | 'edit' | 'full_access' | (string & {})
    break_glass?: { reason: string }
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ParticipantRevokedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'participant.revoked'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { access_level: 'view' | 'edit' | 'full_access' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ParticipantDeclinedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'participant.declined'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { access_level: 'view' | 'edit' | 'full_access' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ParticipantLeftEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'participant.left'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { access_level: 'view' | 'edit' | 'full_access' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ParticipantExpiredEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'participant.expired'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { access_level: 'view' | 'edit' | 'full_access' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface AttachmentAddedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'attachment.added'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface AttachmentRemovedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'attachment.removed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileCreatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.created'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileVersionAddedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.version_added'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { version_number: number }
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileReadyEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.ready'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { file_version_id: string; version_number: number }
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileFailedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.failed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    file_version_id: string
    version_number: number
    processing_error?:
      | 'upload_expired'
      | 'upload_aborted'
      | 'size_mismatch'
      | 'checksum_mismatch'
      | 'type_mismatch'
      | 'unreadable'
      | 'malware_detected'
      | 'internal_error'
      | (string & {})
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileUpdatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.updated'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    /** The names of the fields that changed. */
    changed: string[]
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileArchivedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.archived'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileRestoredEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.restored'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileAddedToRoomEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.added_to_room'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface FileRemovedFromRoomEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.removed_from_room'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface FilePermissionSetEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.permission_set'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { access_level: 'view' | 'edit' | 'full_access' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface FilePermissionRevokedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'file.permission_revoked'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { access_level: 'view' | 'edit' | 'full_access' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface GoalCreatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'goal.created'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface GoalUpdatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'goal.updated'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    /** The names of the fields that changed. */
    changed: string[]
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface GoalCompletedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'goal.completed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { terminal_reason: string | null }
  /** Whether you are the actor. */
  mine: boolean
}

export interface GoalCanceledEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'goal.canceled'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { terminal_reason: string | null }
  /** Whether you are the actor. */
  mine: boolean
}

export interface GoalReopenedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'goal.reopened'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    reason: string
    before: {
      status: 'active' | 'completed' | 'canceled' | (string & {})
      terminal_reason: string | null
      completed_at: string | null
      canceled_at: string | null
    }
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface TaskCreatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'task.created'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { kind: 'task' | 'question' | 'evidence_request' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface TaskAssignedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'task.assigned'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface TaskUpdatedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'task.updated'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    /** The names of the fields that changed. */
    changed: string[]
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface TaskCommentedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'task.commented'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { comment_id: string }
  /** Whether you are the actor. */
  mine: boolean
}

export interface TaskCompletedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'task.completed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { evidence_file_ids: string[] }
  /** Whether you are the actor. */
  mine: boolean
}

export interface TaskCanceledEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'task.canceled'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface TaskReopenedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'task.reopened'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    note: string | null
    earlier: {
      status: 'open' | 'in_progress' | 'blocked' | 'done' | 'canceled' | (string & {})
      terminal_reason: string | null
      completed_at: string | null
      canceled_at: string | null
    }
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ConnectionSharedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'connection.shared'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { kind: 'app' | 'agent' | 'source' | (string & {}); plugin: string; origin: string }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ConnectionReadEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'connection.read'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    /** What was called. */
    operation: string
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ConnectionPausedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'connection.paused'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface ConnectionResumedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'connection.resumed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface ConnectionStoppedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'connection.stopped'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface ConnectionFailedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'connection.failed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface ConnectionReconnectedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'connection.reconnected'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {}
  /** Whether you are the actor. */
  mine: boolean
}

export interface ApprovalRequestedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'approval.requested'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { connection_id: string; operation: string }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ApprovalApprovedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'approval.approved'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: {
    connection_id: string
    operation: string
    /** Whether a person had to approve it. */
    required: boolean
    held_for: 'resume' | (string & {}) | null
  }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ApprovalDeclinedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'approval.declined'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { connection_id: string; operation: string }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ApprovalCanceledEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'approval.canceled'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { connection_id: string; operation: string; reason: string }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ApprovalExpiredEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'approval.expired'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { connection_id: string; operation: string }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ApprovalExecutedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'approval.executed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { connection_id: string; operation: string }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ApprovalFailedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'approval.failed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { connection_id: string; operation: string; code: string }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ValuationClaimedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'valuation.claimed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { engagement_type: 'indicative' | 'calculation' | 'analyst' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ValuationCompletedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'valuation.completed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { engagement_type: 'indicative' | 'calculation' | 'analyst' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ValuationFailedEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'valuation.failed'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { engagement_type: 'indicative' | 'calculation' | 'analyst' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export interface ValuationSupersededEvent {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  id: string
  type: 'valuation.superseded'
  occurred_at: string
  room: EventRoom
  actor: Actor
  subject: EventSubject
  about: {
    /** Null before the person has accepted an invitation. */
    user_id: string | null
    email: string | null
    name: string | null
  } | null
  /** Further facts. */
  data: { engagement_type: 'indicative' | 'calculation' | 'analyst' | (string & {}) }
  /** Whether you are the actor. */
  mine: boolean
}

export type HealthInput = Record<string, never>

export interface HealthAnswer {
  service: string
  environment: 'development' | 'test' | 'production' | (string & {})
  status: 'ok' | 'degraded' | (string & {})
  schema_version: string
  /** sha256: and the digest of the canonical OpenAPI document, in hexadecimal. */
  schema_hash: string
}

export type ReadyInput = Record<string, never>

export interface ReadyAnswer extends Answered {
  status: 'ready' | (string & {})
}

export interface SearchBusinessesInput {
  /**
   * A part of the name, without white space at either end. Case and Unicode compatibility forms are
   * ignored.
   */
  query?: string | undefined
  /** The same as query. Send only one of the two. */
  name?: string | undefined
  /** Whether the Business operates. */
  status?: 'active' | 'closed' | 'inactive' | 'unknown' | undefined
  /**
   * The state of the published primary location: the two letters of one of the 50 states, or DC, in
   * either case.
   */
  state?:
    | 'AL'
    | 'AK'
    | 'AZ'
    | 'AR'
    | 'CA'
    | 'CO'
    | 'CT'
    | 'DE'
    | 'DC'
    | 'FL'
    | 'GA'
    | 'HI'
    | 'ID'
    | 'IL'
    | 'IN'
    | 'IA'
    | 'KS'
    | 'KY'
    | 'LA'
    | 'ME'
    | 'MD'
    | 'MA'
    | 'MI'
    | 'MN'
    | 'MS'
    | 'MO'
    | 'MT'
    | 'NE'
    | 'NV'
    | 'NH'
    | 'NJ'
    | 'NM'
    | 'NY'
    | 'NC'
    | 'ND'
    | 'OH'
    | 'OK'
    | 'OR'
    | 'PA'
    | 'RI'
    | 'SC'
    | 'SD'
    | 'TN'
    | 'TX'
    | 'UT'
    | 'VT'
    | 'VA'
    | 'WA'
    | 'WV'
    | 'WI'
    | 'WY'
    | (string & {})
    | undefined
  /**
   * The whole name of the city of the published primary location, which must be in the U.S. Case and
   * white space at the ends are ignored.
   */
  city?: string | undefined
  /**
   * A NAICS code: 2 to 6 digits, or 31-33, 44-45 or 48-49. Two to five digits match all codes that begin
   * with them; six digits match exactly.
   */
  naics_code?: string | undefined
  /** The edition of naics_code. By default it is 2022. Codes are not translated between editions. */
  naics_vintage?: '1997' | '2002' | '2007' | '2012' | '2017' | '2022' | undefined
  /**
   * The website: an http or https URL. It must match exactly, including scheme, path, case and trailing
   * slash.
   */
  website_url?: string | undefined
  /** The page.cursor of the previous page: biz_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
  /** The fields to return. id is always returned. */
  fields?:
    | readonly (
        | 'id'
        | 'name'
        | 'publication_status'
        | 'status'
        | 'closed_on'
        | 'description'
        | 'founded_on'
        | 'primary_classification_id'
        | 'primary_location_id'
        | 'published_at'
        | 'public_email'
        | 'public_phone'
        | 'website_url'
        | 'country_code'
        | 'state'
        | 'city'
        | 'naics_code'
        | 'naics_vintage'
        | 'naics_title'
      )[]
    | undefined
}

export interface SearchBusinessesAnswer extends Answered {
  data: Business[]
  page: Page
  projection: 'public' | (string & {})
  schema_version: 'svc.business.v1' | (string & {})
  /** The time at which this answer was true. */
  as_of: string
  /** The source of each field. Only for callers with businesses:read. */
  provenance?: Provenance[]
}

export interface GetBusinessInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /** The fields to return. id is always returned. */
  fields?:
    | readonly (
        | 'id'
        | 'name'
        | 'publication_status'
        | 'status'
        | 'closed_on'
        | 'description'
        | 'founded_on'
        | 'primary_classification_id'
        | 'primary_location_id'
        | 'published_at'
        | 'public_email'
        | 'public_phone'
        | 'website_url'
        | 'country_code'
        | 'state'
        | 'city'
        | 'naics_code'
        | 'naics_vintage'
        | 'naics_title'
        | 'legal_name'
        | 'founded_year'
        | 'revision'
        | 'merged_into_id'
        | 'created_at'
        | 'updated_at'
      )[]
    | undefined
  /** The parts to return in addition. provenance requires businesses:read. */
  include?: readonly ('classifications' | 'locations' | 'identifiers' | 'provenance')[] | undefined
}

export interface GetBusinessAnswer extends Answered {
  data: BusinessRecord
  projection: 'public' | 'workspace' | (string & {})
  schema_version: 'svc.business.v1' | (string & {})
  /** The time at which this answer was true. */
  as_of: string
}

export interface CreateBusinessInput {
  /** The name of the Business. One line, without control characters. White space at the ends is removed. */
  name: string
  /**
   * The website of the Business. An http or https URL without white space, user name or password. It is
   * kept exactly as you send it.
   */
  website_url?: string | undefined
  /** The country, as two capital letters. U.S. territories are not supported. */
  country_code?: string | undefined
  /**
   * The state. In the U.S., the two letters of one of the 50 states, or DC; in other countries, any
   * name. One line, without control characters. White space at the ends is removed.
   */
  state?: string | undefined
  /** The city. One line, without control characters. White space at the ends is removed. */
  city?: string | undefined
  /** A NAICS code of the edition in naics_vintage: 2 to 6 digits, or 31-33, 44-45 or 48-49. */
  naics_code?: string | undefined
  /** The edition of naics_code. By default it is 2022. */
  naics_vintage?: '1997' | '2002' | '2007' | '2012' | '2017' | '2022' | undefined
  /**
   * What to do if a Business matches. reject: answer already_exists with the candidates.
   * return_existing: link the matching Business and return it with the status 200, or answer
   * already_exists if several match. force_new: create another Business. Default: "reject".
   */
  match_policy?: 'reject' | 'return_existing' | 'force_new' | undefined
}

export interface CreateBusinessAnswer extends Changed {
  data: BusinessRecord
  projection: 'public' | 'workspace' | (string & {})
  action_receipt: ActionReceipt
}

export interface UpdateBusinessInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The name of the Business. One line, without control characters. White space at the ends is removed. */
  name?: string | undefined
  /**
   * The registered name of the Business. One line, without control characters. White space at the ends
   * is removed.
   */
  legal_name?: string | null | undefined
  /** Whether the Business operates. Any value but closed clears closed_on. */
  status?: 'active' | 'closed' | 'inactive' | 'unknown' | undefined
  /** The day of the closing. Requires the status closed. Must not be before the founding. As YYYY-MM-DD. */
  closed_on?: string | null | undefined
  /** What the Business does. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /** The day of the founding, in the years 1000 to 2199. As YYYY-MM-DD. */
  founded_on?: string | null | undefined
  /** The public email address of the Business. */
  public_email?: string | null | undefined
  /** The public telephone number of the Business: + and 7 to 15 digits, the country code first. */
  public_phone?: string | null | undefined
  /**
   * The website of the Business. An http or https URL without white space, user name or password. It is
   * kept exactly as you send it.
   */
  website_url?: string | null | undefined
  /** The country, as two capital letters. U.S. territories are not supported. */
  country_code?: string | undefined
  /**
   * The state. In the U.S., the two letters of one of the 50 states, or DC; in other countries, any
   * name. One line, without control characters. White space at the ends is removed.
   */
  state?: string | null | undefined
  /** The city. One line, without control characters. White space at the ends is removed. */
  city?: string | null | undefined
  /** The postal code. One line, without control characters. White space at the ends is removed. */
  postal_code?: string | null | undefined
  /** The street and number. One line, without control characters. White space at the ends is removed. */
  line1?: string | null | undefined
  /** A NAICS code of the edition in naics_vintage: 2 to 6 digits, or 31-33, 44-45 or 48-49. */
  naics_code?: string | null | undefined
  /** The edition of naics_code. By default it is 2022. */
  naics_vintage?: '1997' | '2002' | '2007' | '2012' | '2017' | '2022' | undefined
  /**
   * Where these facts come from. The kinds government_record and website require url. Callers who may
   * read provenance see kind and url. The note, your Workspace and you are never shown.
   */
  source?:
    | {
        /** The kind of the source. */
        kind: 'government_record' | 'website' | 'document' | 'statement' | 'other'
        /**
         * The address of the source. An http or https URL without white space, user name or password. It is
         * kept exactly as you send it.
         */
        url?: string | undefined
        /** A note on the source. May have several lines; no control characters but tabs and line breaks. */
        note?: string | undefined
      }
    | undefined
}

export interface UpdateBusinessAnswer extends Changed {
  data: BusinessRecord
  projection: 'public' | 'workspace' | (string & {})
  action_receipt: ActionReceipt
}

export interface PublishBusinessInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface PublishBusinessAnswer extends Changed {
  data: BusinessRecord
  projection: 'public' | 'workspace' | (string & {})
  action_receipt: ActionReceipt
}

export interface WithdrawBusinessInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface WithdrawBusinessAnswer extends Changed {
  data: BusinessRecord
  projection: 'public' | 'workspace' | (string & {})
  action_receipt: ActionReceipt
}

export interface ListWorkspaceBusinessesInput {
  /** The ID of the Workspace. Must equal the header SVC-Workspace-Id. */
  workspace_id: string
  /** A part of the name. White space at the ends is removed. */
  name?: string | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
  /** The page.cursor of the previous page: biz_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
}

export interface ListWorkspaceBusinessesAnswer extends Answered {
  data: WorkspaceBusiness[]
  page: Page
}

export interface LinkBusinessInput {
  /** The ID of the Workspace. Must equal the header SVC-Workspace-Id. */
  workspace_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
}

export interface LinkBusinessAnswer extends Changed {
  data: WorkspaceBusiness
  action_receipt: ActionReceipt
}

export interface UnlinkBusinessInput {
  /** The ID of the Workspace. Must equal the header SVC-Workspace-Id. */
  workspace_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
}

export interface UnlinkBusinessAnswer extends Changed {
  data: {
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    business_id: string
    removed_at: string
  }
  action_receipt: ActionReceipt
}

export interface ListObservationsInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /** What was observed: a lowercase letter, then lowercase letters, digits or _. */
  key?: string | undefined
  /** Whether to list retracted observations too. Default: false. */
  include_retracted?: boolean | undefined
  /** The page.cursor of the previous page: obs_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListObservationsAnswer extends Answered {
  data: Observation[]
  page: Page
}

export interface CreateObservationInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /** What was observed: a lowercase letter, then lowercase letters, digits or _. */
  key: string
  /** What the value was. */
  value: {
    /** The type of the value. */
    value_type: 'text' | 'number' | 'boolean' | 'date'
    /** The value, of the type in value_type. A date is a string, as YYYY-MM-DD. */
    value: string | number | boolean
  }
  /** The day on which it was observed. Must not be in the future. As YYYY-MM-DD. */
  observed_on: string
  /** Where it comes from. The kinds government_record and website require url. */
  source?:
    | {
        /** The kind of the source. */
        kind: 'government_record' | 'website' | 'document' | 'statement' | 'other'
        /**
         * The address of the source. An http or https URL without white space, user name or password. It is
         * kept exactly as you send it.
         */
        url?: string | undefined
        /** A note on the source. May have several lines; no control characters but tabs and line breaks. */
        note?: string | undefined
      }
    | undefined
}

export interface CreateObservationAnswer extends Changed {
  data: Observation
  action_receipt: ActionReceipt
}

export interface RetractObservationInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /** The ID of an observation: obs_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  observation_id: string
}

export interface RetractObservationAnswer extends Changed {
  data: Observation
  action_receipt: ActionReceipt
}

export interface GetWorkspaceProfileInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
}

export interface GetWorkspaceProfileAnswer extends Answered {
  data: {
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    business_id: string
    /** An http or https URL without credentials. The service never fetches or publishes it. */
    logo_url: string | null
    notes: string | null
    /** 0 if no profile has been saved. */
    revision: number
    updated_at: string | null
  }
}

export interface SetWorkspaceProfileInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /** The http or https URL of the logo. */
  logo_url?: string | null | undefined
  /** Notes of the Workspace. May have several lines; no control characters but tabs and line breaks. */
  notes?: string | null | undefined
  /** The revision of the profile that you read. 0 if there is none yet. */
  expected_revision: number
}

export interface SetWorkspaceProfileAnswer extends Changed {
  data: {
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    business_id: string
    /** An http or https URL without credentials. The service never fetches or publishes it. */
    logo_url: string | null
    notes: string | null
    /** 0 if no profile has been saved. */
    revision: number
    updated_at: string | null
  }
  action_receipt: ActionReceipt
}

export interface ListWorkspacesInput {
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListWorkspacesAnswer extends Answered {
  data: WorkspaceOfCaller[]
  page: Page
}

export interface CreateWorkspaceInput {
  /** The name of the Workspace. One line, without control characters. White space at the ends is removed. */
  name: string
}

export interface CreateWorkspaceAnswer extends Changed {
  workspace: Workspace
  owner_membership: Membership
  access: WorkspaceAccess
}

export interface GetWorkspaceInput {
  /** The ID of the Workspace. Must equal the header SVC-Workspace-Id. */
  workspace_id: string
}

export interface GetWorkspaceAnswer extends Answered {
  data: WorkspaceOfCaller
}

export interface UpdateWorkspaceInput {
  /** The ID of the Workspace. Must equal the header SVC-Workspace-Id. */
  workspace_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The name of the Workspace. One line, without control characters. White space at the ends is removed. */
  name?: string | undefined
  /** An object of your own. Replaces the current one. At most 16 KiB as JSON. */
  metadata?: Record<string, unknown> | undefined
  /**
   * The most bytes of content in the Workspace: stored, and promised by open uploads. At most the limit
   * of the service, which null stands for. What is there already stays.
   */
  storage_limit_bytes?: number | null | undefined
}

export interface UpdateWorkspaceAnswer extends Changed {
  data: WorkspaceOfCaller
  action_receipt: ActionReceipt
}

export interface CloseWorkspaceInput {
  /** The ID of the Workspace. Must equal the header SVC-Workspace-Id. */
  workspace_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface CloseWorkspaceAnswer extends Changed {
  data: WorkspaceOfCaller
  action_receipt: ActionReceipt
}

export type GetMeInput = Record<string, never>

export interface GetMeAnswer extends Answered {
  data: {
    user: {
      user_id: string
      email: string | null
      email_verified: boolean
      name: string | null
      is_anonymous: boolean
    }
    credential: {
      kind: 'access_token' | 'api_key' | (string & {})
      key_id: string | null
      /** The scopes of the API key. Empty for an access token. */
      scopes: (
        | 'workspace:read'
        | 'workspace:manage'
        | 'team:read'
        | 'team:manage'
        | 'api_keys:manage'
        | 'webhooks:manage'
        | 'audit:read'
        | 'businesses:read'
        | 'businesses:write'
        | 'businesses:publish'
        | 'valuations:read'
        | 'valuations:run'
        | 'valuations:claim'
        | 'rooms:read'
        | 'rooms:write'
        | 'rooms:share'
        | 'files:read'
        | 'files:write'
        | 'files:download'
        | 'lists:read'
        | 'lists:write'
        | 'list_members:read'
        | 'list_values:write'
        | 'goals:read'
        | 'goals:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'connections:read'
        | 'connections:share'
        | 'connections:use'
        | 'approvals:read'
        | 'approvals:decide'
        | 'events:read'
        | 'imports:run'
        | 'exports:run'
        | (string & {})
      )[]
    }
    memberships: {
      id: string
      workspace_id: string
      user_id: string
      role: 'owner' | 'admin' | 'member' | 'viewer' | (string & {})
      status: 'invited' | 'active' | 'removed' | (string & {})
      /** The overrides of the role: true grants a permission, false removes it. */
      permissions: Record<string, boolean>
      joined_at: string | null
      created_at: string
      workspace_name: string
      workspace_status: 'active' | 'suspended' | 'closed' | (string & {})
      access: WorkspaceAccess
      /** What this credential may do in the Workspace now. */
      effective_permissions: (
        | 'workspace:read'
        | 'workspace:manage'
        | 'team:read'
        | 'team:manage'
        | 'api_keys:manage'
        | 'webhooks:manage'
        | 'audit:read'
        | 'businesses:read'
        | 'businesses:write'
        | 'businesses:publish'
        | 'valuations:read'
        | 'valuations:run'
        | 'valuations:claim'
        | 'rooms:read'
        | 'rooms:write'
        | 'rooms:share'
        | 'files:read'
        | 'files:write'
        | 'files:download'
        | 'lists:read'
        | 'lists:write'
        | 'list_members:read'
        | 'list_values:write'
        | 'goals:read'
        | 'goals:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'connections:read'
        | 'connections:share'
        | 'connections:use'
        | 'approvals:read'
        | 'approvals:decide'
        | 'events:read'
        | 'imports:run'
        | 'exports:run'
        | (string & {})
      )[]
    }[]
    /**
     * The Rooms in which you take part, as a guest or as a member: the latest 100, as GET /v1/me/rooms
     * lists them.
     */
    rooms: RoomOfCaller[]
    /** Whether GET /v1/me/rooms has more. */
    rooms_has_more: boolean
  }
}

export interface ListMyRoomsInput {
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListMyRoomsAnswer extends Answered {
  data: RoomOfCaller[]
  page: Page
}

export type LeaveTeamInput = Record<string, never>

export interface LeaveTeamAnswer extends Changed {
  data: TeamMember
  action_receipt: ActionReceipt
}

export interface ListTeamMembersInput {
  /** Only members with this role. */
  role?: 'owner' | 'admin' | 'member' | 'viewer' | undefined
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListTeamMembersAnswer extends Answered {
  data: TeamMember[]
  page: Page
}

export interface GetTeamMemberInput {
  /** The ID of the membership. */
  membership_id: string
}

export interface GetTeamMemberAnswer extends Answered {
  data: TeamMember
}

export interface UpdateMembershipInput {
  /** The ID of the membership. */
  membership_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The new role. */
  role?: 'owner' | 'admin' | 'member' | 'viewer' | undefined
  /**
   * Replaces the overrides of the role: true grants a permission, false removes it. Owners have no
   * overrides.
   */
  permissions?:
    | {
        'workspace:read'?: boolean | undefined
        'workspace:manage'?: boolean | undefined
        'team:read'?: boolean | undefined
        'team:manage'?: boolean | undefined
        'api_keys:manage'?: boolean | undefined
        'webhooks:manage'?: boolean | undefined
        'audit:read'?: boolean | undefined
        'businesses:read'?: boolean | undefined
        'businesses:write'?: boolean | undefined
        'businesses:publish'?: boolean | undefined
        'valuations:read'?: boolean | undefined
        'valuations:run'?: boolean | undefined
        'valuations:claim'?: boolean | undefined
        'rooms:read'?: boolean | undefined
        'rooms:write'?: boolean | undefined
        'rooms:share'?: boolean | undefined
        'files:read'?: boolean | undefined
        'files:write'?: boolean | undefined
        'files:download'?: boolean | undefined
        'lists:read'?: boolean | undefined
        'lists:write'?: boolean | undefined
        'list_members:read'?: boolean | undefined
        'list_values:write'?: boolean | undefined
        'goals:read'?: boolean | undefined
        'goals:write'?: boolean | undefined
        'tasks:read'?: boolean | undefined
        'tasks:write'?: boolean | undefined
        'connections:read'?: boolean | undefined
        'connections:share'?: boolean | undefined
        'connections:use'?: boolean | undefined
        'approvals:read'?: boolean | undefined
        'approvals:decide'?: boolean | undefined
        'events:read'?: boolean | undefined
        'imports:run'?: boolean | undefined
        'exports:run'?: boolean | undefined
      }
    | undefined
}

export interface UpdateMembershipAnswer extends Changed {
  data: TeamMember
  action_receipt: ActionReceipt
}

export interface RemoveMembershipInput {
  /** The ID of the membership. */
  membership_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision?: number | undefined
}

export interface RemoveMembershipAnswer extends Changed {
  data: TeamMember
  action_receipt: ActionReceipt
}

export interface TransferOwnershipInput {
  /** The ID of the membership of the new owner. */
  membership_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface TransferOwnershipAnswer extends Changed {
  data: TeamMember
  former_owner: TeamMember
  action_receipt: ActionReceipt
}

export interface ListTeamInvitationsInput {
  /** Only invitations with this status. */
  status?: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired' | undefined
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListTeamInvitationsAnswer extends Answered {
  data: TeamInvitation[]
  page: Page
}

export interface CreateTeamInvitationInput {
  /** The address to invite. An email address: ASCII before the @; the domain may be internationalized. */
  email: string
  /** The role that the person gets. */
  role: 'admin' | 'member' | 'viewer'
}

export interface CreateTeamInvitationAnswer extends Changed {
  data: TeamInvitation
  action_receipt: ActionReceipt
}

export interface GetTeamInvitationInput {
  /** The ID of the invitation. */
  invitation_id: string
}

export interface GetTeamInvitationAnswer extends Answered {
  data: TeamInvitation
}

export interface ResendTeamInvitationInput {
  /** The ID of the invitation. */
  invitation_id: string
}

export interface ResendTeamInvitationAnswer extends Changed {
  data: TeamInvitation
  action_receipt: ActionReceipt
}

export interface RevokeTeamInvitationInput {
  /** The ID of the invitation. */
  invitation_id: string
}

export interface RevokeTeamInvitationAnswer extends Changed {
  data: TeamInvitation
  action_receipt: ActionReceipt
}

export interface AcceptInvitationInput {
  /** The token of the invitation: in the link of the mail, the text after #token=. */
  token: string
}

export interface AcceptInvitationAnswer extends Changed {
  data?: TeamInvitation
  membership?: Membership
  workspace?: Workspace
  access?: WorkspaceAccess
  participant?: RoomParticipant
  room?: Room
  action_receipt: ActionReceipt
}

export interface DeclineInvitationInput {
  /** The token of the invitation: in the link of the mail, the text after #token=. */
  token: string
}

export interface DeclineInvitationAnswer extends Changed {
  data?: TeamInvitation
  participant?: RoomParticipant
  action_receipt: ActionReceipt
}

export interface InspectInvitationInput {
  /** The token of the invitation: in the link of the mail, the text after #token=. */
  token: string
}

export interface InspectInvitationAnswer extends Answered {
  data: {
    kind: 'team' | 'room' | (string & {})
    workspace_name: string
    inviter_name: string | null
    /** The invited address, masked so that only its owner recognizes it. */
    masked_email: string
    role?: 'admin' | 'member' | 'viewer' | (string & {})
    room_title?: string
    access_level?: 'view' | 'edit' | 'full_access' | (string & {})
    status: 'pending' | 'accepted' | 'declined' | 'revoked' | 'expired' | (string & {})
    expires_at: string
  }
}

export interface ListApiKeysInput {
  /** Only keys with this status. */
  status?: 'active' | 'revoked' | 'expired' | undefined
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListApiKeysAnswer extends Answered {
  data: ApiKey[]
  page: Page
}

export interface CreateApiKeyInput {
  /** What the key is for. One line, without control characters. White space at the ends is removed. */
  name: string
  /**
   * What the key may do. You can grant only permissions that you have; if its owner loses one, so does
   * the key.
   */
  scopes: readonly (
    | 'workspace:read'
    | 'workspace:manage'
    | 'team:read'
    | 'team:manage'
    | 'webhooks:manage'
    | 'audit:read'
    | 'businesses:read'
    | 'businesses:write'
    | 'businesses:publish'
    | 'valuations:read'
    | 'valuations:run'
    | 'valuations:claim'
    | 'rooms:read'
    | 'rooms:write'
    | 'rooms:share'
    | 'files:read'
    | 'files:write'
    | 'files:download'
    | 'lists:read'
    | 'lists:write'
    | 'list_members:read'
    | 'list_values:write'
    | 'goals:read'
    | 'goals:write'
    | 'tasks:read'
    | 'tasks:write'
    | 'connections:read'
    | 'connections:share'
    | 'connections:use'
    | 'approvals:read'
    | 'events:read'
    | 'imports:run'
    | 'exports:run'
  )[]
  /** When the key expires. Must be in the future. */
  expires_at?: string | null | undefined
  /** The networks from which the key works. Null: any network. */
  allowed_cidrs?: readonly string[] | null | undefined
}

export interface CreateApiKeyAnswer extends Changed {
  data: ApiKey
  /** The full key. Shown only in this response; null in a replay. */
  secret: string | null
  action_receipt: ActionReceipt
}

export interface GetApiKeyInput {
  /** The ID of the API key. */
  key_id: string
}

export interface GetApiKeyAnswer extends Answered {
  data: ApiKey
}

export interface UpdateApiKeyInput {
  /** The ID of the API key. */
  key_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** What the key is for. One line, without control characters. White space at the ends is removed. */
  name?: string | undefined
  /**
   * What the key may do. You can grant only permissions that you have; if its owner loses one, so does
   * the key.
   */
  scopes?:
    | readonly (
        | 'workspace:read'
        | 'workspace:manage'
        | 'team:read'
        | 'team:manage'
        | 'webhooks:manage'
        | 'audit:read'
        | 'businesses:read'
        | 'businesses:write'
        | 'businesses:publish'
        | 'valuations:read'
        | 'valuations:run'
        | 'valuations:claim'
        | 'rooms:read'
        | 'rooms:write'
        | 'rooms:share'
        | 'files:read'
        | 'files:write'
        | 'files:download'
        | 'lists:read'
        | 'lists:write'
        | 'list_members:read'
        | 'list_values:write'
        | 'goals:read'
        | 'goals:write'
        | 'tasks:read'
        | 'tasks:write'
        | 'connections:read'
        | 'connections:share'
        | 'connections:use'
        | 'approvals:read'
        | 'events:read'
        | 'imports:run'
        | 'exports:run'
      )[]
    | undefined
  /** When the key expires. Must be in the future. */
  expires_at?: string | null | undefined
  /** The networks from which the key works. Null: any network. */
  allowed_cidrs?: readonly string[] | null | undefined
}

export interface UpdateApiKeyAnswer extends Changed {
  data: ApiKey
  action_receipt: ActionReceipt
}

export interface RevokeApiKeyInput {
  /** The ID of the API key. */
  key_id: string
}

export interface RevokeApiKeyAnswer extends Changed {
  data: ApiKey
  action_receipt: ActionReceipt
}

export interface RotateApiKeyInput {
  /** The ID of the API key. */
  key_id: string
  /** For how many seconds the previous secret continues to work. Default: 0. */
  overlap_seconds?: number | undefined
}

export interface RotateApiKeyAnswer extends Changed {
  data: ApiKey
  /** The full key. Shown only in this response; null in a replay. */
  secret: string | null
  action_receipt: ActionReceipt
}

export interface GetCommandInput {
  /** The Idempotency-Key of the change. */
  idempotency_key: string
}

export interface GetCommandAnswer extends Answered {
  status: 'in_progress' | 'committed' | 'unknown' | (string & {})
  operation: string | null
  receipt: ActionReceipt | null
  resource: { type: string; id: string } | null
}

export interface ListListsInput {
  /** Only Lists with this status. */
  lifecycle_status?: 'active' | 'restricted' | 'archived' | undefined
  /** A part of the name. Case is ignored. */
  name?: string | undefined
  /** Whether to show archived columns too, with archived_at. Default: false. */
  include_archived?: boolean | undefined
  /** The page.cursor of the previous page: list_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListListsAnswer extends Answered {
  data: List[]
  page: Page
}

export interface CreateListInput {
  /** The name of the List. One line, without control characters. White space at the ends is removed. */
  name: string
  /** A description of the List. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /** The whole definition: which Businesses are members. */
  definition: {
    /** The version of the grammar. */
    schema_version: 'svc.list.v1'
    /** What the members are. It cannot change after creation. */
    subject_type: 'business'
    /**
     * Which Businesses are members: `{kind: "field", field, operator, value}`, `{kind: "and" | "or",
     * rules: [1 to 20 rules]}`, `{kind: "not", rule}`, `{kind: "all"}` or `{kind: "none"}`, at most 5
     * levels deep and with at most 100 rules of the kinds field, all and none, in at most 64 KiB of JSON.
     * `field` is a field of the Business search projection, or `observations.` and the key of an
     * observation of the Workspace. Operators of text: eq, neq, in, not_in, contains, starts_with; of
     * dates: eq, before, after, between, within_last (an ISO 8601 duration such as P5Y); of numbers: eq,
     * neq, gt, gte, lt, lte, between; of booleans: eq; of naics_code also naics with {code, vintage}; of
     * all: is_set, is_not_set (value null). in and not_in take an array of 1 to 100 items, between takes
     * [from, to], both included. A fact that is missing or that you cannot see makes every field false,
     * except is_not_set.
     */
    rule: object
  }
  /** The columns, in their order. */
  columns?:
    | readonly {
        /** The name of the column. One line, without control characters. White space at the ends is removed. */
        name: string
        /** The type of its values. It cannot change. */
        value_type: 'text' | 'number' | 'boolean' | 'date'
      }[]
    | undefined
}

export interface CreateListAnswer extends Changed {
  data: List
  action_receipt: ActionReceipt
}

export interface GetListInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** Whether to show archived columns too, with archived_at. Default: false. */
  include_archived?: boolean | undefined
}

export interface GetListAnswer extends Answered {
  data: List
}

export interface UpdateListInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
  /** The name of the List. One line, without control characters. White space at the ends is removed. */
  name?: string | undefined
  /** A description of the List. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /** The whole definition: which Businesses are members. */
  definition?:
    | {
        /** The version of the grammar. */
        schema_version: 'svc.list.v1'
        /** What the members are. It cannot change after creation. */
        subject_type: 'business'
        /**
         * Which Businesses are members: `{kind: "field", field, operator, value}`, `{kind: "and" | "or",
         * rules: [1 to 20 rules]}`, `{kind: "not", rule}`, `{kind: "all"}` or `{kind: "none"}`, at most 5
         * levels deep and with at most 100 rules of the kinds field, all and none, in at most 64 KiB of JSON.
         * `field` is a field of the Business search projection, or `observations.` and the key of an
         * observation of the Workspace. Operators of text: eq, neq, in, not_in, contains, starts_with; of
         * dates: eq, before, after, between, within_last (an ISO 8601 duration such as P5Y); of numbers: eq,
         * neq, gt, gte, lt, lte, between; of booleans: eq; of naics_code also naics with {code, vintage}; of
         * all: is_set, is_not_set (value null). in and not_in take an array of 1 to 100 items, between takes
         * [from, to], both included. A fact that is missing or that you cannot see makes every field false,
         * except is_not_set.
         */
        rule: object
      }
    | undefined
}

export interface UpdateListAnswer extends Changed {
  data: List
  action_receipt: ActionReceipt
}

export interface ArchiveListInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
}

export interface ArchiveListAnswer extends Changed {
  data: List
  action_receipt: ActionReceipt
}

export interface RestoreListInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
}

export interface RestoreListAnswer extends Changed {
  data: List
  action_receipt: ActionReceipt
}

export interface PreviewListInput {
  /** The whole definition: which Businesses are members. */
  definition: {
    /** The version of the grammar. */
    schema_version: 'svc.list.v1'
    /** What the members are. It cannot change after creation. */
    subject_type: 'business'
    /**
     * Which Businesses are members: `{kind: "field", field, operator, value}`, `{kind: "and" | "or",
     * rules: [1 to 20 rules]}`, `{kind: "not", rule}`, `{kind: "all"}` or `{kind: "none"}`, at most 5
     * levels deep and with at most 100 rules of the kinds field, all and none, in at most 64 KiB of JSON.
     * `field` is a field of the Business search projection, or `observations.` and the key of an
     * observation of the Workspace. Operators of text: eq, neq, in, not_in, contains, starts_with; of
     * dates: eq, before, after, between, within_last (an ISO 8601 duration such as P5Y); of numbers: eq,
     * neq, gt, gte, lt, lte, between; of booleans: eq; of naics_code also naics with {code, vintage}; of
     * all: is_set, is_not_set (value null). in and not_in take an array of 1 to 100 items, between takes
     * [from, to], both included. A fact that is missing or that you cannot see makes every field false,
     * except is_not_set.
     */
    rule: object
  }
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id?: string | undefined
}

export interface PreviewListAnswer extends Answered {
  data: {
    /** How many Businesses would be members. */
    matched: number
    matched_status: 'exact' | 'estimated' | (string & {})
    /** The first members by ID, at most 20. */
    sample: ListEntry[]
    /** How many would become members. Null without list_id, or if unknown. */
    added: number | null
    /** How many would cease to be members. Null without list_id, or if unknown. */
    removed: number | null
    as_of: string
    /** Parts of the rule that may match more or less than they seem to. */
    notes: { pointer: string; detail: string }[]
  }
}

export interface CountListInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
}

export interface CountListAnswer extends Changed {
  data: List
}

export interface CreateListColumnInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** The name of the column. One line, without control characters. White space at the ends is removed. */
  name: string
  /** The type of its values. It cannot change. */
  value_type: 'text' | 'number' | 'boolean' | 'date'
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
}

export interface CreateListColumnAnswer extends Changed {
  data: {
    column_id: string
    name: string
    value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {})
    /** From 0, without gaps. Null if the column is archived. */
    position: number | null
    /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    list_id: string
    /** The version of the List now. */
    version: number
  }
  action_receipt: ActionReceipt
}

export interface UpdateListColumnInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** The ID of the column. */
  column_id: string
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
  /** The name of the column. One line, without control characters. White space at the ends is removed. */
  name?: string | undefined
  /** The new position, from 0. A position after the last one means the last one. */
  position?: number | undefined
}

export interface UpdateListColumnAnswer extends Changed {
  data: {
    column_id: string
    name: string
    value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {})
    /** From 0, without gaps. Null if the column is archived. */
    position: number | null
    /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    list_id: string
    /** The version of the List now. */
    version: number
  }
  action_receipt: ActionReceipt
}

export interface ArchiveListColumnInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** The ID of the column. */
  column_id: string
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
}

export interface ArchiveListColumnAnswer extends Changed {
  data: {
    /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    list_id: string
    /** The version of the List now. */
    version: number
    column_id: string
    archived: boolean
  }
  action_receipt: ActionReceipt
}

export interface RestoreListColumnInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** The ID of the column. */
  column_id: string
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
}

export interface RestoreListColumnAnswer extends Changed {
  data: {
    column_id: string
    name: string
    value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {})
    /** From 0, without gaps. Null if the column is archived. */
    position: number | null
    /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    list_id: string
    /** The version of the List now. */
    version: number
  }
  action_receipt: ActionReceipt
}

export interface ListListEntriesInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /**
   * Only the values of these columns. By default, of all columns. Columns that are archived, or that the
   * List does not have, are left out.
   */
  column_ids?: readonly string[] | undefined
  /** Facts of each Business to return in business. By default none. */
  fields?:
    | readonly (
        | 'id'
        | 'name'
        | 'publication_status'
        | 'status'
        | 'closed_on'
        | 'description'
        | 'founded_on'
        | 'primary_classification_id'
        | 'primary_location_id'
        | 'published_at'
        | 'public_email'
        | 'public_phone'
        | 'website_url'
        | 'country_code'
        | 'state'
        | 'city'
        | 'naics_code'
        | 'naics_vintage'
        | 'naics_title'
      )[]
    | undefined
  /** Only members by the rule, or only those that are members by an override alone. */
  source?: 'rule' | 'override' | undefined
  /**
   * name or the ID of a column; with - before it, descending. Entries without a value come last in both
   * directions, and ties are sorted by ID. Names and texts are sorted without regard to case, false
   * before true, and texts by their first 200 characters. At most 10,000 members can be sorted; if
   * filter leaves more, the answer is unprocessable_content.
   */
  sort?: string | undefined
  /**
   * A JSON document: {"column_id", "operator", "value"} or {"and": [1 to 10 of them]}. The operators are
   * those of rules, by the type of the column, and is_set and is_not_set without a value. Texts are
   * compared without regard to case. A column that is archived, or that the List does not have, is an
   * error.
   */
  filter?: string | undefined
  /** The page.cursor of the previous page: the ID of a Business or, with sort, an opaque text. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListListEntriesAnswer extends Answered {
  data: ListEntry[]
  page: Page
  /** The version of the List. */
  version: number
  /** The moment at which the rule was evaluated. */
  as_of: string
}

export interface GetListEntryInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  member_id: string
  /**
   * Only the values of these columns. By default, of all columns. Columns that are archived, or that the
   * List does not have, are left out.
   */
  column_ids?: readonly string[] | undefined
  /** Facts of each Business to return in business. By default none. */
  fields?:
    | readonly (
        | 'id'
        | 'name'
        | 'publication_status'
        | 'status'
        | 'closed_on'
        | 'description'
        | 'founded_on'
        | 'primary_classification_id'
        | 'primary_location_id'
        | 'published_at'
        | 'public_email'
        | 'public_phone'
        | 'website_url'
        | 'country_code'
        | 'state'
        | 'city'
        | 'naics_code'
        | 'naics_vintage'
        | 'naics_title'
      )[]
    | undefined
}

export interface GetListEntryAnswer extends Answered {
  data: ListEntry
  /** The version of the List. */
  version: number
  /** The moment at which the rule was evaluated. */
  as_of: string
}

export interface ListListOverridesInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** Only overrides with this mode. */
  mode?: 'include' | 'exclude' | undefined
  /** The page.cursor of the previous page: biz_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListListOverridesAnswer extends Answered {
  data: {
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    member_id: string
    mode: 'include' | 'exclude' | (string & {}) | null
    reason: string | null
    expires_at: string | null
    /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    list_id: string
    /** The user who set it. */
    set_by: string
    set_at: string
  }[]
  page: Page
}

export interface SetListOverrideInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  member_id: string
  /** What the override does, or null to remove it. */
  mode: 'include' | 'exclude' | null
  /** Why it was set. May have several lines; no control characters but tabs and line breaks. */
  reason?: string | null | undefined
  /** When the override ends. Must be in the future. */
  expires_at?: string | null | undefined
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
}

export interface SetListOverrideAnswer extends Changed {
  data: {
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    member_id: string
    mode: 'include' | 'exclude' | (string & {}) | null
    reason: string | null
    expires_at: string | null
    /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    list_id: string
    /** The version of the List now. */
    version: number
  }
  action_receipt: ActionReceipt
}

export interface SetListEntryValueInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  member_id: string
  /** The ID of the column. */
  column_id: string
  /** The value, or null to clear it. */
  value: {
    /** The type of the column. */
    value_type: 'text' | 'number' | 'boolean' | 'date'
    /** The value, of the type in value_type. A date is a string, as YYYY-MM-DD. */
    value: string | number | boolean
  } | null
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
}

export interface SetListEntryValueAnswer extends Changed {
  data: {
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    member_id: string
    column_id: string
    value: {
      value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {})
      value: string | number | boolean
    } | null
    projection: 'public' | 'workspace' | (string & {})
    /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    list_id: string
    /** The version of the List now. */
    version: number
  }
  action_receipt: ActionReceipt
}

export interface ListListEntryValueHistoryInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  member_id: string
  /** The ID of the column. */
  column_id: string
  /** The page.cursor of the previous page: a version of the List. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListListEntryValueHistoryAnswer extends Answered {
  data: {
    value: {
      value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {})
      value: string | number | boolean
    } | null
    author: Actor
    via: {
      kind: 'app' | 'agent' | 'api_key' | (string & {})
      name: string | null
      client_id: string | null
    } | null
    written_at: string
    /** The version of the List that the change made. */
    version: number
  }[]
  page: Page
}

export interface SetListEntryValuesInput {
  /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  list_id: string
  /**
   * The version that you read. If the List has another version now, nothing changes and the answer is
   * revision_conflict.
   */
  expected_version: number
  /** The values to set. */
  values: readonly {
    /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    member_id: string
    /** The ID of the column. */
    column_id: string
    /** The value, or null to clear it. */
    value: {
      /** The type of the column. */
      value_type: 'text' | 'number' | 'boolean' | 'date'
      /** The value, of the type in value_type. A date is a string, as YYYY-MM-DD. */
      value: string | number | boolean
    } | null
  }[]
}

export interface SetListEntryValuesAnswer extends Changed {
  data: {
    /** The ID of a List: list_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    list_id: string
    /** The version of the List now. */
    version: number
    values: {
      /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
      member_id: string
      column_id: string
      value: {
        value_type: 'text' | 'number' | 'boolean' | 'date' | (string & {})
        value: string | number | boolean
      } | null
      projection: 'public' | 'workspace' | (string & {})
    }[]
  }
  action_receipt: ActionReceipt
}

export interface ListRoomsInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  parent_room_id?: string | undefined
  /** Only Rooms with this status. */
  status?: 'active' | 'archived' | undefined
  /** A part of the title. Case is ignored. */
  title?: string | undefined
  /** The page.cursor of the previous page: rom_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListRoomsAnswer extends Answered {
  data: Room[]
  page: Page
}

export interface CreateRoomInput {
  /** The title of the Room. One line, without control characters. White space at the ends is removed. */
  title: string
  /** What the Room is for. */
  purpose?: string | null | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  parent_room_id?: string | undefined
}

export interface CreateRoomAnswer extends Changed {
  room: Room
  action_receipt: ActionReceipt
}

export interface GetRoomInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
}

export interface GetRoomAnswer extends Answered {
  room: Room
}

export interface UpdateRoomInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The title of the Room. One line, without control characters. White space at the ends is removed. */
  title?: string | undefined
  /** What the Room is for. */
  purpose?: string | null | undefined
  /**
   * Who can open the Room besides its participants. Only a Room with a Business can have the value
   * business.
   */
  general_access?: 'invited_only' | 'business' | 'workspace' | undefined
  /** The level that general access gives. By default it is view. Not allowed with invited_only. */
  general_access_level?: 'view' | 'edit' | undefined
  /** With managers, participants from outside the Workspace do not see each other. */
  participant_visibility?: 'everyone' | 'managers' | undefined
  /**
   * Who sees the Files that guests without full access bring into the Room. With uploader, only the
   * guest who brought a File and those with full access to the Room, until one of these sets the
   * access_mode of the RoomFile to inherit_room or grants a permission on it; and guests change only
   * Files that they brought themselves. Until you choose, it is uploader if participant_visibility is
   * managers, and otherwise everyone. It applies at once to Files that are there already.
   */
  guest_files?: 'uploader' | 'everyone' | undefined
}

export interface UpdateRoomAnswer extends Changed {
  room: Room
  action_receipt: ActionReceipt
}

export interface ArchiveRoomInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface ArchiveRoomAnswer extends Changed {
  room: Room
  action_receipt: ActionReceipt
}

export interface RestoreRoomInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface RestoreRoomAnswer extends Changed {
  room: Room
  action_receipt: ActionReceipt
}

export interface GetRoomAccessInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the user. By default it is yours. */
  user_id?: string | undefined
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id?: string | undefined
}

export interface GetRoomAccessAnswer extends Answered {
  user_id: string
  effective_level: 'view' | 'edit' | 'full_access' | (string & {}) | null
  reasons: {
    source:
      | 'participant'
      | 'general_access_business'
      | 'general_access_workspace'
      | 'permission'
      | (string & {})
    level: 'view' | 'edit' | 'full_access' | (string & {})
    /**
     * With room_file_id: whether it gives access to the File. What does not open a restricted File, or one
     * that has left the Room, does not count.
     */
    counts?: boolean
  }[]
}

export interface AttachRoomResourceInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  resource_type: 'business' | 'list'
  /** The ID of the Business (biz_) or the List (list_). */
  resource_id: string
}

export interface AttachRoomResourceAnswer extends Changed {
  room: Room
  action_receipt: ActionReceipt
}

export interface DetachRoomResourceInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the attachment. */
  attachment_id: string
}

export interface DetachRoomResourceAnswer extends Changed {
  room: Room
  action_receipt: ActionReceipt
}

export interface BreakGlassInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** Why you need access. Everybody in the Room can read it. */
  reason: string
}

export interface BreakGlassAnswer extends Changed {
  participant: RoomParticipant
  action_receipt: ActionReceipt
}

export interface LeaveRoomInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
}

export interface LeaveRoomAnswer extends Changed {
  participant: RoomParticipant
  action_receipt: ActionReceipt
}

export interface ListParticipantsInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The next_cursor of the previous page. */
  after?: string | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListParticipantsAnswer extends Answered {
  participants: RoomParticipant[]
  has_more: boolean
  /** Pass it as after to get the next page. Null at the end of the list. */
  next_cursor: string | null
}

export interface GetParticipantInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the participant. */
  participant_id: string
}

export interface GetParticipantAnswer extends Answered {
  participant: RoomParticipant
}

export interface UpdateParticipantInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the participant. */
  participant_id: string
  /** The access level to grant. It cannot be higher than yours. */
  access_level: 'view' | 'edit' | 'full_access'
}

export interface UpdateParticipantAnswer extends Changed {
  participant: RoomParticipant
  action_receipt: ActionReceipt
}

export interface RevokeParticipantInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the participant. */
  participant_id: string
}

export interface RevokeParticipantAnswer extends Changed {
  participant: RoomParticipant
  action_receipt: ActionReceipt
}

export interface InviteParticipantInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The address to invite. An email address: ASCII before the @; the domain may be internationalized. */
  email: string
  /** The access level to grant. It cannot be higher than yours. */
  access_level: 'view' | 'edit' | 'full_access'
  /** When the access ends. Must be in the future. By default it does not end. */
  expires_at?: string | undefined
  /** Whether the participant may download Files. Default: true. */
  can_download?: boolean | undefined
  /** A message for the mail. It is shown as one paragraph. */
  message?: string | undefined
}

export interface InviteParticipantAnswer extends Changed {
  participant: RoomParticipant
  action_receipt: ActionReceipt
}

export interface ResendInvitationInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the participant. */
  participant_id: string
}

export interface ResendInvitationAnswer extends Changed {
  participant: RoomParticipant
  action_receipt: ActionReceipt
}

export interface ListFilesInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /** Only Files with this classification. */
  classification?:
    | 'financial'
    | 'tax'
    | 'legal'
    | 'corporate'
    | 'commercial'
    | 'operations'
    | 'hr'
    | 'ip'
    | 'property'
    | 'insurance'
    | 'compliance'
    | 'valuation'
    | 'other'
    | undefined
  /** Only Files with this tag. */
  tag?: string | undefined
  /** Only Files in this state. By default, active and archived ones. */
  lifecycle?: 'active' | 'archived' | undefined
  /** A part of the name. Case is ignored. */
  name?: string | undefined
  /** Only Files whose current version has this status. */
  processing_status?: 'pending_upload' | 'processing' | 'ready' | 'failed' | undefined
  /** The page.cursor of the previous page: fil_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListFilesAnswer extends Answered {
  data: File[]
  page: Page
}

export interface GetFileInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
}

export interface GetFileAnswer extends Answered {
  file: File
}

export interface UpdateFileInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /**
   * The name of the File, with its extension. One line, without slashes, backslashes or control
   * characters. White space at the ends is removed.
   */
  name?: string | undefined
  /** A description of the File. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /** What the File is about. */
  classification?:
    | 'financial'
    | 'tax'
    | 'legal'
    | 'corporate'
    | 'commercial'
    | 'operations'
    | 'hr'
    | 'ip'
    | 'property'
    | 'insurance'
    | 'compliance'
    | 'valuation'
    | 'other'
    | undefined
  /** At most 20 different tags. */
  tags?: readonly string[] | undefined
}

export interface UpdateFileAnswer extends Changed {
  file: File
  action_receipt: ActionReceipt
}

export interface ArchiveFileInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface ArchiveFileAnswer extends Changed {
  file: File
  action_receipt: ActionReceipt
}

export interface RestoreFileInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface RestoreFileAnswer extends Changed {
  file: File
  action_receipt: ActionReceipt
}

export interface CreateTextFileInput {
  /**
   * The name of the File, with its extension. One line, without slashes, backslashes or control
   * characters. White space at the ends is removed.
   */
  name: string
  /** The text: at most 1 MiB in UTF-8, without NUL characters. It may be empty. */
  content: string
  /** The format of the text. By default it is markdown. JSON must be valid. */
  format?: 'markdown' | 'plain_text' | 'csv' | 'tsv' | 'json' | undefined
  /** A description of the File. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /** What the File is about. By default it is other. */
  classification?:
    | 'financial'
    | 'tax'
    | 'legal'
    | 'corporate'
    | 'commercial'
    | 'operations'
    | 'hr'
    | 'ip'
    | 'property'
    | 'insurance'
    | 'compliance'
    | 'valuation'
    | 'other'
    | undefined
  /** At most 20 different tags. */
  tags?: readonly string[] | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /**
   * The place of the File in the index of the Room: names separated by slashes, of which the last is its
   * own. By default it is the name of the File.
   */
  index_path?: string | undefined
}

export interface CreateTextFileAnswer extends Changed {
  file: File
  new_version: FileVersion
  room_file?: RoomFile
  action_receipt: ActionReceipt
}

export interface ReadFileContentInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id?: string | undefined
  /** The first byte to read. In text, it must be the first byte of a character. Default: 0. */
  offset?: number | undefined
  /** The longest page, in bytes. Default: 262144. */
  max_bytes?: number | undefined
}

export interface ReadFileContentAnswer extends Answered {
  file_content: {
    /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    file_id: string
    /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    file_version_id: string
    file_name: string
    content_type: string
    encoding: 'utf8' | 'base64' | (string & {})
    content: string
    /** The bytes of the content in this page. */
    size_bytes: number
    total_bytes: number
    offset: number
    /** The offset of the next page; total_bytes at the end. */
    next_offset: number
    has_more: boolean
  }
}

export interface GetFileTextInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id?: string | undefined
  /** The number of the page. Default: 1. */
  page?: number | undefined
}

export interface GetFileTextAnswer extends Answered {
  data: {
    /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
    file_version_id: string
    page: number
    /** Empty if there is no such page. */
    text: string
    has_more: boolean
    extraction: { status: 'ready' | 'pending' | 'none' | 'failed' | (string & {}); pages: number }
  }
}

export interface CreateFileUploadInput {
  /**
   * The name of the File, with its extension. One line, without slashes, backslashes or control
   * characters. White space at the ends is removed.
   */
  name: string
  /** The media type of the content, without parameters. The content must not contradict it. */
  content_type: string
  /** The size of the whole content in bytes: at most 5 GiB. */
  size_bytes: number
  /** The SHA-256 of the whole content, in lower-case hex. The stored content must have it. */
  sha256?: string | undefined
  /** A description of the File. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /** What the File is about. By default it is other. */
  classification?:
    | 'financial'
    | 'tax'
    | 'legal'
    | 'corporate'
    | 'commercial'
    | 'operations'
    | 'hr'
    | 'ip'
    | 'property'
    | 'insurance'
    | 'compliance'
    | 'valuation'
    | 'other'
    | undefined
  /** At most 20 different tags. */
  tags?: readonly string[] | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /**
   * The place of the File in the index of the Room: names separated by slashes, of which the last is its
   * own. By default it is the name of the File.
   */
  index_path?: string | undefined
}

export interface CreateFileUploadAnswer extends Changed {
  file: File
  new_version: FileVersion
  upload: Upload
  room_file?: RoomFile
  action_receipt: ActionReceipt
}

export interface AddFileVersionInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The size of the whole content in bytes: at most 5 GiB. */
  size_bytes: number
  /** The SHA-256 of the whole content, in lower-case hex. The stored content must have it. */
  sha256?: string | undefined
  /** The media type of the content, without parameters. The content must not contradict it. */
  content_type?: string | undefined
}

export interface AddFileVersionAnswer extends Changed {
  file: File
  new_version: FileVersion
  upload: Upload
  action_receipt: ActionReceipt
}

export interface ListUploadsInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id?: string | undefined
  /** Only uploads with this status. */
  status?: 'open' | 'completed' | 'aborted' | 'expired' | undefined
  /** The page.cursor of the previous page: upl_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListUploadsAnswer extends Answered {
  data: Upload[]
  page: Page
}

export interface GetUploadInput {
  /** The ID of an upload: upl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  upload_id: string
}

export interface GetUploadAnswer extends Answered {
  upload: Upload
}

export interface AbortUploadInput {
  /** The ID of an upload: upl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  upload_id: string
}

export interface AbortUploadAnswer extends Changed {
  file: File
  new_version: FileVersion
  upload: Upload
  action_receipt: ActionReceipt
}

export interface CompleteUploadInput {
  /** The ID of an upload: upl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  upload_id: string
  /** The SHA-256 of the whole content, in lower-case hex. The stored content must have it. */
  sha256?: string | undefined
}

export interface CompleteUploadAnswer extends Changed {
  file: File
  new_version: FileVersion
  upload: Upload
  action_receipt: ActionReceipt
}

export interface UploadContentInput {
  /** The ID of an upload: upl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  upload_id: string
  /** The content in base64, at most 4 MiB decoded. It must have the size of the upload. */
  content: string
}

export interface UploadContentAnswer extends Changed {
  upload: Upload
}

export interface CreatePartUrlsInput {
  /** The ID of an upload: upl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  upload_id: string
  /** The numbers of the parts, which count from 1. */
  part_numbers: readonly number[]
}

export interface CreatePartUrlsAnswer extends Answered {
  parts: {
    part_number: number
    method: 'PUT' | (string & {})
    url: string
    /** The headers to send with the part. */
    headers: Record<string, string>
    /** The size that the part must have. */
    size_bytes: number
    expires_at: string
  }[]
}

export interface GetWorkspaceUsageInput {
  /** The ID of the Workspace. Must equal the header SVC-Workspace-Id. */
  workspace_id: string
}

export interface GetWorkspaceUsageAnswer extends Answered {
  data: {
    /** The bytes of the content that is stored. */
    stored_bytes: number
    /** The bytes of open uploads. */
    promised_bytes: number
    /** The lower of the limits of the service and of the Workspace. Null without one. */
    limit_bytes: number | null
    /** The number of Files, archived ones included. */
    files: number
    /**
     * The Rooms that you can see, those with the most bytes first, at most 100. A File counts in each Room
     * that has it. The last item has room_id null: all Files that are in none of these Rooms. It is the
     * only item if more than 50,000 Files are in Rooms.
     */
    by_room: {
      /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
      room_id: string | null
      title: string | null
      stored_bytes: number
      files: number
    }[]
  }
}

export interface ListFileVersionsInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The page.cursor of the previous page: fvr_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListFileVersionsAnswer extends Answered {
  data: FileVersion[]
  page: Page
}

export interface GetFileVersionInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id: string
}

export interface GetFileVersionAnswer extends Answered {
  data: FileVersion
}

export interface RestoreFileVersionInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface RestoreFileVersionAnswer extends Changed {
  file: File
  new_version: FileVersion
  action_receipt: ActionReceipt
}

export interface RetryFileVersionInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface RetryFileVersionAnswer extends Changed {
  file: File
  new_version: FileVersion
  action_receipt: ActionReceipt
}

export interface DownloadFileInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id?: string | undefined
}

export interface CreateDownloadLinkInput {
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id?: string | undefined
  /** How long the link is valid. Default: 300. */
  ttl_seconds?: number | undefined
}

export interface CreateDownloadLinkAnswer extends Changed {
  /** Shown only in this response; null in a replay. */
  url: string | null
  expires_at: string
  action_receipt: ActionReceipt
}

export interface GetRoomFileInput {
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
}

export interface GetRoomFileAnswer extends Answered {
  room_file: RoomFile
}

export interface UpdateRoomFileInput {
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /**
   * The place of the File in the index of the Room: names separated by slashes, of which the last is its
   * own. By default it is the name of the File.
   */
  index_path?: string | undefined
  /**
   * The name of the File, with its extension. One line, without slashes, backslashes or control
   * characters. White space at the ends is removed.
   */
  display_name?: string | null | undefined
  /** Removes the restriction. To restrict a File, grant a permission on it. */
  access_mode?: 'inherit_room' | undefined
}

export interface UpdateRoomFileAnswer extends Changed {
  room_file: RoomFile
  action_receipt: ActionReceipt
}

export interface ArchiveRoomFileInput {
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface ArchiveRoomFileAnswer extends Changed {
  room_file: RoomFile
  action_receipt: ActionReceipt
}

export interface RestoreRoomFileInput {
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
}

export interface RestoreRoomFileAnswer extends Changed {
  room_file: RoomFile
  action_receipt: ActionReceipt
}

export interface ListRoomFilesInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** Only Files with this status. By default, pending and active. */
  status?: 'pending' | 'active' | 'archived' | undefined
  /** Only Files below this place in the index, which is a path without a slash at its end. */
  under?: string | undefined
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListRoomFilesAnswer extends Answered {
  data: RoomFile[]
  page: Page
}

export interface AttachRoomFileInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /**
   * The place of the File in the index of the Room: names separated by slashes, of which the last is its
   * own. By default it is the name of the File.
   */
  index_path?: string | undefined
}

export interface AttachRoomFileAnswer extends Changed {
  room_file: RoomFile
  action_receipt: ActionReceipt
}

export interface ListRoomFilePermissionsInput {
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListRoomFilePermissionsAnswer extends Answered {
  data: RoomFilePermission[]
  page: Page
}

export interface SetRoomFilePermissionInput {
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
  /** The ID of the user. */
  user_id: string
  /** The level to grant. */
  access_level: 'view' | 'edit' | 'full_access'
}

export interface SetRoomFilePermissionAnswer extends Changed {
  permission: RoomFilePermission
  /** How many people who could open the File in this Room no longer can. */
  affected_participants: number
  action_receipt: ActionReceipt
}

export interface RevokeRoomFilePermissionInput {
  /** The ID of a Room file: rfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_file_id: string
  /** The ID of the permission. */
  permission_id: string
}

export interface RevokeRoomFilePermissionAnswer extends Changed {
  permission: RoomFilePermission
  action_receipt: ActionReceipt
}

export interface ListGoalsInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /** Only Goals with this status. */
  status?: 'active' | 'completed' | 'canceled' | undefined
  /** Only Goals for which this user answers: me, or the ID of a user. */
  accountable_user_id?: string | undefined
  /** Only Goals that are due before this time. */
  due_before?: string | undefined
  /** The page.cursor of the previous page: gol_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListGoalsAnswer extends Answered {
  data: Goal[]
  page: Page
}

export interface CreateGoalInput {
  /** The title of the Goal. One line, without control characters. White space at the ends is removed. */
  title: string
  /** What the Goal is about. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | null | undefined
  /**
   * Who answers for the Goal: a user who can open its Room or, without a Room, a member of the Workspace
   * who may read Goals.
   */
  accountable_user_id?: string | null | undefined
  /** By when it should be reached. */
  due_at?: string | null | undefined
  /** How progress is measured. It replaces the whole metric. */
  metric?:
    | {
        /** What is measured. One line, without control characters. White space at the ends is removed. */
        name: string
        /** The unit. One line, without control characters. White space at the ends is removed. */
        unit?: string | null | undefined
        /** The value at the beginning. A decimal number as a string. */
        start?: string | null | undefined
        /** The value to reach. A decimal number as a string. */
        target: string
        source: {
          /**
           * manual: the value is what current says. list_count: it is the number of members of a List.
           * valuation: it is the point of the conclusion of a completed valuation.
           */
          type: 'manual' | 'list_count' | 'valuation'
          /**
           * The ID of the List or of the valuation. Required for list_count and valuation, and not allowed for
           * manual.
           */
          id?: string | null | undefined
        }
        /** The current value. Only for the source manual. A decimal number as a string. */
        current?: string | null | undefined
      }
    | null
    | undefined
}

export interface CreateGoalAnswer extends Changed {
  data: Goal
  receipt: ActionReceipt
}

export interface GetGoalInput {
  /** The ID of a Goal: gol_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  goal_id: string
}

export interface GetGoalAnswer extends Answered {
  data: Goal
}

export interface UpdateGoalInput {
  /** The ID of a Goal: gol_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  goal_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The title of the Goal. One line, without control characters. White space at the ends is removed. */
  title?: string | undefined
  /** What the Goal is about. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
  /**
   * Who answers for the Goal: a user who can open its Room or, without a Room, a member of the Workspace
   * who may read Goals.
   */
  accountable_user_id?: string | null | undefined
  /** By when it should be reached. Null: no date. */
  due_at?: string | null | undefined
  /** How progress is measured. It replaces the whole metric. */
  metric?:
    | {
        /** What is measured. One line, without control characters. White space at the ends is removed. */
        name: string
        /** The unit. One line, without control characters. White space at the ends is removed. */
        unit?: string | null | undefined
        /** The value at the beginning. A decimal number as a string. */
        start?: string | null | undefined
        /** The value to reach. A decimal number as a string. */
        target: string
        source: {
          /**
           * manual: the value is what current says. list_count: it is the number of members of a List.
           * valuation: it is the point of the conclusion of a completed valuation.
           */
          type: 'manual' | 'list_count' | 'valuation'
          /**
           * The ID of the List or of the valuation. Required for list_count and valuation, and not allowed for
           * manual.
           */
          id?: string | null | undefined
        }
        /** The current value. Only for the source manual. A decimal number as a string. */
        current?: string | null | undefined
      }
    | null
    | undefined
  /** How the Goal ends. */
  status?: 'completed' | 'canceled' | undefined
  /** The reason. May have several lines; no control characters but tabs and line breaks. */
  terminal_reason?: string | undefined
}

export interface UpdateGoalAnswer extends Changed {
  data: Goal
  receipt: ActionReceipt
}

export interface ReopenGoalInput {
  /** The ID of a Goal: gol_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  goal_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The reason. May have several lines; no control characters but tabs and line breaks. */
  reason: string
}

export interface ReopenGoalAnswer extends Changed {
  data: Goal
  receipt: ActionReceipt
}

export interface ListTasksInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The ID of a Goal: gol_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  goal_id?: string | undefined
  /** Only Tasks assigned to this user: me, or the ID of a user. */
  assignee?: string | undefined
  /** Only Tasks with this status. */
  status?: 'open' | 'in_progress' | 'blocked' | 'done' | 'canceled' | undefined
  /** Only Tasks of this kind. */
  kind?: 'task' | 'question' | 'evidence_request' | undefined
  /** Only Tasks with this priority. */
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** Only Tasks that are due before this time. */
  due_before?: string | undefined
  /** Only unfinished Tasks whose due_at has passed, or only all others. */
  overdue?: boolean | undefined
  /** The page.cursor of the previous page: tsk_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListTasksAnswer extends Answered {
  data: Task[]
  page: Page
}

export interface CreateTaskInput {
  /** The title of the Task. One line, without control characters. White space at the ends is removed. */
  title: string
  /** What is to be done. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /**
   * The part of a request list that the Task belongs to. One line, without control characters. White
   * space at the ends is removed.
   */
  section?: string | null | undefined
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | null | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
  /** The ID of a Goal: gol_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  goal_id?: string | null | undefined
  /**
   * To whom the Task is assigned: a user who can open its Room or, without a Room, a member of the
   * Workspace who may read Tasks.
   */
  assignee_user_id?: string | null | undefined
  /** By when it should be done. */
  due_at?: string | null | undefined
  /** By default none. */
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** By default task. It cannot change. */
  kind?: 'task' | 'question' | 'evidence_request' | undefined
  /** Whether a File is needed to complete the Task. Always true for an evidence_request. */
  requires_evidence?: boolean | undefined
}

export interface CreateTaskAnswer extends Changed {
  data: Task
  receipt: ActionReceipt
}

export interface GetTaskInput {
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
}

export interface GetTaskAnswer extends Answered {
  data: Task
}

export interface UpdateTaskInput {
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The title of the Task. One line, without control characters. White space at the ends is removed. */
  title?: string | undefined
  /** What is to be done. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
  /**
   * The part of a request list that the Task belongs to. One line, without control characters. White
   * space at the ends is removed.
   */
  section?: string | null | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
  /** The ID of a Goal: gol_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  goal_id?: string | null | undefined
  /**
   * To whom the Task is assigned: a user who can open its Room or, without a Room, a member of the
   * Workspace who may read Tasks.
   */
  assignee_user_id?: string | null | undefined
  /** By when it should be done. */
  due_at?: string | null | undefined
  priority?: 'none' | 'low' | 'medium' | 'high' | 'urgent' | undefined
  /** Whether a File is needed to complete the Task. Always true for an evidence_request. */
  requires_evidence?: boolean | undefined
  /** How far the Task is. */
  status?: 'open' | 'in_progress' | 'blocked' | undefined
}

export interface UpdateTaskAnswer extends Changed {
  data: Task
  receipt: ActionReceipt
}

export interface CancelTaskInput {
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /**
   * What was done, or why it ends. May have several lines; no control characters but tabs and line
   * breaks.
   */
  note?: string | undefined
}

export interface CancelTaskAnswer extends Changed {
  data: Task
  receipt: ActionReceipt
}

export interface CompleteTaskInput {
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /**
   * What was done, or why it ends. May have several lines; no control characters but tabs and line
   * breaks.
   */
  note?: string | undefined
  /**
   * The Files that prove it. You must be able to open each of them, and a Task in a Room takes only
   * Files of the Room.
   */
  evidence_file_ids?: readonly string[] | undefined
}

export interface CompleteTaskAnswer extends Changed {
  data: Task
  receipt: ActionReceipt
}

export interface ReopenTaskInput {
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The reason. May have several lines; no control characters but tabs and line breaks. */
  note?: string | undefined
}

export interface ReopenTaskAnswer extends Changed {
  data: Task
  receipt: ActionReceipt
}

export interface ListTaskCommentsInput {
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListTaskCommentsAnswer extends Answered {
  data: TaskComment[]
  page: Page
}

export interface CreateTaskCommentInput {
  /** The ID of a Task: tsk_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  task_id: string
  /** The comment. May have several lines; no control characters but tabs and line breaks. */
  text: string
  /**
   * Files that belong to the comment. You must be able to open each of them, and a Task in a Room takes
   * only Files of the Room.
   */
  file_ids?: readonly string[] | undefined
}

export interface CreateTaskCommentAnswer extends Changed {
  data: TaskComment
  receipt: ActionReceipt
}

export type ListRequestTemplatesInput = Record<string, never>

export interface ListRequestTemplatesAnswer extends Answered {
  data: {
    template: 'small_business_purchase' | 'sba_7a_loan' | 'quality_of_earnings' | (string & {})
    title: string
    description: string
    sources: { title: string; url: string }[]
    requests: {
      section: string
      title: string
      description: string | null
      kind: 'task' | 'question' | 'evidence_request' | (string & {})
    }[]
  }[]
}

export interface CreateRoomRequestsInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** A list that the service has. */
  template?: 'small_business_purchase' | 'sba_7a_loan' | 'quality_of_earnings' | undefined
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id?: string | undefined
  /**
   * The headers of the columns in the file, where they differ from title, description, section, kind,
   * priority, due_at and assignee_email.
   */
  mapping?:
    | {
        /** The header of the column with the title. */
        title?: string | undefined
        /** The header of the column with the description. */
        description?: string | undefined
        /** The header of the column with the section. */
        section?: string | undefined
        /** The header of the column with the kind. */
        kind?: string | undefined
        /** The header of the column with the priority. */
        priority?: string | undefined
        /** The header of the column with the due_at. */
        due_at?: string | undefined
        /** The header of the column with the assignee_email. */
        assignee_email?: string | undefined
      }
    | undefined
  /**
   * To whom the Task is assigned: a user who can open its Room or, without a Room, a member of the
   * Workspace who may read Tasks.
   */
  assignee_user_id?: string | null | undefined
  /** By when the requests should be met, where a row has no date. */
  due_at?: string | null | undefined
}

export interface CreateRoomRequestsAnswer extends Changed {
  data: {
    /** How many Tasks were created. */
    created: number
    /** How many Tasks there are of each kind. */
    by_kind: Record<string, number>
    /** The Tasks, in the order of the list. */
    task_ids: string[]
  }
  receipt: ActionReceipt
}

export interface GetRequestProgressInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
}

export interface GetRequestProgressAnswer extends Answered {
  data: {
    total: number
    /** How many are unfinished although their due_at has passed. */
    overdue: number
    by_status: {
      /** How many Tasks have the status. */
      open: number
      /** How many Tasks have the status. */
      in_progress: number
      /** How many Tasks have the status. */
      blocked: number
      /** How many Tasks have the status. */
      done: number
      /** How many Tasks have the status. */
      canceled: number
    }
    by_kind: {
      /** How many Tasks are of the kind. */
      task: number
      /** How many Tasks are of the kind. */
      question: number
      /** How many Tasks are of the kind. */
      evidence_request: number
    }
    /** In the order of the sections; at most 200, and the last one is that without a section. */
    by_section: { section: string | null; total: number; finished: number }[]
    /** Those with most Tasks first; at most 200. */
    by_assignee: {
      assignee_user_id: string | null
      name: string | null
      total: number
      /** How many are done or canceled. */
      finished: number
    }[]
    as_of: string
  }
}

export interface ListConnectionsInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** Only connections with this status. */
  status?: 'live' | 'paused' | 'stopped' | 'error' | undefined
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListConnectionsAnswer extends Answered {
  data: SharedConnection[]
  page: Page
}

export interface ShareConnectionInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** A connection that you share with another Room. */
  source_connection_id?: string | undefined
  /** What is connected. */
  kind?: 'app' | 'agent' | 'source' | undefined
  /** The plugin that reaches the app. */
  plugin?: string | undefined
  /** What the Room calls it. One line, without control characters. White space at the ends is removed. */
  label?: string | undefined
  /** The settings of the plugin. For http_json: base_url. */
  config?: object | undefined
  /** The operations that the connection allows. */
  allowed_operations: readonly string[]
  /** Those of allowed_operations that run only after approval. By default all that may change something. */
  requires_approval?: readonly string[] | undefined
}

export interface ShareConnectionAnswer extends Changed {
  data: SharedConnection
  action_receipt: ActionReceipt
}

export interface PauseConnectionInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the shared connection. */
  connection_id: string
}

export interface PauseConnectionAnswer extends Changed {
  data: SharedConnection
  action_receipt: ActionReceipt
}

export interface ReadConnectionInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the shared connection. */
  connection_id: string
  /** The name of an operation of the plugin. */
  operation: string
  /**
   * The arguments of the operation, as its plugin defines them. As canonical JSON (RFC 8785) at most 64
   * KiB.
   */
  arguments: object
}

export interface ReadConnectionAnswer extends Answered {
  data: {
    connection_id: string
    operation: string
    /** What the app answered, as the plugin gives it. */
    output: unknown
    read_at: string
  }
}

export interface ReconnectConnectionInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the shared connection. */
  connection_id: string
}

export interface ReconnectConnectionAnswer extends Changed {
  data: SharedConnection
  action_receipt: ActionReceipt
}

export interface ResumeConnectionInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the shared connection. */
  connection_id: string
}

export interface ResumeConnectionAnswer extends Changed {
  data: SharedConnection
  action_receipt: ActionReceipt
}

export interface StopConnectionInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the shared connection. */
  connection_id: string
}

export interface StopConnectionAnswer extends Changed {
  data: SharedConnection
  action_receipt: ActionReceipt
}

export interface ListApprovalsInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /** Only approvals with this status. */
  status?: 'pending' | 'approved' | 'declined' | 'canceled' | 'expired' | 'executed' | 'failed' | undefined
  /** Only approvals that you are asked for. */
  asked_of?: 'me' | undefined
  /** The page.cursor of the previous page: apr_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListApprovalsAnswer extends Answered {
  data: Approval[]
  page: Page
}

export interface GetApprovalInput {
  /** The ID of an approval: apr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  approval_id: string
}

export interface GetApprovalAnswer extends Answered {
  data: Approval
}

export interface ApproveApprovalInput {
  /** The ID of an approval: apr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  approval_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The arguments_sha256 of the approval. */
  arguments_sha256: string
  /**
   * What you have to say about it. May have several lines; no control characters but tabs and line
   * breaks.
   */
  note?: string | undefined
}

export interface ApproveApprovalAnswer extends Changed {
  data: Approval
  receipt: ActionReceipt
}

export interface CancelApprovalInput {
  /** The ID of an approval: apr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  approval_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** Why it is canceled. May have several lines; no control characters but tabs and line breaks. */
  note?: string | undefined
}

export interface CancelApprovalAnswer extends Changed {
  data: Approval
  receipt: ActionReceipt
}

export interface DeclineApprovalInput {
  /** The ID of an approval: apr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  approval_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** Why you decline. May have several lines; no control characters but tabs and line breaks. */
  note?: string | undefined
}

export interface DeclineApprovalAnswer extends Changed {
  data: Approval
  receipt: ActionReceipt
}

export interface RequestApprovalInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id: string
  /** The ID of the shared connection. */
  connection_id: string
  /** The name of an operation of the plugin. */
  operation: string
  /**
   * The arguments of the operation, as its plugin defines them. As canonical JSON (RFC 8785) at most 64
   * KiB.
   */
  arguments: object
  /** Why the action is requested. May have several lines; no control characters but tabs and line breaks. */
  note?: string | undefined
  /** When the request expires: from 1 second to 30 days ahead. By default in 7 days. */
  expires_at?: string | undefined
}

export interface RequestApprovalAnswer extends Changed {
  data: Approval
  receipt: ActionReceipt
}

export interface ListValuationsInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** Only valuations of such subjects. */
  subject_type?: 'business' | 'asset' | 'portfolio' | undefined
  /** Only valuations with this status. */
  status?: 'draft' | 'running' | 'completed' | 'failed' | undefined
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListValuationsAnswer extends Answered {
  data: ValuationSummary[]
  page: Page
}

export interface CreateValuationInput {
  /** What is valued. A portfolio needs its id. */
  subject: {
    /** What is valued. */
    type: 'business' | 'asset' | 'portfolio'
    /** The ID of the Business, asset or portfolio, as type says. */
    id?: string | null | undefined
    /** Its name, for the report. One line, without control characters. White space at the ends is removed. */
    name?: string | null | undefined
  }
  /**
   * indicative: a first estimate. calculation: by the methods that you and your client agree on.
   * analyst: by all methods that apply.
   */
  engagement_type: 'indicative' | 'calculation' | 'analyst'
  /** What the valuation is for. */
  purpose:
    | 'sale'
    | 'purchase'
    | 'financing'
    | 'planning'
    | 'buy_sell'
    | 'gift_estate_tax'
    | 'divorce'
    | 'esop'
    | 'litigation'
    | 'financial_reporting'
  /** The standard of value. */
  standard_of_value:
    | 'fair_market_value'
    | 'market_value'
    | 'fair_value'
    | 'investment_value'
    | 'equitable_value'
    | 'liquidation_value'
  /** The premise of value. */
  premise_of_value: 'going_concern' | 'assemblage' | 'orderly_liquidation' | 'forced_liquidation'
  /** The level of value of the conclusion. */
  level_of_value:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
  /** The interest that is valued. */
  interest: {
    /** How much of it is valued. From 0 to 100, as a decimal string. */
    percent: string
    /** equity: what the owners hold. invested_capital: equity and debt. assets: the assets that are sold. */
    kind: 'equity' | 'assets' | 'invested_capital'
  }
  /** The day as of which the value is concluded. */
  valuation_date: string
  /**
   * The currency of all amounts in inputs and methods, and of the conclusion. Three capital letters, as
   * in ISO 4217.
   */
  currency: string
  /** What the valuation is computed from. */
  inputs: ValuationInputs
  /** The methods, each at most once. */
  methods?:
    | readonly (
        | MultipleMethod
        | GuidelineTransactionsMethod
        | CapitalizedCashFlowMethod
        | DiscountedCashFlowMethod
        | AdjustedNetAssetsMethod
        | LiquidationMethod
        | ExcessEarningsMethod
      )[]
    | undefined
  /** The weight of each method in the conclusion. They add up to 1. By default all count the same. */
  weights?:
    | {
        /** The weight of sde_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        sde_multiple?: string | undefined
        /** The weight of ebitda_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        ebitda_multiple?: string | undefined
        /** The weight of revenue_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        revenue_multiple?: string | undefined
        /**
         * The weight of guideline_transactions. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        guideline_transactions?: string | undefined
        /**
         * The weight of capitalized_cash_flow. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        capitalized_cash_flow?: string | undefined
        /**
         * The weight of discounted_cash_flow. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        discounted_cash_flow?: string | undefined
        /**
         * The weight of adjusted_net_assets. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        adjusted_net_assets?: string | undefined
        /** The weight of liquidation. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        liquidation?: string | undefined
        /** The weight of excess_earnings. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        excess_earnings?: string | undefined
      }
    | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
  /** Whether to run it at once. Default: false. */
  run?: boolean | undefined
}

export interface CreateValuationAnswer extends Changed {
  data: Valuation
  /** Only without an account: the secret that reads and claims it. Null in a replay. */
  claim_token?: string | null
  /** Only without an account: until when it can be read and claimed. */
  expires_at?: string
  receipt?: ActionReceipt
}

export interface GetValuationInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
}

export interface GetValuationAnswer extends Answered {
  data: Valuation
}

export interface UpdateValuationInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** What is valued. A portfolio needs its id. */
  subject?:
    | {
        /** What is valued. */
        type: 'business' | 'asset' | 'portfolio'
        /** The ID of the Business, asset or portfolio, as type says. */
        id?: string | null | undefined
        /** Its name, for the report. One line, without control characters. White space at the ends is removed. */
        name?: string | null | undefined
      }
    | undefined
  /**
   * indicative: a first estimate. calculation: by the methods that you and your client agree on.
   * analyst: by all methods that apply.
   */
  engagement_type?: 'indicative' | 'calculation' | 'analyst' | undefined
  /** What the valuation is for. */
  purpose?:
    | 'sale'
    | 'purchase'
    | 'financing'
    | 'planning'
    | 'buy_sell'
    | 'gift_estate_tax'
    | 'divorce'
    | 'esop'
    | 'litigation'
    | 'financial_reporting'
    | undefined
  /** The standard of value. */
  standard_of_value?:
    | 'fair_market_value'
    | 'market_value'
    | 'fair_value'
    | 'investment_value'
    | 'equitable_value'
    | 'liquidation_value'
    | undefined
  /** The premise of value. */
  premise_of_value?: 'going_concern' | 'assemblage' | 'orderly_liquidation' | 'forced_liquidation' | undefined
  /** The level of value of the conclusion. */
  level_of_value?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** The interest that is valued. */
  interest?:
    | {
        /** How much of it is valued. From 0 to 100, as a decimal string. */
        percent: string
        /** equity: what the owners hold. invested_capital: equity and debt. assets: the assets that are sold. */
        kind: 'equity' | 'assets' | 'invested_capital'
      }
    | undefined
  /** The day as of which the value is concluded. */
  valuation_date?: string | undefined
  /**
   * The currency of all amounts in inputs and methods, and of the conclusion. Three capital letters, as
   * in ISO 4217.
   */
  currency?: string | undefined
  /** What the valuation is computed from. */
  inputs?: ValuationInputs | undefined
  /** The methods, each at most once. */
  methods?:
    | readonly (
        | MultipleMethod
        | GuidelineTransactionsMethod
        | CapitalizedCashFlowMethod
        | DiscountedCashFlowMethod
        | AdjustedNetAssetsMethod
        | LiquidationMethod
        | ExcessEarningsMethod
      )[]
    | undefined
  /** The weight of each method in the conclusion. They add up to 1. By default all count the same. */
  weights?:
    | {
        /** The weight of sde_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        sde_multiple?: string | undefined
        /** The weight of ebitda_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        ebitda_multiple?: string | undefined
        /** The weight of revenue_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        revenue_multiple?: string | undefined
        /**
         * The weight of guideline_transactions. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        guideline_transactions?: string | undefined
        /**
         * The weight of capitalized_cash_flow. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        capitalized_cash_flow?: string | undefined
        /**
         * The weight of discounted_cash_flow. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        discounted_cash_flow?: string | undefined
        /**
         * The weight of adjusted_net_assets. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        adjusted_net_assets?: string | undefined
        /** The weight of liquidation. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        liquidation?: string | undefined
        /** The weight of excess_earnings. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        excess_earnings?: string | undefined
      }
    | null
    | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
}

export interface UpdateValuationAnswer extends Changed {
  data: Valuation
  receipt: ActionReceipt
}

export interface ReviseValuationInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** What is valued. A portfolio needs its id. */
  subject?:
    | {
        /** What is valued. */
        type: 'business' | 'asset' | 'portfolio'
        /** The ID of the Business, asset or portfolio, as type says. */
        id?: string | null | undefined
        /** Its name, for the report. One line, without control characters. White space at the ends is removed. */
        name?: string | null | undefined
      }
    | undefined
  /**
   * indicative: a first estimate. calculation: by the methods that you and your client agree on.
   * analyst: by all methods that apply.
   */
  engagement_type?: 'indicative' | 'calculation' | 'analyst' | undefined
  /** What the valuation is for. */
  purpose?:
    | 'sale'
    | 'purchase'
    | 'financing'
    | 'planning'
    | 'buy_sell'
    | 'gift_estate_tax'
    | 'divorce'
    | 'esop'
    | 'litigation'
    | 'financial_reporting'
    | undefined
  /** The standard of value. */
  standard_of_value?:
    | 'fair_market_value'
    | 'market_value'
    | 'fair_value'
    | 'investment_value'
    | 'equitable_value'
    | 'liquidation_value'
    | undefined
  /** The premise of value. */
  premise_of_value?: 'going_concern' | 'assemblage' | 'orderly_liquidation' | 'forced_liquidation' | undefined
  /** The level of value of the conclusion. */
  level_of_value?:
    | 'control_marketable'
    | 'control_nonmarketable'
    | 'minority_marketable'
    | 'minority_nonmarketable'
    | undefined
  /** The interest that is valued. */
  interest?:
    | {
        /** How much of it is valued. From 0 to 100, as a decimal string. */
        percent: string
        /** equity: what the owners hold. invested_capital: equity and debt. assets: the assets that are sold. */
        kind: 'equity' | 'assets' | 'invested_capital'
      }
    | undefined
  /** The day as of which the value is concluded. */
  valuation_date?: string | undefined
  /**
   * The currency of all amounts in inputs and methods, and of the conclusion. Three capital letters, as
   * in ISO 4217.
   */
  currency?: string | undefined
  /** What the valuation is computed from. */
  inputs?: ValuationInputs | undefined
  /** The methods, each at most once. */
  methods?:
    | readonly (
        | MultipleMethod
        | GuidelineTransactionsMethod
        | CapitalizedCashFlowMethod
        | DiscountedCashFlowMethod
        | AdjustedNetAssetsMethod
        | LiquidationMethod
        | ExcessEarningsMethod
      )[]
    | undefined
  /** The weight of each method in the conclusion. They add up to 1. By default all count the same. */
  weights?:
    | {
        /** The weight of sde_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        sde_multiple?: string | undefined
        /** The weight of ebitda_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        ebitda_multiple?: string | undefined
        /** The weight of revenue_multiple. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        revenue_multiple?: string | undefined
        /**
         * The weight of guideline_transactions. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        guideline_transactions?: string | undefined
        /**
         * The weight of capitalized_cash_flow. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        capitalized_cash_flow?: string | undefined
        /**
         * The weight of discounted_cash_flow. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        discounted_cash_flow?: string | undefined
        /**
         * The weight of adjusted_net_assets. A fraction of at least 0, as a decimal string: 0.25 is 25
         * percent.
         */
        adjusted_net_assets?: string | undefined
        /** The weight of liquidation. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        liquidation?: string | undefined
        /** The weight of excess_earnings. A fraction of at least 0, as a decimal string: 0.25 is 25 percent. */
        excess_earnings?: string | undefined
      }
    | null
    | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
}

export interface ReviseValuationAnswer extends Changed {
  data: Valuation
  receipt: ActionReceipt
}

export interface RunValuationInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The seed of the Monte Carlo range. By default it follows from the inputs. */
  seed?: number | undefined
}

export interface RunValuationAnswer extends Changed {
  data: Valuation
  receipt: ActionReceipt
}

export interface SignValuationInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** What you state. May have several lines; no control characters but tabs and line breaks. */
  statement: string
  /** What qualifies you. May have several lines; no control characters but tabs and line breaks. */
  qualifications: string
}

export interface SignValuationAnswer extends Changed {
  data: Valuation
  receipt: ActionReceipt
}

export interface ListValuationEvidenceInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListValuationEvidenceAnswer extends Answered {
  data: ValuationEvidence[]
  page: Page
}

export interface AddValuationEvidenceInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /** What it proves. */
  code:
    | 'statements'
    | 'returns'
    | 'cap_table'
    | 'debt_schedule'
    | 'add_back_support'
    | 'comparables'
    | 'signatory'
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id?: string | undefined
  /** The part of the document that it supports, as a JSON pointer. */
  pointer?: string | undefined
  /** The date of the evidence. */
  dated_on: string
  /** Whether it was known or could be known at the valuation date. */
  known_or_knowable?: boolean | undefined
  /** What a reader should know. May have several lines; no control characters but tabs and line breaks. */
  note?: string | undefined
}

export interface AddValuationEvidenceAnswer extends Changed {
  data: ValuationEvidence
  receipt: ActionReceipt
}

export interface ReadValuationStatementsInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The ID of a File: fil_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_id: string
  /** The ID of a File version: fvr_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  file_version_id?: string | undefined
  /** The number of the sheet of a workbook, counted from 1. By default the first. */
  sheet?: number | undefined
  /** How reliable the statements are. */
  basis: 'tax_return' | 'audited' | 'reviewed' | 'compiled' | 'internal'
  /** The periods, each with its column. */
  periods: readonly {
    /** The name of its column. */
    column: string
    /** The name of the period in the document. */
    key: string
    /** Its first day. */
    start: string
    /** Its last day. */
    end: string
    /**
     * Whether the figures were known or could be known at the valuation date. Required to be true for a
     * period that ends later.
     */
    known_or_knowable?: boolean | undefined
  }[]
  /** The labels of rows that are not named as usual. */
  mapping?:
    | {
        /** The label of the row with revenue. */
        revenue?: string | undefined
        /** The label of the row with cost_of_sales. */
        cost_of_sales?: string | undefined
        /** The label of the row with operating_expenses. */
        operating_expenses?: string | undefined
        /** The label of the row with owner_compensation. */
        owner_compensation?: string | undefined
        /** The label of the row with depreciation. */
        depreciation?: string | undefined
        /** The label of the row with amortization. */
        amortization?: string | undefined
        /** The label of the row with interest_expense. */
        interest_expense?: string | undefined
        /** The label of the row with other_income. */
        other_income?: string | undefined
        /** The label of the row with taxes. */
        taxes?: string | undefined
        /** The label of the row with net_income. */
        net_income?: string | undefined
        /** The label of the row with ebit. */
        ebit?: string | undefined
        /** The label of the row with tax_rate. */
        tax_rate?: string | undefined
        /** The label of the row with capital_expenditure. */
        capital_expenditure?: string | undefined
        /** The label of the row with change_in_working_capital. */
        change_in_working_capital?: string | undefined
        /** The label of the row with cash. */
        cash?: string | undefined
        /** The label of the row with receivables. */
        receivables?: string | undefined
        /** The label of the row with inventory. */
        inventory?: string | undefined
        /** The label of the row with fixed_assets. */
        fixed_assets?: string | undefined
        /** The label of the row with intangibles. */
        intangibles?: string | undefined
        /** The label of the row with other_assets. */
        other_assets?: string | undefined
        /** The label of the row with total_assets. */
        total_assets?: string | undefined
        /** The label of the row with payables. */
        payables?: string | undefined
        /** The label of the row with interest_bearing_debt. */
        interest_bearing_debt?: string | undefined
        /** The label of the row with other_liabilities. */
        other_liabilities?: string | undefined
        /** The label of the row with equity. */
        equity?: string | undefined
      }
    | undefined
  /** The numbers of rows, as a spreadsheet shows them, where a label stands in several rows. */
  rows?:
    | {
        /** The number of the row with revenue. */
        revenue?: number | undefined
        /** The number of the row with cost_of_sales. */
        cost_of_sales?: number | undefined
        /** The number of the row with operating_expenses. */
        operating_expenses?: number | undefined
        /** The number of the row with owner_compensation. */
        owner_compensation?: number | undefined
        /** The number of the row with depreciation. */
        depreciation?: number | undefined
        /** The number of the row with amortization. */
        amortization?: number | undefined
        /** The number of the row with interest_expense. */
        interest_expense?: number | undefined
        /** The number of the row with other_income. */
        other_income?: number | undefined
        /** The number of the row with taxes. */
        taxes?: number | undefined
        /** The number of the row with net_income. */
        net_income?: number | undefined
        /** The number of the row with ebit. */
        ebit?: number | undefined
        /** The number of the row with tax_rate. */
        tax_rate?: number | undefined
        /** The number of the row with capital_expenditure. */
        capital_expenditure?: number | undefined
        /** The number of the row with change_in_working_capital. */
        change_in_working_capital?: number | undefined
        /** The number of the row with cash. */
        cash?: number | undefined
        /** The number of the row with receivables. */
        receivables?: number | undefined
        /** The number of the row with inventory. */
        inventory?: number | undefined
        /** The number of the row with fixed_assets. */
        fixed_assets?: number | undefined
        /** The number of the row with intangibles. */
        intangibles?: number | undefined
        /** The number of the row with other_assets. */
        other_assets?: number | undefined
        /** The number of the row with total_assets. */
        total_assets?: number | undefined
        /** The number of the row with payables. */
        payables?: number | undefined
        /** The number of the row with interest_bearing_debt. */
        interest_bearing_debt?: number | undefined
        /** The number of the row with other_liabilities. */
        other_liabilities?: number | undefined
        /** The number of the row with equity. */
        equity?: number | undefined
      }
    | undefined
  /** In what the amounts are. Required if the File speaks of thousands or millions. */
  amounts_in?: 'units' | 'thousands' | 'millions' | undefined
  /**
   * Whether costs, taxes and capital expenditure are negative amounts in the File. Their signs are then
   * turned. Default: false.
   */
  costs_are_negative?: boolean | undefined
}

export interface ReadValuationStatementsAnswer extends Changed {
  data: Valuation
  statements: { file_id: string; file_version_id: string; sha256: string; unmapped: string[] }
  receipt: ActionReceipt
}

export interface CompareValuationsInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /** The valuation to compare with: the later one. */
  with: string
}

export interface CompareValuationsAnswer extends Answered {
  data: {
    /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
    valuation_id: string
    /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
    with: string
    point: Money
    with_point: Money | null
    difference: Money | null
    changes: {
      /** What changed in the document, as a JSON pointer. */
      pointer: string
      /** The earlier value, as JSON. Null if there was none. */
      before: string | null
      /** The later value, as JSON. Null if there is none. */
      after: string | null
      moved: Money | null
    }[]
    lines: {
      id: string
      label: string
      unit: string
      before: string | null
      after: string | null
      difference: string | null
    }[]
    /** Why the moves are not known, if they are not. */
    note: string | null
  }
}

export interface ExplainValuationInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
}

export interface ExplainValuationAnswer extends Answered {
  data: CalculationNode
}

export interface GetValuationReportInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /** By default json. */
  format?: 'json' | 'md' | 'html' | undefined
}

export interface GetValuationReportAnswer extends Answered {
  data: ValuationReport
}

export interface GetValuationSensitivityInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
}

export interface GetValuationSensitivityAnswer extends Answered {
  data: ValuationSensitivity
}

export interface ClaimValuationInput {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  /** The secret from the answer in which the valuation was created. */
  claim_token: string
}

export interface ClaimValuationAnswer extends Changed {
  /** The ID of a valuation: val_ and 32 lowercase hexadecimal digits. */
  valuation_id: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id: string
  workspace_id: string
  attached: boolean
  receipt: ActionReceipt
}

export interface ListPortfoliosInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The page.cursor of the previous page: pfl_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListPortfoliosAnswer extends Answered {
  data: Portfolio[]
  page: Page
}

export interface CreatePortfolioInput {
  /** The name of the portfolio. One line, without control characters. White space at the ends is removed. */
  name: string
  /** The currency. Three capital letters, as in ISO 4217. */
  currency: string
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
}

export interface CreatePortfolioAnswer extends Changed {
  data: Portfolio
  receipt: ActionReceipt
}

export interface GetPortfolioInput {
  /** The ID of a portfolio: pfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  portfolio_id: string
}

export interface GetPortfolioAnswer extends Answered {
  data: Portfolio
}

export interface UpdatePortfolioInput {
  /** The ID of a portfolio: pfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  portfolio_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** The name of the portfolio. One line, without control characters. White space at the ends is removed. */
  name?: string | undefined
  /** The currency. Three capital letters, as in ISO 4217. */
  currency?: string | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
}

export interface UpdatePortfolioAnswer extends Changed {
  data: Portfolio
  receipt: ActionReceipt
}

export interface ListHoldingsInput {
  /** The ID of a portfolio: pfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  portfolio_id: string
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListHoldingsAnswer extends Answered {
  data: Holding[]
  page: Page
}

export interface GetHoldingInput {
  /** The ID of a portfolio: pfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  portfolio_id: string
  /** The name of the holding in its portfolio: lowercase letters, digits, _ and -. */
  key: string
}

export interface GetHoldingAnswer extends Answered {
  data: Holding
}

export interface SetHoldingInput {
  /** The ID of a portfolio: pfl_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  portfolio_id: string
  /** The name of the holding in its portfolio: lowercase letters, digits, _ and -. */
  key: string
  /** What is held. */
  subject?:
    | {
        /** What is held. */
        type: 'business' | 'asset' | 'portfolio'
        /** The ID of the Business, asset or portfolio. */
        id?: string | null | undefined
      }
    | undefined
  /** How much of it the portfolio holds. From 0 to 100, as a decimal string. */
  ownership_percent?: string | undefined
  /** The valuation that counts. */
  valuation_id?: string | null | undefined
  discount?:
    | {
        /**
         * The discount on the share of the portfolio. A fraction of at least 0, as a decimal string: 0.25 is
         * 25 percent.
         */
        rate: string
        /** Why. May have several lines; no control characters but tabs and line breaks. */
        reason: string
      }
    | null
    | undefined
  /** Removes the holding, as a body of null does. */
  removed?: true | undefined
}

export interface SetHoldingAnswer extends Changed {
  data: { portfolio: Portfolio; holding: Holding | null }
  receipt: ActionReceipt
}

export interface ListAssetsInput {
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** Only assets of this class. */
  class?:
    | 'real_property'
    | 'equipment'
    | 'vehicle'
    | 'inventory'
    | 'receivable'
    | 'intangible'
    | 'cash'
    | 'other'
    | undefined
  /** The page.cursor of the previous page: ast_ and 26 characters of Crockford base32. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListAssetsAnswer extends Answered {
  data: Asset[]
  page: Page
}

export interface CreateAssetInput {
  /** What it is. */
  class:
    | 'real_property'
    | 'equipment'
    | 'vehicle'
    | 'inventory'
    | 'receivable'
    | 'intangible'
    | 'cash'
    | 'other'
  /** What it cost when it was acquired. */
  cost: {
    /** What it cost. A decimal number of at least 0, as a string. */
    amount: string
    /** The currency. Three capital letters, as in ISO 4217. */
    currency: string
  }
  /** When it was acquired. */
  acquired_on: string
  /** Its condition. */
  condition: 'new' | 'good' | 'fair' | 'poor'
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
  /** What it is exactly. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
}

export interface CreateAssetAnswer extends Changed {
  data: Asset
  receipt: ActionReceipt
}

export interface GetAssetInput {
  /** The ID of an asset: ast_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  asset_id: string
}

export interface GetAssetAnswer extends Answered {
  data: Asset
}

export interface UpdateAssetInput {
  /** The ID of an asset: ast_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  asset_id: string
  /**
   * The revision that you read. If the resource has another revision now, nothing changes and the answer
   * is revision_conflict.
   */
  expected_revision: number
  /** What it is. */
  class?:
    | 'real_property'
    | 'equipment'
    | 'vehicle'
    | 'inventory'
    | 'receivable'
    | 'intangible'
    | 'cash'
    | 'other'
    | undefined
  /** What it cost when it was acquired. */
  cost?:
    | {
        /** What it cost. A decimal number of at least 0, as a string. */
        amount: string
        /** The currency. Three capital letters, as in ISO 4217. */
        currency: string
      }
    | undefined
  /** When it was acquired. */
  acquired_on?: string | undefined
  /** Its condition. */
  condition?: 'new' | 'good' | 'fair' | 'poor' | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | null | undefined
  /** What it is exactly. May have several lines; no control characters but tabs and line breaks. */
  description?: string | null | undefined
}

export interface UpdateAssetAnswer extends Changed {
  data: Asset
  receipt: ActionReceipt
}

export interface ListBenchmarkSetsInput {
  /** The page.cursor of the previous page. */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListBenchmarkSetsAnswer extends Answered {
  data: BenchmarkSetSummary[]
  page: Page
}

export interface ImportBenchmarkSetInput {
  /** What it is. One line, without control characters. White space at the ends is removed. */
  name?: string | undefined
  /** The multiples. */
  rows: readonly BenchmarkRow[]
}

export interface ImportBenchmarkSetAnswer extends Changed {
  data: BenchmarkSet
  receipt: ActionReceipt
}

export interface GetBenchmarkSetInput {
  /** The ID of the benchmark set. */
  benchmark_set_id: string
}

export interface GetBenchmarkSetAnswer extends Answered {
  data: BenchmarkSet
}

export interface ListEventsInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /** The ID of a Business: biz_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  business_id?: string | undefined
  /** The actor: me, or the ID of a user (a UUID). With an API key, me is the owner of the key. */
  actor?: string | undefined
  /**
   * Only events about you: tasks assigned to you, approvals requested from you, and reads of connections
   * that you share.
   */
  about?: 'me' | undefined
  /**
   * The types of events, such as room.updated, or all types of a resource, such as room.*. Types of
   * resources that do not exist yet are accepted and match nothing.
   */
  types?:
    | readonly (
        | 'room.created'
        | 'room.updated'
        | 'room.access_changed'
        | 'room.archived'
        | 'room.restored'
        | 'business.updated'
        | 'participant.invited'
        | 'participant.joined'
        | 'participant.access_changed'
        | 'participant.revoked'
        | 'participant.declined'
        | 'participant.left'
        | 'participant.expired'
        | 'attachment.added'
        | 'attachment.removed'
        | 'file.created'
        | 'file.version_added'
        | 'file.ready'
        | 'file.failed'
        | 'file.updated'
        | 'file.archived'
        | 'file.restored'
        | 'file.added_to_room'
        | 'file.removed_from_room'
        | 'file.permission_set'
        | 'file.permission_revoked'
        | 'goal.created'
        | 'goal.updated'
        | 'goal.completed'
        | 'goal.canceled'
        | 'goal.reopened'
        | 'task.created'
        | 'task.assigned'
        | 'task.updated'
        | 'task.commented'
        | 'task.completed'
        | 'task.canceled'
        | 'task.reopened'
        | 'connection.shared'
        | 'connection.read'
        | 'connection.paused'
        | 'connection.resumed'
        | 'connection.stopped'
        | 'connection.failed'
        | 'connection.reconnected'
        | 'approval.requested'
        | 'approval.approved'
        | 'approval.declined'
        | 'approval.canceled'
        | 'approval.expired'
        | 'approval.executed'
        | 'approval.failed'
        | 'valuation.claimed'
        | 'valuation.completed'
        | 'valuation.failed'
        | 'valuation.superseded'
        | 'room.exported'
        | 'room.terms_accepted'
        | 'room.*'
        | 'business.*'
        | 'participant.*'
        | 'attachment.*'
        | 'file.*'
        | 'goal.*'
        | 'task.*'
        | 'connection.*'
        | 'approval.*'
        | 'valuation.*'
      )[]
    | undefined
  /** Only events at or after this time. RFC 3339, with an offset from UTC. */
  since?: string | undefined
  /**
   * The next_cursor of the previous page. The next page has older events. A string of 1 to 18 digits
   * without a leading zero. It is opaque: it is neither a count nor an order.
   */
  after?: string | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
}

export interface ListEventsAnswer extends Answered {
  data: Event[]
  next_cursor: string | null
  has_more: boolean
}

export interface ListEventChangesInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /**
   * The types of events, such as room.updated, or all types of a resource, such as room.*. Types of
   * resources that do not exist yet are accepted and match nothing.
   */
  types?:
    | readonly (
        | 'room.created'
        | 'room.updated'
        | 'room.access_changed'
        | 'room.archived'
        | 'room.restored'
        | 'business.updated'
        | 'participant.invited'
        | 'participant.joined'
        | 'participant.access_changed'
        | 'participant.revoked'
        | 'participant.declined'
        | 'participant.left'
        | 'participant.expired'
        | 'attachment.added'
        | 'attachment.removed'
        | 'file.created'
        | 'file.version_added'
        | 'file.ready'
        | 'file.failed'
        | 'file.updated'
        | 'file.archived'
        | 'file.restored'
        | 'file.added_to_room'
        | 'file.removed_from_room'
        | 'file.permission_set'
        | 'file.permission_revoked'
        | 'goal.created'
        | 'goal.updated'
        | 'goal.completed'
        | 'goal.canceled'
        | 'goal.reopened'
        | 'task.created'
        | 'task.assigned'
        | 'task.updated'
        | 'task.commented'
        | 'task.completed'
        | 'task.canceled'
        | 'task.reopened'
        | 'connection.shared'
        | 'connection.read'
        | 'connection.paused'
        | 'connection.resumed'
        | 'connection.stopped'
        | 'connection.failed'
        | 'connection.reconnected'
        | 'approval.requested'
        | 'approval.approved'
        | 'approval.declined'
        | 'approval.canceled'
        | 'approval.expired'
        | 'approval.executed'
        | 'approval.failed'
        | 'valuation.claimed'
        | 'valuation.completed'
        | 'valuation.failed'
        | 'valuation.superseded'
        | 'room.exported'
        | 'room.terms_accepted'
        | 'room.*'
        | 'business.*'
        | 'participant.*'
        | 'attachment.*'
        | 'file.*'
        | 'goal.*'
        | 'task.*'
        | 'connection.*'
        | 'approval.*'
        | 'valuation.*'
      )[]
    | undefined
  /**
   * The cursor of the previous page. A string of 1 to 18 digits without a leading zero. It is opaque: it
   * is neither a count nor an order.
   */
  cursor?: string | null | undefined
  /** The maximum number of items in the page. Default: 20. */
  limit?: number | undefined
  /** How many seconds to wait for a new event if there is none. Default: 0. */
  wait_seconds?: number | undefined
}

export interface ListEventChangesAnswer extends Answered {
  data: Event[]
  /** Pass it as cursor to continue, also if there was no event that you can see. */
  cursor: string
  has_more: boolean
}

export interface StreamEventsInput {
  /** The ID of a Room: rom_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  room_id?: string | undefined
  /**
   * The types of events, such as room.updated, or all types of a resource, such as room.*. Types of
   * resources that do not exist yet are accepted and match nothing.
   */
  types?:
    | readonly (
        | 'room.created'
        | 'room.updated'
        | 'room.access_changed'
        | 'room.archived'
        | 'room.restored'
        | 'business.updated'
        | 'participant.invited'
        | 'participant.joined'
        | 'participant.access_changed'
        | 'participant.revoked'
        | 'participant.declined'
        | 'participant.left'
        | 'participant.expired'
        | 'attachment.added'
        | 'attachment.removed'
        | 'file.created'
        | 'file.version_added'
        | 'file.ready'
        | 'file.failed'
        | 'file.updated'
        | 'file.archived'
        | 'file.restored'
        | 'file.added_to_room'
        | 'file.removed_from_room'
        | 'file.permission_set'
        | 'file.permission_revoked'
        | 'goal.created'
        | 'goal.updated'
        | 'goal.completed'
        | 'goal.canceled'
        | 'goal.reopened'
        | 'task.created'
        | 'task.assigned'
        | 'task.updated'
        | 'task.commented'
        | 'task.completed'
        | 'task.canceled'
        | 'task.reopened'
        | 'connection.shared'
        | 'connection.read'
        | 'connection.paused'
        | 'connection.resumed'
        | 'connection.stopped'
        | 'connection.failed'
        | 'connection.reconnected'
        | 'approval.requested'
        | 'approval.approved'
        | 'approval.declined'
        | 'approval.canceled'
        | 'approval.expired'
        | 'approval.executed'
        | 'approval.failed'
        | 'valuation.claimed'
        | 'valuation.completed'
        | 'valuation.failed'
        | 'valuation.superseded'
        | 'room.exported'
        | 'room.terms_accepted'
        | 'room.*'
        | 'business.*'
        | 'participant.*'
        | 'attachment.*'
        | 'file.*'
        | 'goal.*'
        | 'task.*'
        | 'connection.*'
        | 'approval.*'
        | 'valuation.*'
      )[]
    | undefined
  /**
   * The cursor of a page of changes, or the id field of an event of a stream. A string of 1 to 18 digits
   * without a leading zero. It is opaque: it is neither a count nor an order.
   */
  cursor?: string | null | undefined
}

export interface GetEventInput {
  /** The ID of an event: evt_ and 26 characters of Crockford base32, of which the first is 0 to 7. */
  event_id: string
}

export interface GetEventAnswer extends Answered {
  data: Event
}

export interface Methods {
  /**
   * Check that the service runs, and which version of the interface it has.
   *
   * `GET /health`
   */
  readonly health: Method<HealthInput, HealthAnswer>

  /**
   * Check that the service can answer requests. The status is 503 while it cannot reach the database.
   *
   * `GET /ready`
   */
  readonly ready: Method<ReadyInput, ReadyAnswer>

  /**
   * Search published Businesses.
   *
   * All filters must match. They compare published facts only: a Business without a fact does not match
   * its filter. The results are sorted by ID and are not a census. Do not change the filters while you
   * follow a cursor. Continue while has_more is true, even after an empty page. Search never adds a
   * Business to a Workspace.
   *
   * `GET /v1/businesses`
   */
  readonly searchBusinesses: ListMethod<
    SearchBusinessesInput,
    SearchBusinessesAnswer,
    SearchBusinessesAnswer['data'][number]
  >

  /**
   * Retrieve a Business.
   *
   * Without SVC-Workspace-Id, the answer has the published facts. With it, you need businesses:read in
   * the Workspace, and can also retrieve its unpublished Businesses.
   *
   * `GET /v1/businesses/{business_id}`
   */
  readonly getBusiness: Method<GetBusinessInput, GetBusinessAnswer>

  /**
   * Create a Business as a draft that only your Workspace can see.
   *
   * The service first looks for the same Business among published Businesses and those of your
   * Workspace. A Business matches if it has the same website_url (ignoring the case of scheme and host,
   * and a final slash), or the same name and no different state or city. match_policy decides what
   * happens on a match.
   *
   * `POST /v1/businesses`
   */
  readonly createBusiness: Method<CreateBusinessInput, CreateBusinessAnswer>

  /**
   * Update facts of a Business.
   *
   * Facts that you leave out do not change; null clears a fact. country_code, state, city, postal_code
   * and line1 are facts of the primary location; naics_code and naics_vintage are facts of the primary
   * classification. To change a fact that is published, you must send its source; otherwise the answer
   * is evidence_required. Setting a fact to its current value changes nothing and needs no source.
   *
   * `PATCH /v1/businesses/{business_id}`
   */
  readonly updateBusiness: Method<UpdateBusinessInput, UpdateBusinessAnswer>

  /**
   * Publish a Business, so that everybody can find it.
   *
   * A draft is published with its primary location and its primary classification. A withdrawn Business
   * is published with what was published before.
   *
   * `POST /v1/businesses/{business_id}/publish`
   */
  readonly publishBusiness: Method<PublishBusinessInput, PublishBusinessAnswer>

  /**
   * Withdraw a published Business, so that search no longer finds it.
   *
   * Workspaces that had the Business before it was published keep it. Workspaces that linked it while it
   * was published cannot see it until it is published again; their observations and profiles are kept.
   *
   * `POST /v1/businesses/{business_id}/withdraw`
   */
  readonly withdrawBusiness: Method<WithdrawBusinessInput, WithdrawBusinessAnswer>

  /**
   * List the Businesses of a Workspace, including unpublished ones and private observations.
   *
   * The list is sorted by ID. Pass page.cursor as cursor while page.has_more is true, with the same
   * Workspace and filter. An empty page does not mean that there are no other Businesses.
   *
   * `GET /v1/workspaces/{workspace_id}/businesses`
   */
  readonly listWorkspaceBusinesses: ListMethod<
    ListWorkspaceBusinessesInput,
    ListWorkspaceBusinessesAnswer,
    ListWorkspaceBusinessesAnswer['data'][number]
  >

  /**
   * Link a Business to the Workspace.
   *
   * The Business must be published, or have been linked to the Workspace before; the Workspace then sees
   * its earlier observations and profile again. Linking it again changes nothing.
   *
   * `POST /v1/workspaces/{workspace_id}/businesses`
   */
  readonly linkBusiness: Method<LinkBusinessInput, LinkBusinessAnswer>

  /**
   * Unlink a Business from the Workspace.
   *
   * The observations and the profile are kept, and are visible again when you link the Business again.
   * Other Workspaces are not affected.
   *
   * `POST /v1/workspaces/{workspace_id}/businesses/{business_id}/remove`
   */
  readonly unlinkBusiness: Method<UnlinkBusinessInput, UnlinkBusinessAnswer>

  /**
   * List the observations that the Workspace recorded of a Business, newest first.
   *
   * `GET /v1/businesses/{business_id}/observations`
   */
  readonly listObservations: ListMethod<
    ListObservationsInput,
    ListObservationsAnswer,
    ListObservationsAnswer['data'][number]
  >

  /**
   * Record an observation of a Business. It is private to the Workspace.
   *
   * The Business must be linked to the Workspace. Observations cannot be changed: for each key, the one
   * with the latest observed_on is current, and of those with the same day the one recorded last.
   * Retract a wrong observation.
   *
   * `POST /v1/businesses/{business_id}/observations`
   */
  readonly createObservation: Method<CreateObservationInput, CreateObservationAnswer>

  /**
   * Retract an observation.
   *
   * The observation is kept, and listed with include_retracted. The previous one of its key is current
   * again.
   *
   * `POST /v1/businesses/{business_id}/observations/{observation_id}/retract`
   */
  readonly retractObservation: Method<RetractObservationInput, RetractObservationAnswer>

  /**
   * Retrieve the logo and the notes that the Workspace keeps for a Business.
   *
   * `GET /v1/businesses/{business_id}/workspace-profile`
   */
  readonly getWorkspaceProfile: Method<GetWorkspaceProfileInput, GetWorkspaceProfileAnswer>

  /**
   * Save the logo and the notes that the Workspace keeps for a Business. They are private to the
   * Workspace.
   *
   * Fields that you leave out do not change; null clears a field. A logo_url that is not an http or
   * https URL, or contains credentials, is saved as null.
   *
   * `PUT /v1/businesses/{business_id}/workspace-profile`
   */
  readonly setWorkspaceProfile: Method<SetWorkspaceProfileInput, SetWorkspaceProfileAnswer>

  /**
   * List the Workspaces of which you are a member.
   *
   * `GET /v1/workspaces`
   */
  readonly listWorkspaces: ListMethod<
    ListWorkspacesInput,
    ListWorkspacesAnswer,
    ListWorkspacesAnswer['data'][number]
  >

  /**
   * Create a team Workspace.
   *
   * You become its owner. The Idempotency-Key never expires: the same key with the same name returns the
   * existing Workspace, and the same key with another name is refused.
   *
   * `POST /v1/workspaces`
   */
  readonly createWorkspace: Method<CreateWorkspaceInput, CreateWorkspaceAnswer>

  /**
   * Retrieve a Workspace.
   *
   * `GET /v1/workspaces/{workspace_id}`
   */
  readonly getWorkspace: Method<GetWorkspaceInput, GetWorkspaceAnswer>

  /**
   * Update the name, the metadata or the limit of storage of a Workspace.
   *
   * `PATCH /v1/workspaces/{workspace_id}`
   */
  readonly updateWorkspace: Method<UpdateWorkspaceInput, UpdateWorkspaceAnswer>

  /**
   * Close a Workspace permanently.
   *
   * Requires the access token of an owner. Afterwards nobody has access to the Workspace, including you.
   * Its data is kept.
   *
   * `POST /v1/workspaces/{workspace_id}/close`
   */
  readonly closeWorkspace: Method<CloseWorkspaceInput, CloseWorkspaceAnswer>

  /**
   * Retrieve your user, your memberships, your permissions and your Rooms.
   *
   * `GET /v1/me`
   */
  readonly getMe: Method<GetMeInput, GetMeAnswer>

  /**
   * List the Rooms in which you take part, in all Workspaces.
   *
   * As a guest or as a member, the latest invitation first. Each Room has the ID of its Workspace, which
   * all other operations in the Room need. The access_level is the one that you were given; general
   * access may give a member more. Rooms that are open to you by general access alone are in GET
   * /v1/rooms. An API key gets those of its own Workspace.
   *
   * `GET /v1/me/rooms`
   */
  readonly listMyRooms: ListMethod<ListMyRoomsInput, ListMyRoomsAnswer, ListMyRoomsAnswer['data'][number]>

  /**
   * Leave a Workspace.
   *
   * Requires an access token. Your API keys in the Workspace are revoked. The last owner cannot leave.
   *
   * `POST /v1/team/leave`
   */
  readonly leaveTeam: Method<LeaveTeamInput, LeaveTeamAnswer>

  /**
   * List the members of a Workspace.
   *
   * `GET /v1/team/members`
   */
  readonly listTeamMembers: ListMethod<
    ListTeamMembersInput,
    ListTeamMembersAnswer,
    ListTeamMembersAnswer['data'][number]
  >

  /**
   * Retrieve a member of a Workspace.
   *
   * `GET /v1/team/members/{membership_id}`
   */
  readonly getTeamMember: Method<GetTeamMemberInput, GetTeamMemberAnswer>

  /**
   * Update the role or the permissions of a member.
   *
   * You cannot grant or remove a permission that you lack. Only an owner can make a member an owner, or
   * change the role of an owner, and only with an access token. A Workspace keeps at least one owner.
   *
   * `PATCH /v1/team/members/{membership_id}`
   */
  readonly updateMembership: Method<UpdateMembershipInput, UpdateMembershipAnswer>

  /**
   * Remove a member from a Workspace and revoke their API keys.
   *
   * `POST /v1/team/members/{membership_id}/remove`
   */
  readonly removeMembership: Method<RemoveMembershipInput, RemoveMembershipAnswer>

  /**
   * Transfer your ownership of a Workspace to another member.
   *
   * Requires the access token of an owner. You become an admin.
   *
   * `POST /v1/team/transfer-ownership`
   */
  readonly transferOwnership: Method<TransferOwnershipInput, TransferOwnershipAnswer>

  /**
   * List the team invitations of a Workspace.
   *
   * `GET /v1/team/invitations`
   */
  readonly listTeamInvitations: ListMethod<
    ListTeamInvitationsInput,
    ListTeamInvitationsAnswer,
    ListTeamInvitationsAnswer['data'][number]
  >

  /**
   * Invite a person to the team of a Workspace.
   *
   * The service mails a link to the address. Only the owner of this address can accept the invitation,
   * within 14 days. If the address already has a pending invitation, it gets the role that you send and
   * a new link; the previous link stops working. A Workspace has at most 500 pending invitations.
   *
   * You cannot invite a person to a role that has permissions which you lack.
   *
   * `POST /v1/team/invitations`
   */
  readonly createTeamInvitation: Method<CreateTeamInvitationInput, CreateTeamInvitationAnswer>

  /**
   * Retrieve a team invitation.
   *
   * `GET /v1/team/invitations/{invitation_id}`
   */
  readonly getTeamInvitation: Method<GetTeamInvitationInput, GetTeamInvitationAnswer>

  /**
   * Resend a pending team invitation with a new link.
   *
   * The previous link stops working, and the 14 days start again.
   *
   * `POST /v1/team/invitations/{invitation_id}/resend`
   */
  readonly resendTeamInvitation: Method<ResendTeamInvitationInput, ResendTeamInvitationAnswer>

  /**
   * Revoke a pending team invitation.
   *
   * `POST /v1/team/invitations/{invitation_id}/revoke`
   */
  readonly revokeTeamInvitation: Method<RevokeTeamInvitationInput, RevokeTeamInvitationAnswer>

  /**
   * Accept an invitation.
   *
   * Requires an access token whose email address is the invited one and is verified by the issuer. An
   * invitation can be accepted once. An invitation to a team makes you a member of the Workspace, and
   * the answer has data, membership, workspace and access. An invitation to a Room makes you a
   * participant of the Room, not a member of the Workspace, and the answer has participant and room.
   *
   * `POST /v1/invitations/accept`
   */
  readonly acceptInvitation: Method<AcceptInvitationInput, AcceptInvitationAnswer>

  /**
   * Decline an invitation.
   *
   * Requires an access token whose email address is the invited one and is verified by the issuer.
   *
   * `POST /v1/invitations/decline`
   */
  readonly declineInvitation: Method<DeclineInvitationInput, DeclineInvitationAnswer>

  /**
   * Retrieve an invitation without accepting or declining it.
   *
   * An invitation to a team has a role. An invitation to a Room has a room_title and an access_level.
   *
   * `POST /v1/invitations/inspect`
   */
  readonly inspectInvitation: Method<InspectInvitationInput, InspectInvitationAnswer>

  /**
   * List the API keys of a Workspace.
   *
   * `GET /v1/api-keys`
   */
  readonly listApiKeys: ListMethod<ListApiKeysInput, ListApiKeysAnswer, ListApiKeysAnswer['data'][number]>

  /**
   * Create an API key that acts for you in the Workspace.
   *
   * `POST /v1/api-keys`
   */
  readonly createApiKey: Method<CreateApiKeyInput, CreateApiKeyAnswer>

  /**
   * Retrieve an API key. The answer does not include its secret.
   *
   * `GET /v1/api-keys/{key_id}`
   */
  readonly getApiKey: Method<GetApiKeyInput, GetApiKeyAnswer>

  /**
   * Update the name, scopes, expiry or networks of an API key.
   *
   * The owner of the key can change all of these. Others can only restrict the key: to fewer scopes, an
   * earlier expiry, or networks within its current ones.
   *
   * `PATCH /v1/api-keys/{key_id}`
   */
  readonly updateApiKey: Method<UpdateApiKeyInput, UpdateApiKeyAnswer>

  /**
   * Revoke an API key. It stops working at once, and cannot be restored.
   *
   * `POST /v1/api-keys/{key_id}/revoke`
   */
  readonly revokeApiKey: Method<RevokeApiKeyInput, RevokeApiKeyAnswer>

  /**
   * Rotate an API key: replace its secret.
   *
   * Only the owner of the key can rotate it.
   *
   * `POST /v1/api-keys/{key_id}/rotate`
   */
  readonly rotateApiKey: Method<RotateApiKeyInput, RotateApiKeyAnswer>

  /**
   * Retrieve the outcome of a change by its Idempotency-Key.
   *
   * Finds only changes that you made: in the Workspace that SVC-Workspace-Id names or, without this
   * header, outside of any Workspace. The status unknown means that nothing was changed with this key,
   * or that the key has expired.
   *
   * `GET /v1/commands/{idempotency_key}`
   */
  readonly getCommand: Method<GetCommandInput, GetCommandAnswer>

  /**
   * List the Lists of the Workspace.
   *
   * Sorted by ID. A page of large Lists has fewer items than limit; continue while has_more is true.
   *
   * `GET /v1/lists`
   */
  readonly listLists: ListMethod<ListListsInput, ListListsAnswer, ListListsAnswer['data'][number]>

  /**
   * Create a List.
   *
   * The members of a List follow from its rule: published Businesses, and drafts and withdrawn
   * Businesses of the Workspace. Everybody in the Workspace who may read Lists sees it. A Workspace has
   * at most 10,000 Lists.
   *
   * `POST /v1/lists`
   */
  readonly createList: Method<CreateListInput, CreateListAnswer>

  /**
   * Retrieve a List.
   *
   * `GET /v1/lists/{list_id}`
   */
  readonly getList: Method<GetListInput, GetListAnswer>

  /**
   * Update the name, the description or the definition of a List.
   *
   * A definition replaces the whole one; subject_type cannot change. Overrides and values stay. An
   * archived or restricted List can be updated, and keeps its status.
   *
   * `PATCH /v1/lists/{list_id}`
   */
  readonly updateList: Method<UpdateListInput, UpdateListAnswer>

  /**
   * Archive a List.
   *
   * Its definition, overrides and values are kept and can be read. Values and overrides cannot be set
   * until it is restored.
   *
   * `POST /v1/lists/{list_id}/archive`
   */
  readonly archiveList: Method<ArchiveListInput, ArchiveListAnswer>

  /**
   * Restore an archived List.
   *
   * The List becomes active again, with its definition, overrides and values.
   *
   * `POST /v1/lists/{list_id}/restore`
   */
  readonly restoreList: Method<RestoreListInput, RestoreListAnswer>

  /**
   * Show which Businesses a definition matches, before it is saved.
   *
   * With list_id, the overrides of that List apply, and added and removed compare with its members now.
   * It changes nothing and needs no Idempotency-Key.
   *
   * `POST /v1/lists/preview`
   */
  readonly previewList: Method<PreviewListInput, PreviewListAnswer>

  /**
   * Count the members of a List.
   *
   * The count is as you see it. It has no version of its own and does not change that of the List. If
   * counting takes too long, the count is estimated from a sample.
   *
   * `POST /v1/lists/{list_id}/count`
   */
  readonly countList: Method<CountListInput, CountListAnswer>

  /**
   * Add a column to a List.
   *
   * The column becomes the last one. Its values are private to the List and never change the facts of a
   * Business. A List has at most 100 columns, and at most 1,000 with archived ones.
   *
   * `POST /v1/lists/{list_id}/columns`
   */
  readonly createListColumn: Method<CreateListColumnInput, CreateListColumnAnswer>

  /**
   * Rename or move a column.
   *
   * The other columns move up or down to make room. The value_type of a column cannot change.
   *
   * `PATCH /v1/lists/{list_id}/columns/{column_id}`
   */
  readonly updateListColumn: Method<UpdateListColumnInput, UpdateListColumnAnswer>

  /**
   * Archive a column.
   *
   * The column is hidden. Its values and their history are kept.
   *
   * `POST /v1/lists/{list_id}/columns/{column_id}/archive`
   */
  readonly archiveListColumn: Method<ArchiveListColumnInput, ArchiveListColumnAnswer>

  /**
   * Restore an archived column.
   *
   * The column becomes the last one, with the values that it had.
   *
   * `POST /v1/lists/{list_id}/columns/{column_id}/restore`
   */
  readonly restoreListColumn: Method<RestoreListColumnInput, RestoreListColumnAnswer>

  /**
   * List the members of a List with their values.
   *
   * The members are evaluated for you on every page: of the Businesses that the Workspace can see, those
   * that meet the rule or are included, and are not excluded. Without sort they are sorted by ID. A page
   * may have fewer items than limit, or none, while has_more is true: each request examines a limited
   * number of Businesses, and returns a limited amount of text. Keep filter and sort unchanged while you
   * follow a cursor.
   *
   * `GET /v1/lists/{list_id}/entries`
   */
  readonly listListEntries: ListMethod<
    ListListEntriesInput,
    ListListEntriesAnswer,
    ListListEntriesAnswer['data'][number]
  >

  /**
   * Retrieve a member of a List with its values.
   *
   * A Business that is not a member is not found.
   *
   * `GET /v1/lists/{list_id}/entries/{member_id}`
   */
  readonly getListEntry: Method<GetListEntryInput, GetListEntryAnswer>

  /**
   * List the overrides of a List.
   *
   * Sorted by the ID of the member; those of Businesses that the Workspace cannot see are left out.
   * Expired ones are listed too, with their expires_at.
   *
   * `GET /v1/lists/{list_id}/overrides`
   */
  readonly listListOverrides: ListMethod<
    ListListOverridesInput,
    ListListOverridesAnswer,
    ListListOverridesAnswer['data'][number]
  >

  /**
   * Include a Business in a List or exclude it, whatever the rule says.
   *
   * The Workspace must see the Business. The override replaces an earlier one and outlives changes of
   * the rule; null removes it. A List has at most 10,000 overrides.
   *
   * `PUT /v1/lists/{list_id}/overrides/{member_id}`
   */
  readonly setListOverride: Method<SetListOverrideInput, SetListOverrideAnswer>

  /**
   * Set or clear a value of a member.
   *
   * The Business must be a member of the List now. The value is private to the List and never changes
   * the facts of the Business.
   *
   * `PUT /v1/lists/{list_id}/entries/{member_id}/values/{column_id}`
   */
  readonly setListEntryValue: Method<SetListEntryValueInput, SetListEntryValueAnswer>

  /**
   * List what was written into a value of a member, newest first.
   *
   * The Business must be a member of the List now.
   *
   * `GET /v1/lists/{list_id}/entries/{member_id}/values/{column_id}/history`
   */
  readonly listListEntryValueHistory: ListMethod<
    ListListEntryValueHistoryInput,
    ListListEntryValueHistoryAnswer,
    ListListEntryValueHistoryAnswer['data'][number]
  >

  /**
   * Set or clear up to 500 values at once.
   *
   * All values are written, or none: an invalid one is reported with its place. Each member and column
   * may be named once. The version of the List rises by one.
   *
   * `POST /v1/lists/{list_id}/values`
   */
  readonly setListEntryValues: Method<SetListEntryValuesInput, SetListEntryValuesAnswer>

  /**
   * List the Rooms that you can open.
   *
   * The list is sorted by ID. If you are not a member of the Workspace, it has the Rooms to which you
   * were invited. With a filter, a page may have fewer items than limit, or none; continue while
   * has_more is true.
   *
   * `GET /v1/rooms`
   */
  readonly listRooms: ListMethod<ListRoomsInput, ListRoomsAnswer, ListRoomsAnswer['data'][number]>

  /**
   * Create a Room.
   *
   * You get full access to the Room. With business_id, every member of the Workspace who may read
   * Businesses can view it; without, only the people you invite can open it. With parent_room_id, the
   * Room becomes a sub-room: you need full access to the parent, the sub-room has the Business of its
   * parent, only invited people can open it, and it cannot have sub-rooms of its own.
   *
   * `POST /v1/rooms`
   */
  readonly createRoom: Method<CreateRoomInput, CreateRoomAnswer>

  /**
   * Retrieve a Room.
   *
   * `GET /v1/rooms/{room_id}`
   */
  readonly getRoom: Method<GetRoomInput, GetRoomAnswer>

  /**
   * Update the title, purpose or general access of an active Room.
   *
   * Requires full access to the Room. The general_access of a sub-room is always invited_only.
   *
   * `PATCH /v1/rooms/{room_id}`
   */
  readonly updateRoom: Method<UpdateRoomInput, UpdateRoomAnswer>

  /**
   * Archive a Room.
   *
   * Requires full access to the Room. An archived Room is read-only, and so are its sub-rooms, whose own
   * status does not change.
   *
   * `POST /v1/rooms/{room_id}/archive`
   */
  readonly archiveRoom: Method<ArchiveRoomInput, ArchiveRoomAnswer>

  /**
   * Restore an archived Room.
   *
   * Requires full access to the Room. The Room becomes active again.
   *
   * `POST /v1/rooms/{room_id}/restore`
   */
  readonly restoreRoom: Method<RestoreRoomInput, RestoreRoomAnswer>

  /**
   * Explain the access level of a user in a Room, or on a File in it.
   *
   * Requires full access to the Room, except for your own level. With room_file_id, the answer is about
   * that File in the Room: a restricted File can be opened only with a permission on it or with full
   * access to the Room, so other reasons do not count.
   *
   * `GET /v1/rooms/{room_id}/access`
   */
  readonly getRoomAccess: Method<GetRoomAccessInput, GetRoomAccessAnswer>

  /**
   * Attach a Business or a List to a Room.
   *
   * Requires edit access to the Room. You must be able to open the Business or List. Attaching does not
   * share it: participants who cannot open it see the attachment without its name. Attaching it again
   * changes nothing.
   *
   * `POST /v1/rooms/{room_id}/attachments`
   */
  readonly attachRoomResource: Method<AttachRoomResourceInput, AttachRoomResourceAnswer>

  /**
   * Detach a Business or a List from a Room.
   *
   * Requires edit access to the Room.
   *
   * `POST /v1/rooms/{room_id}/attachments/{attachment_id}/remove`
   */
  readonly detachRoomResource: Method<DetachRoomResourceInput, DetachRoomResourceAnswer>

  /**
   * Give yourself full access to any Room of a Workspace that you own.
   *
   * Requires the access token of an owner of the Workspace. The access has no end date. An event shows
   * you and your reason to everybody in the Room. If you already have this access, nothing changes. Also
   * possible in an archived Room.
   *
   * `POST /v1/rooms/{room_id}/break-glass`
   */
  readonly breakGlass: Method<BreakGlassInput, BreakGlassAnswer>

  /**
   * Leave a Room.
   *
   * Requires an access token. Ends the access that you have as a participant; access through
   * general_access remains. The last participant who has full access without an end date cannot leave.
   * Also possible in an archived Room.
   *
   * `POST /v1/rooms/{room_id}/leave`
   */
  readonly leaveRoom: Method<LeaveRoomInput, LeaveRoomAnswer>

  /**
   * List the participants of a Room.
   *
   * The list has active participants and pending invitations, sorted by ID. If participant_visibility is
   * managers, people from outside the Workspace who lack full access see only members of the Workspace,
   * themselves and the invitations that they sent.
   *
   * `GET /v1/rooms/{room_id}/participants`
   */
  readonly listParticipants: ListMethod<
    ListParticipantsInput,
    ListParticipantsAnswer,
    ListParticipantsAnswer['participants'][number]
  >

  /**
   * Retrieve a participant of a Room, or an invitation to it, in any status.
   *
   * `GET /v1/rooms/{room_id}/participants/{participant_id}`
   */
  readonly getParticipant: Method<GetParticipantInput, GetParticipantAnswer>

  /**
   * Update the access level of an active participant or a pending invitation.
   *
   * Requires full access to the Room. You cannot lower the level of the last participant who has full
   * access without an end date.
   *
   * `PATCH /v1/rooms/{room_id}/participants/{participant_id}`
   */
  readonly updateParticipant: Method<UpdateParticipantInput, UpdateParticipantAnswer>

  /**
   * Revoke a participant or an invitation.
   *
   * Requires full access to the Room. Without it, you can revoke only invitations that you sent, while
   * they are pending. You cannot revoke the last participant who has full access without an end date.
   * Also possible in an archived Room.
   *
   * `POST /v1/rooms/{room_id}/participants/{participant_id}/revoke`
   */
  readonly revokeParticipant: Method<RevokeParticipantInput, RevokeParticipantAnswer>

  /**
   * Invite a person to a Room.
   *
   * Requires edit access to the Room. The service mails a link to the address. Only the owner of this
   * address can accept the invitation, once and within 14 days; accepting it does not add a member to
   * the Workspace. If the address already has a pending invitation, it gets the values that you send and
   * a new link; the previous link stops working. A Room has at most 500 participants, including
   * invitations.
   *
   * If participant_visibility is managers, people from outside the Workspace need full access to invite.
   *
   * `POST /v1/rooms/{room_id}/participants`
   */
  readonly inviteParticipant: Method<InviteParticipantInput, InviteParticipantAnswer>

  /**
   * Resend a pending invitation to a Room with a new link.
   *
   * Requires edit access to the Room. The previous link stops working, and the 14 days start again.
   *
   * `POST /v1/rooms/{room_id}/participants/{participant_id}/resend`
   */
  readonly resendInvitation: Method<ResendInvitationInput, ResendInvitationAnswer>

  /**
   * List the Files that you can open.
   *
   * The list is sorted by ID. With a filter, a page may have fewer items than limit, or none; continue
   * while has_more is true.
   *
   * `GET /v1/files`
   */
  readonly listFiles: ListMethod<ListFilesInput, ListFilesAnswer, ListFilesAnswer['data'][number]>

  /**
   * Retrieve a File.
   *
   * You see a File if you created it as a member of the Workspace, if you can open a Room that has it,
   * or if it belongs to a Business of the Workspace that you can read. Your access level is the highest
   * that one of these gives you: full access to your own Files, your level on the File in the Room, view
   * for Files of a Business.
   *
   * `GET /v1/files/{file_id}`
   */
  readonly getFile: Method<GetFileInput, GetFileAnswer>

  /**
   * Update the name, description, classification or tags of an active File.
   *
   * Requires edit access to the File.
   *
   * `PATCH /v1/files/{file_id}`
   */
  readonly updateFile: Method<UpdateFileInput, UpdateFileAnswer>

  /**
   * Archive a File.
   *
   * Requires full access to the File. Its versions are kept and it can still be read, in its Rooms too;
   * it takes no new versions and cannot be attached to Rooms.
   *
   * `POST /v1/files/{file_id}/archive`
   */
  readonly archiveFile: Method<ArchiveFileInput, ArchiveFileAnswer>

  /**
   * Restore an archived File.
   *
   * Requires full access to the File. The File becomes active again.
   *
   * `POST /v1/files/{file_id}/restore`
   */
  readonly restoreFile: Method<RestoreFileInput, RestoreFileAnswer>

  /**
   * Create a File from text.
   *
   * The File is ready at once. Its content is the UTF-8 of the text, byte for byte. With room_id the
   * File is added to the Room, which requires edit access to it; with business_id it belongs to the
   * Business, which requires that the Workspace has edit access to it. Without either, only you can open
   * it.
   *
   * `POST /v1/files/text`
   */
  readonly createTextFile: Method<CreateTextFileInput, CreateTextFileAnswer>

  /**
   * Read content of a File.
   *
   * Text is returned as UTF-8, in pages: continue with next_offset while has_more is true, and name
   * file_version_id, because a new version may arrive between two pages. A page ends between two
   * characters, so it may be shorter than max_bytes. Other content is returned as base64 if it has at
   * most 256 KiB; download larger Files. Nothing is changed, so no Idempotency-Key is needed.
   *
   * `POST /v1/files/{file_id}/content`
   */
  readonly readFileContent: Method<ReadFileContentInput, ReadFileContentAnswer>

  /**
   * Retrieve the text that was found in a File.
   *
   * The text of PDF, DOCX, XLSX, CSV and text Files, by pages: of a PDF its pages, of a workbook its
   * sheets.
   *
   * `GET /v1/files/{file_id}/text`
   */
  readonly getFileText: Method<GetFileTextInput, GetFileTextAnswer>

  /**
   * Create a File and begin the upload of its content.
   *
   * Send the content in parts to the addresses that `POST /v1/uploads/{upload_id}/part-urls` returns,
   * then complete the upload. With room_id the File is added to the Room, as pending until it is ready,
   * which requires edit access to the Room; with business_id it belongs to the Business, which requires
   * that the Workspace has edit access to it. Without either, only you can open it. An upload expires
   * after 24 hours without a new part, and after 7 days in any case. A person has at most 1,000 open
   * uploads in a Workspace.
   *
   * `POST /v1/files`
   */
  readonly createFileUpload: Method<CreateFileUploadInput, CreateFileUploadAnswer>

  /**
   * Begin the upload of a new version of a File.
   *
   * Requires edit access to the File. The new version becomes the current one when it is ready; until
   * then, and if it fails, the File keeps its current version.
   *
   * `POST /v1/files/{file_id}/versions`
   */
  readonly addFileVersion: Method<AddFileVersionInput, AddFileVersionAnswer>

  /**
   * List your uploads.
   *
   * The list is sorted by ID. With a filter, a page may have fewer items than limit, or none.
   *
   * `GET /v1/uploads`
   */
  readonly listUploads: ListMethod<ListUploadsInput, ListUploadsAnswer, ListUploadsAnswer['data'][number]>

  /**
   * Retrieve an upload.
   *
   * You see your own uploads, and those of Files that you may edit.
   *
   * `GET /v1/uploads/{upload_id}`
   */
  readonly getUpload: Method<GetUploadInput, GetUploadAnswer>

  /**
   * Abort an upload.
   *
   * The stored parts are deleted and the version fails. Aborting again changes nothing.
   *
   * `POST /v1/uploads/{upload_id}/abort`
   */
  readonly abortUpload: Method<AbortUploadInput, AbortUploadAnswer>

  /**
   * Complete an upload.
   *
   * Size and SHA-256 are checked over the stored content. If they are not as announced, the version
   * fails. Otherwise it is processed, and then becomes ready or fails; its status says so.
   *
   * `POST /v1/uploads/{upload_id}/complete`
   */
  readonly completeUpload: Method<CompleteUploadInput, CompleteUploadAnswer>

  /**
   * Send the whole content of a small upload at once.
   *
   * For content of at most 4 MiB, instead of parts. Requires edit access to the File. Then complete the
   * upload.
   *
   * `POST /v1/uploads/{upload_id}/content`
   */
  readonly uploadContent: Method<UploadContentInput, UploadContentAnswer>

  /**
   * Get addresses to send parts to.
   *
   * Send each part as the body of a PUT request to its address, with its headers and no credential.
   * Parts may be sent at the same time and again; the last one received counts. Nothing is changed by
   * this request, so no Idempotency-Key is needed. Keep the addresses secret until they expire.
   *
   * `POST /v1/uploads/{upload_id}/part-urls`
   */
  readonly createPartUrls: Method<CreatePartUrlsInput, CreatePartUrlsAnswer>

  /**
   * Retrieve how much content a Workspace has.
   *
   * A content counts once for each File that has it in a version, archived Files included. An open
   * upload counts with the size that it was announced with, until it is completed, aborted or expires.
   * If stored_bytes and promised_bytes would go beyond limit_bytes, new content is refused with
   * limit_reached.
   *
   * `GET /v1/workspaces/{workspace_id}/usage`
   */
  readonly getWorkspaceUsage: Method<GetWorkspaceUsageInput, GetWorkspaceUsageAnswer>

  /**
   * List the versions of a File.
   *
   * The list is sorted by number, the newest first.
   *
   * `GET /v1/files/{file_id}/versions`
   */
  readonly listFileVersions: ListMethod<
    ListFileVersionsInput,
    ListFileVersionsAnswer,
    ListFileVersionsAnswer['data'][number]
  >

  /**
   * Retrieve a version of a File.
   *
   * `GET /v1/files/{file_id}/versions/{file_version_id}`
   */
  readonly getFileVersion: Method<GetFileVersionInput, GetFileVersionAnswer>

  /**
   * Make an earlier version the newest one.
   *
   * Requires edit access to the File. The new version has the content of the earlier one, which must be
   * ready, and a number of its own.
   *
   * `POST /v1/files/{file_id}/versions/{file_version_id}/restore`
   */
  readonly restoreFileVersion: Method<RestoreFileVersionInput, RestoreFileVersionAnswer>

  /**
   * Process a failed version again.
   *
   * Requires edit access to the File. The content of the version must have been stored completely.
   *
   * `POST /v1/files/{file_id}/versions/{file_version_id}/retry`
   */
  readonly retryFileVersion: Method<RetryFileVersionInput, RetryFileVersionAnswer>

  /**
   * Download the content of a File.
   *
   * The answer is the content itself. Ranges and conditional requests are supported; the ETag is the
   * SHA-256 of the content. An invitation to a Room may exclude downloading.
   *
   * `GET /v1/files/{file_id}/download`
   */
  readonly downloadFile: Method<DownloadFileInput, Response>

  /**
   * Create a link to download a File once.
   *
   * Whoever has the link can download the File without a credential, once, until it expires, and as long
   * as you may still download the File yourself.
   *
   * `POST /v1/files/{file_id}/download-links`
   */
  readonly createDownloadLink: Method<CreateDownloadLinkInput, CreateDownloadLinkAnswer>

  /**
   * Retrieve a File in a Room.
   *
   * `GET /v1/room-files/{room_file_id}`
   */
  readonly getRoomFile: Method<GetRoomFileInput, GetRoomFileAnswer>

  /**
   * Update the place, the display name or the access mode of a File in a Room.
   *
   * Requires edit access to the File in the Room. Setting access_mode to inherit_room requires full
   * access: everybody in the Room can then open the File, and its permissions are revoked.
   *
   * `PATCH /v1/room-files/{room_file_id}`
   */
  readonly updateRoomFile: Method<UpdateRoomFileInput, UpdateRoomFileAnswer>

  /**
   * Remove a File from a Room.
   *
   * Requires edit access to the File in the Room. The File leaves the Room; the File itself and its
   * versions are not deleted.
   *
   * `POST /v1/room-files/{room_file_id}/archive`
   */
  readonly archiveRoomFile: Method<ArchiveRoomFileInput, ArchiveRoomFileAnswer>

  /**
   * Return an archived File to a Room.
   *
   * Requires edit access to the File in the Room. The File must be active, and not be in the Room by
   * another attachment.
   *
   * `POST /v1/room-files/{room_file_id}/restore`
   */
  readonly restoreRoomFile: Method<RestoreRoomFileInput, RestoreRoomFileAnswer>

  /**
   * List the Files of a Room.
   *
   * The list has the Files that you can open, sorted by index_path. Archived ones are listed with
   * status=archived only, for those who may edit them.
   *
   * `GET /v1/rooms/{room_id}/files`
   */
  readonly listRoomFiles: ListMethod<
    ListRoomFilesInput,
    ListRoomFilesAnswer,
    ListRoomFilesAnswer['data'][number]
  >

  /**
   * Attach a File to a Room.
   *
   * Requires edit access to the Room and full access to the File, because everybody in the Room can then
   * open it. The File must be ready. The Room always shows its newest ready version. Attaching a File
   * that the Room has already changes nothing. A Room has at most 20,000 Files, and a File is in at most
   * 100 Rooms.
   *
   * `POST /v1/rooms/{room_id}/files`
   */
  readonly attachRoomFile: Method<AttachRoomFileInput, AttachRoomFileAnswer>

  /**
   * List the permissions on a File in a Room.
   *
   * Requires full access to the File in the Room. Lists the active permissions.
   *
   * `GET /v1/room-files/{room_file_id}/permissions`
   */
  readonly listRoomFilePermissions: ListMethod<
    ListRoomFilePermissionsInput,
    ListRoomFilePermissionsAnswer,
    ListRoomFilePermissionsAnswer['data'][number]
  >

  /**
   * Grant a user a permission on a File in a Room.
   *
   * Requires full access to the File in the Room. The user must be able to open the Room. The first
   * permission restricts the File: from then on, only users with a permission and those with full access
   * to the Room can open it there. An earlier permission of the user is replaced. It ends with the
   * participation or the membership by which the user can open the Room.
   *
   * `POST /v1/room-files/{room_file_id}/permissions`
   */
  readonly setRoomFilePermission: Method<SetRoomFilePermissionInput, SetRoomFilePermissionAnswer>

  /**
   * Revoke a permission on a File in a Room.
   *
   * Requires full access to the File in the Room. The File stays restricted, also without any
   * permission.
   *
   * `POST /v1/room-files/{room_file_id}/permissions/{permission_id}/revoke`
   */
  readonly revokeRoomFilePermission: Method<RevokeRoomFilePermissionInput, RevokeRoomFilePermissionAnswer>

  /**
   * List the Goals that you can see.
   *
   * The list is sorted by ID. If you are not a member of the Workspace, it has the Goals of the Rooms
   * that you can open. With a filter, a page may have fewer items than limit, or none; continue while
   * has_more is true.
   *
   * `GET /v1/goals`
   */
  readonly listGoals: ListMethod<ListGoalsInput, ListGoalsAnswer, ListGoalsAnswer['data'][number]>

  /**
   * Create a Goal.
   *
   * A Goal in a Room is seen by those who can open the Room; you need edit access to it. A Goal without
   * a Room is seen by every member of the Workspace who may read Goals.
   *
   * `POST /v1/goals`
   */
  readonly createGoal: Method<CreateGoalInput, CreateGoalAnswer>

  /**
   * Retrieve a Goal.
   *
   * `GET /v1/goals/{goal_id}`
   */
  readonly getGoal: Method<GetGoalInput, GetGoalAnswer>

  /**
   * Update, complete or cancel an active Goal.
   *
   * With status, the Goal is completed or canceled, and terminal_reason is required. A Goal that is
   * completed or canceled cannot be updated; reopen it first. In a Room you need edit access.
   *
   * `PATCH /v1/goals/{goal_id}`
   */
  readonly updateGoal: Method<UpdateGoalInput, UpdateGoalAnswer>

  /**
   * Reopen a Goal that was completed or canceled.
   *
   * The Goal becomes active again. Its terminal_reason, completed_at and canceled_at are cleared; the
   * event of the change keeps them. In a Room you need edit access.
   *
   * `POST /v1/goals/{goal_id}/reopen`
   */
  readonly reopenGoal: Method<ReopenGoalInput, ReopenGoalAnswer>

  /**
   * List the Tasks that you can see.
   *
   * The list is sorted by ID. If you are not a member of the Workspace, it has the Tasks of the Rooms
   * that you can open. With a filter, a page may have fewer items than limit, or none; continue while
   * has_more is true.
   *
   * `GET /v1/tasks`
   */
  readonly listTasks: ListMethod<ListTasksInput, ListTasksAnswer, ListTasksAnswer['data'][number]>

  /**
   * Create a Task.
   *
   * A Task in a Room is seen by those who can open the Room. Creating one requires edit access to the
   * Room; a question requires view access only. A Task without a Room is seen by every member of the
   * Workspace who may read Tasks. With a Goal that is in a Room, the Task is in that Room too. Assigning
   * a Task does not give access to anything; the assignee gets a mail.
   *
   * `POST /v1/tasks`
   */
  readonly createTask: Method<CreateTaskInput, CreateTaskAnswer>

  /**
   * Retrieve a Task.
   *
   * `GET /v1/tasks/{task_id}`
   */
  readonly getTask: Method<GetTaskInput, GetTaskAnswer>

  /**
   * Update an unfinished Task.
   *
   * In a Room, this requires edit access or that you created the Task; its assignee can change the
   * status as well. A Task that is done or canceled cannot be updated; reopen it first.
   *
   * `PATCH /v1/tasks/{task_id}`
   */
  readonly updateTask: Method<UpdateTaskInput, UpdateTaskAnswer>

  /**
   * Cancel a Task.
   *
   * In a Room, this requires edit access or that you created the Task.
   *
   * `POST /v1/tasks/{task_id}/cancel`
   */
  readonly cancelTask: Method<CancelTaskInput, CancelTaskAnswer>

  /**
   * Complete a Task.
   *
   * In a Room, this requires edit access, or that you created the Task or it is assigned to you. If the
   * Task requires evidence, it needs at least one File: one of evidence_file_ids, or one that was added
   * earlier and is still there. Naming Files takes the permission files:read. A Task can have at most
   * 100 Files as evidence.
   *
   * `POST /v1/tasks/{task_id}/complete`
   */
  readonly completeTask: Method<CompleteTaskInput, CompleteTaskAnswer>

  /**
   * Reopen a Task that is done or canceled.
   *
   * Its status becomes open. Its terminal_reason, completed_at and canceled_at are cleared; the event of
   * the change keeps them. Its evidence stays. In a Room, this requires edit access, or that you created
   * the Task or it is assigned to you.
   *
   * `POST /v1/tasks/{task_id}/reopen`
   */
  readonly reopenTask: Method<ReopenTaskInput, ReopenTaskAnswer>

  /**
   * List the comments on a Task, oldest first.
   *
   * In a Room whose participant_visibility is managers, people from outside the Workspace who lack full
   * access do not see comments of each other.
   *
   * `GET /v1/tasks/{task_id}/comments`
   */
  readonly listTaskComments: ListMethod<
    ListTaskCommentsInput,
    ListTaskCommentsAnswer,
    ListTaskCommentsAnswer['data'][number]
  >

  /**
   * Comment on a Task.
   *
   * Everybody who sees the Task and may write Tasks can comment, also when it is done or canceled; not
   * in an archived Room. The revision of the Task stays. A Task can have at most 10,000 comments.
   *
   * `POST /v1/tasks/{task_id}/comments`
   */
  readonly createTaskComment: Method<CreateTaskCommentInput, CreateTaskCommentAnswer>

  /**
   * List the diligence request lists that the service has.
   *
   * `GET /v1/request-templates`
   */
  readonly listRequestTemplates: ListMethod<
    ListRequestTemplatesInput,
    ListRequestTemplatesAnswer,
    ListRequestTemplatesAnswer['data'][number]
  >

  /**
   * Create the Tasks of a diligence request list in a Room.
   *
   * Send template for one of the lists that the service has, or file_id for a CSV file in the Room, of
   * at most 1 MiB and 500 rows with a header. Requires edit access to the Room, and files:read for a
   * file. All rows become Tasks, or none: each row that is not valid is an error. A row without a kind
   * is an evidence_request; due_at is a date and time, or a day, of which the end in UTC counts;
   * assignee_email is the address of a user who can open the Room. Rows are counted as a spreadsheet
   * shows them, and the header is row 1. Each assignee gets one mail for the whole list.
   *
   * `POST /v1/rooms/{room_id}/requests`
   */
  readonly createRoomRequests: Method<CreateRoomRequestsInput, CreateRoomRequestsAnswer>

  /**
   * Show how far the Tasks of a Room are.
   *
   * It counts the Tasks of the Room that you can see.
   *
   * `GET /v1/rooms/{room_id}/requests/progress`
   */
  readonly getRequestProgress: Method<GetRequestProgressInput, GetRequestProgressAnswer>

  /**
   * List the shared connections of a Room.
   *
   * Sorted by ID. Those that were stopped are in the list too.
   *
   * `GET /v1/rooms/{room_id}/connections`
   */
  readonly listConnections: ListMethod<
    ListConnectionsInput,
    ListConnectionsAnswer,
    ListConnectionsAnswer['data'][number]
  >

  /**
   * Share a connection to an app with a Room.
   *
   * Requires edit access to the Room and the access token of a person: an API key cannot share. Send
   * either source_connection_id, to share a connection of yours from another Room of the Workspace, or
   * kind, plugin, label and config. The connection ends when you leave the Workspace or your
   * participation in the Room ends; while you have less than edit access to the Room, or not the
   * permission to share, it is paused. A Room can have at most 50 connections that are not stopped.
   *
   * `POST /v1/rooms/{room_id}/connections`
   */
  readonly shareConnection: Method<ShareConnectionInput, ShareConnectionAnswer>

  /**
   * Pause a shared connection.
   *
   * For the person who shares it, and for those with full access to the Room. Nobody can read it or
   * request actions until it is resumed. Approvals that are pending keep waiting and still expire; one
   * that is approved meanwhile waits for the resumption.
   *
   * `POST /v1/rooms/{room_id}/connections/{connection_id}/pause`
   */
  readonly pauseConnection: Method<PauseConnectionInput, PauseConnectionAnswer>

  /**
   * Read from a shared connection.
   *
   * Runs an operation that changes nothing in the app and requires no approval. Everybody who can open
   * the Room can read, while the connection is live. An event tells the Room and the person who shares
   * the connection. No Idempotency-Key is needed. An operation that changes something or requires an
   * approval is refused with forbidden: request it as an action. The app has ten seconds to answer.
   *
   * `POST /v1/rooms/{room_id}/connections/{connection_id}/read`
   */
  readonly readConnection: Method<ReadConnectionInput, ReadConnectionAnswer>

  /**
   * Make a connection live again whose app had refused access.
   *
   * For the person who shares it. Actions that were approved meanwhile and have not expired are run.
   *
   * `POST /v1/rooms/{room_id}/connections/{connection_id}/reconnect`
   */
  readonly reconnectConnection: Method<ReconnectConnectionInput, ReconnectConnectionAnswer>

  /**
   * Resume a paused connection.
   *
   * For the person who shares it, and for those with full access to the Room. Actions that were approved
   * meanwhile and have not expired are run. It is refused while the person who shares it has less than
   * edit access to the Room. A connection that was paused because of that becomes live without a
   * resumption; resuming it then runs the actions that wait, and is refused if none does.
   *
   * `POST /v1/rooms/{room_id}/connections/{connection_id}/resume`
   */
  readonly resumeConnection: Method<ResumeConnectionInput, ResumeConnectionAnswer>

  /**
   * Stop a shared connection for good.
   *
   * For the person who shares it, and for those with full access to the Room. Approvals that are pending
   * or wait for the resumption are canceled.
   *
   * `POST /v1/rooms/{room_id}/connections/{connection_id}/stop`
   */
  readonly stopConnection: Method<StopConnectionInput, StopConnectionAnswer>

  /**
   * List the approvals that you can see.
   *
   * The list is sorted by ID, and has the approvals of the Rooms that you can open. With a filter, a
   * page may have fewer items than limit, or none; continue while has_more is true.
   *
   * `GET /v1/approvals`
   */
  readonly listApprovals: ListMethod<
    ListApprovalsInput,
    ListApprovalsAnswer,
    ListApprovalsAnswer['data'][number]
  >

  /**
   * Retrieve an approval.
   *
   * `GET /v1/approvals/{approval_id}`
   */
  readonly getApproval: Method<GetApprovalInput, GetApprovalAnswer>

  /**
   * Approve a requested action.
   *
   * For the person who shares the connection, and for those with full access to the Room; also for their
   * own requests. Send the hash of the arguments that you read: with another one nothing happens. The
   * action is then run once, with exactly these arguments. While the connection is paused or its app
   * refuses it, the action waits until it is live again, and still expires on time. Nothing is run for a
   * requester or an approver who has lost what this requires: such a request can only be declined or
   * canceled, and one that was approved before is canceled.
   *
   * `POST /v1/approvals/{approval_id}/approve`
   */
  readonly approveApproval: Method<ApproveApprovalInput, ApproveApprovalAnswer>

  /**
   * Cancel a request that is pending.
   *
   * For the requester, and for those with full access to the Room. An API key cancels what it has
   * requested itself, and nothing else.
   *
   * `POST /v1/approvals/{approval_id}/cancel`
   */
  readonly cancelApproval: Method<CancelApprovalInput, CancelApprovalAnswer>

  /**
   * Decline a requested action.
   *
   * For the person who shares the connection, and for those with full access to the Room.
   *
   * `POST /v1/approvals/{approval_id}/decline`
   */
  readonly declineApproval: Method<DeclineApprovalInput, DeclineApprovalAnswer>

  /**
   * Request an action through a shared connection.
   *
   * Requires edit access to the Room, and that the connection is live. The person who shares the
   * connection is asked, and gets a mail; they or somebody with full access to the Room decide. An
   * operation that requires no approval runs at once, and the answer has its result. An API key can
   * request, and cannot decide. A Room can have at most 1,000 requests that are open.
   *
   * `POST /v1/rooms/{room_id}/connections/{connection_id}/actions`
   */
  readonly requestApproval: Method<RequestApprovalInput, RequestApprovalAnswer>

  /**
   * List the valuations of a Workspace.
   *
   * In the order of creation. Items have the conclusion, but neither inputs nor result.
   *
   * `GET /v1/valuations`
   */
  readonly listValuations: ListMethod<
    ListValuationsInput,
    ListValuationsAnswer,
    ListValuationsAnswer['data'][number]
  >

  /**
   * Create a valuation, and run it if you want.
   *
   * Without run, it is a draft: you can change it and add evidence before you run it.
   *
   * The Workspace must be able to see what the document names; it needs no other access to it. A
   * valuation of a Business belongs to that Business, unless business_id is null. What happens to it is
   * told, without figures, in each active Room of its Business.
   *
   * You can call this without an account: without SVC-Workspace-Id, and with no credential or an
   * anonymous access token. The answer then has a claim_token, once. With it in the header
   * SVC-Claim-Token you can read the valuation for 30 days, and a member of a Workspace can claim it.
   *
   * `POST /v1/valuations`
   */
  readonly createValuation: Method<CreateValuationInput, CreateValuationAnswer>

  /**
   * Retrieve a valuation.
   *
   * `GET /v1/valuations/{valuation_id}`
   */
  readonly getValuation: Method<GetValuationInput, GetValuationAnswer>

  /**
   * Update a draft.
   *
   * Each field that you send replaces the earlier one as a whole; weights with null removes them. A
   * completed valuation never changes; revise it.
   *
   * `PATCH /v1/valuations/{valuation_id}`
   */
  readonly updateValuation: Method<UpdateValuationInput, UpdateValuationAnswer>

  /**
   * Create a draft that replaces a completed valuation.
   *
   * The draft has the document and the evidence of the completed one, with the fields that you send. The
   * completed one stays as it is, and names the draft as superseded_by_id.
   *
   * `POST /v1/valuations/{valuation_id}/revise`
   */
  readonly reviseValuation: Method<ReviseValuationInput, ReviseValuationAnswer>

  /**
   * Run a draft.
   *
   * The same document, evidence, benchmark set and seed give the same result, byte for byte. If evidence
   * is missing, nothing changes. A completed valuation never changes.
   *
   * `POST /v1/valuations/{valuation_id}/run`
   */
  readonly runValuation: Method<RunValuationInput, RunValuationAnswer>

  /**
   * Sign a completed calculation.
   *
   * You take responsibility for it, so an API key cannot do this. The signature names the hash of the
   * result. What the engine concludes is a professional conclusion of value only once a person has
   * signed it.
   *
   * `POST /v1/valuations/{valuation_id}/sign`
   */
  readonly signValuation: Method<SignValuationInput, SignValuationAnswer>

  /**
   * List the evidence of a valuation.
   *
   * `GET /v1/valuations/{valuation_id}/evidence`
   */
  readonly listValuationEvidence: ListMethod<
    ListValuationEvidenceInput,
    ListValuationEvidenceAnswer,
    ListValuationEvidenceAnswer['data'][number]
  >

  /**
   * Add a File as evidence to a draft.
   *
   * The evidence is the version of the File, by its SHA-256: a later version does not change it. You
   * need to be able to open the File. Evidence that is dated after the valuation date must have been
   * known or knowable then.
   *
   * `POST /v1/valuations/{valuation_id}/evidence`
   */
  readonly addValuationEvidence: Method<AddValuationEvidenceInput, AddValuationEvidenceAnswer>

  /**
   * Read the financial statements of a draft from a File.
   *
   * The File is a CSV file of at most 1 MiB or an XLSX workbook, with at most 1,000 rows. One row has
   * the names of the periods, and the rows below it have a label before the first of these columns. A
   * label is found without regard to case and punctuation: by the mapping, or by the usual names, such
   * as Sales for revenue. Rows that are not used are reported as unmapped. The periods replace those of
   * the draft; its other inputs stay.
   *
   * Amounts may have commas between thousands, a currency sign, and a minus sign or parentheses if they
   * are negative; an empty cell gives no figure. What can be read in two ways is an error that names the
   * cell or the rows, and nothing changes. What does not add up is reported in the checks of the result,
   * not repaired.
   *
   * `POST /v1/valuations/{valuation_id}/statements`
   */
  readonly readValuationStatements: Method<ReadValuationStatementsInput, ReadValuationStatementsAnswer>

  /**
   * Compare two completed valuations line by line.
   *
   * What changed in the documents and by how much each change moved the point of the conclusion, if the
   * changes are made one after the other; then the lines of both calculations that differ. The moves add
   * up to the difference.
   *
   * `GET /v1/valuations/{valuation_id}/compare`
   */
  readonly compareValuations: Method<CompareValuationsInput, CompareValuationsAnswer>

  /**
   * Show the calculation of a completed valuation as a tree.
   *
   * The root is the point of the conclusion. The value of each node follows from its inputs.
   *
   * `GET /v1/valuations/{valuation_id}/explain`
   */
  readonly explainValuation: Method<ExplainValuationInput, ExplainValuationAnswer>

  /**
   * Retrieve the report of a completed valuation.
   *
   * Its sections are those of AICPA VS 100 paragraph .51. As json it is data; as md or html it is
   * content to save, of the type text/markdown or text/html, with charts in the HTML.
   *
   * `GET /v1/valuations/{valuation_id}/report`
   */
  readonly getValuationReport: FormatMethod<GetValuationReportInput, GetValuationReportAnswer>

  /**
   * Show what moves the conclusion of a completed valuation.
   *
   * `GET /v1/valuations/{valuation_id}/sensitivity`
   */
  readonly getValuationSensitivity: Method<GetValuationSensitivityInput, GetValuationSensitivityAnswer>

  /**
   * Claim a guest's valuation into the Workspace.
   *
   * It is then a valuation of a Business of the Workspace, on which you need edit access. A token can be
   * used once; whoever has it no longer reads the valuation with it. For each valuation you have ten
   * tries an hour.
   *
   * `POST /v1/valuations/{valuation_id}/claim`
   */
  readonly claimValuation: Method<ClaimValuationInput, ClaimValuationAnswer>

  /**
   * List the portfolios of a Workspace.
   *
   * `GET /v1/portfolios`
   */
  readonly listPortfolios: ListMethod<
    ListPortfoliosInput,
    ListPortfoliosAnswer,
    ListPortfoliosAnswer['data'][number]
  >

  /**
   * Create a portfolio.
   *
   * `POST /v1/portfolios`
   */
  readonly createPortfolio: Method<CreatePortfolioInput, CreatePortfolioAnswer>

  /**
   * Retrieve a portfolio.
   *
   * `GET /v1/portfolios/{portfolio_id}`
   */
  readonly getPortfolio: Method<GetPortfolioInput, GetPortfolioAnswer>

  /**
   * Update a portfolio.
   *
   * `PATCH /v1/portfolios/{portfolio_id}`
   */
  readonly updatePortfolio: Method<UpdatePortfolioInput, UpdatePortfolioAnswer>

  /**
   * List the holdings of a portfolio.
   *
   * `GET /v1/portfolios/{portfolio_id}/holdings`
   */
  readonly listHoldings: ListMethod<ListHoldingsInput, ListHoldingsAnswer, ListHoldingsAnswer['data'][number]>

  /**
   * Retrieve a holding of a portfolio.
   *
   * `GET /v1/portfolios/{portfolio_id}/holdings/{key}`
   */
  readonly getHolding: Method<GetHoldingInput, GetHoldingAnswer>

  /**
   * Set or remove a holding of a portfolio.
   *
   * A body of null removes the holding. A portfolio cannot hold itself, directly or through others. A
   * subject without an id needs the valuation_id of a completed valuation; a valuation that counts is of
   * 100 percent, for a Business of its equity, and never of invested_capital; without valuation_id, the
   * newest completed valuation of the subject that no completed one replaces counts when the portfolio
   * is valued.
   *
   * `PUT /v1/portfolios/{portfolio_id}/holdings/{key}`
   */
  readonly setHolding: Method<SetHoldingInput, SetHoldingAnswer>

  /**
   * List the assets of a Workspace.
   *
   * `GET /v1/assets`
   */
  readonly listAssets: ListMethod<ListAssetsInput, ListAssetsAnswer, ListAssetsAnswer['data'][number]>

  /**
   * Record an asset.
   *
   * It can be valued by the methods adjusted_net_assets and liquidation, whose items name it.
   *
   * `POST /v1/assets`
   */
  readonly createAsset: Method<CreateAssetInput, CreateAssetAnswer>

  /**
   * Retrieve an asset.
   *
   * `GET /v1/assets/{asset_id}`
   */
  readonly getAsset: Method<GetAssetInput, GetAssetAnswer>

  /**
   * Update an asset.
   *
   * `PATCH /v1/assets/{asset_id}`
   */
  readonly updateAsset: Method<UpdateAssetInput, UpdateAssetAnswer>

  /**
   * List the benchmark sets that a Workspace can use.
   *
   * The set of the service comes first on the first page.
   *
   * `GET /v1/benchmark-sets`
   */
  readonly listBenchmarkSets: ListMethod<
    ListBenchmarkSetsInput,
    ListBenchmarkSetsAnswer,
    ListBenchmarkSetsAnswer['data'][number]
  >

  /**
   * Import a benchmark set.
   *
   * It never changes. Valuations name it by its ID, and their results name its hash.
   *
   * `POST /v1/benchmark-sets`
   */
  readonly importBenchmarkSet: Method<ImportBenchmarkSetInput, ImportBenchmarkSetAnswer>

  /**
   * Retrieve a benchmark set with its rows.
   *
   * `GET /v1/benchmark-sets/{benchmark_set_id}`
   */
  readonly getBenchmarkSet: Method<GetBenchmarkSetInput, GetBenchmarkSetAnswer>

  /**
   * List the events of one Room, of the Rooms related to one Business, or of all Rooms that you can
   * open.
   *
   * The newest event comes first. All filters must match. Do not change them while you follow
   * next_cursor. Continue while has_more is true, even after an empty page.
   *
   * `GET /v1/events`
   */
  readonly listEvents: ListMethod<ListEventsInput, ListEventsAnswer, ListEventsAnswer['data'][number]>

  /**
   * List new events, oldest first, to keep a copy up to date.
   *
   * Events come in the order in which they were committed: if you continue from each cursor, you get
   * every event exactly once. Without a cursor, the list starts at the first event. Continue while
   * has_more is true, even after an empty page. The cursor depends only on events that you can see, and
   * reveals nothing about others.
   *
   * `GET /v1/events/changes`
   */
  readonly listEventChanges: ListMethod<
    ListEventChangesInput,
    ListEventChangesAnswer,
    ListEventChangesAnswer['data'][number]
  >

  /**
   * Retrieve an event of a Room that you can open.
   *
   * `GET /v1/events/{event_id}`
   */
  readonly getEvent: Method<GetEventInput, GetEventAnswer>
}
