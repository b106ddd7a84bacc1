// npm run generate copies these types from packages/contract/src/problems.ts.

/** Every problem that the service can answer, and the members of its body that other problems do not have. */
export interface ProblemMembers {
  validation_error: { errors: InputError[] }
  unauthenticated: object
  forbidden: { required_permission?: string }
  not_found: object
  method_not_allowed: object
  not_acceptable: object
  revision_conflict: { expected: number; current: number; changed_fields: string[] }
  state_conflict: { current_status: string }
  idempotency_in_progress: object
  /** The existing resources that match, as far as the caller can see them. */
  already_exists: { candidates?: { id: string; name: string; matched_on: string[] }[] }
  limit_reached: object
  gone: object
  payload_too_large: object
  range_not_satisfiable: object
  unsupported_media_type: object
  evidence_required: {
    missing_evidence: { code: string; pointer: string; detail: string; accepted: string[] }[]
  }
  idempotency_key_reused: { original_request_id: string }
  download_required: object
  unprocessable_content: object
  rate_limited: { 'violated-policies': string[] }
  internal_error: object
  unavailable: object
}

export type ProblemCode = keyof ProblemMembers

/** One error of a request: its place, its kind, and in `detail` what would be right. */
export interface InputError {
  in: 'query' | 'path' | 'header' | 'body'
  pointer: string
  code:
    | 'required'
    | 'type'
    | 'format'
    | 'too_short'
    | 'too_long'
    | 'out_of_range'
    | 'unknown'
    | 'conflict'
    | 'requires'
    | 'immutable'
    | 'not_boundary'
  detail: string
  suggestion?: string
}

/** The body of every error answer (`application/problem+json`, RFC 9457). */
export type ProblemBody<C extends ProblemCode = ProblemCode> = {
  [K in C]: {
    type: string
    title: string
    status: number
    code: K
    detail: string
    instance: string
    request_id: string
    retryable: boolean
  } & ProblemMembers[K]
}[C]
