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

interface ProblemKind {
  status: number
  title: string
  /** Whether the same request, sent again unchanged, may succeed. */
  retryable: boolean
}

export const problems: Readonly<Record<ProblemCode, ProblemKind>> = {
  validation_error: { status: 400, title: 'The request is not valid', retryable: false },
  unauthenticated: { status: 401, title: 'The credential is missing or not valid', retryable: false },
  forbidden: { status: 403, title: 'You do not have permission to do this', retryable: false },
  not_found: { status: 404, title: 'The resource does not exist, or you cannot see it', retryable: false },
  method_not_allowed: { status: 405, title: 'The path does not support this method', retryable: false },
  not_acceptable: {
    status: 406,
    title: 'The client accepts no media type that the service can send',
    retryable: false,
  },
  revision_conflict: { status: 409, title: 'The resource has changed since you read it', retryable: false },
  state_conflict: {
    status: 409,
    title: 'The current state of the resource does not allow this',
    retryable: false,
  },
  idempotency_in_progress: {
    status: 409,
    title: 'The first request with this Idempotency-Key is still running',
    retryable: true,
  },
  already_exists: { status: 409, title: 'The resource already exists', retryable: false },
  limit_reached: {
    status: 409,
    title: 'The maximum number of these resources has been reached',
    retryable: false,
  },
  gone: { status: 410, title: 'The resource has expired', retryable: false },
  payload_too_large: { status: 413, title: 'The body is too large', retryable: false },
  unsupported_media_type: {
    status: 415,
    title: 'The media type of the body is not supported',
    retryable: false,
  },
  range_not_satisfiable: {
    status: 416,
    title: 'The content has no bytes in the requested range',
    retryable: false,
  },
  evidence_required: { status: 422, title: 'Evidence is missing', retryable: false },
  idempotency_key_reused: {
    status: 422,
    title: 'The Idempotency-Key was used for a different request',
    retryable: false,
  },
  download_required: {
    status: 422,
    title: 'The content is too large to read; download it',
    retryable: false,
  },
  unprocessable_content: { status: 422, title: 'The content cannot be processed', retryable: false },
  rate_limited: { status: 429, title: 'Too many requests', retryable: true },
  internal_error: { status: 500, title: 'An internal error occurred', retryable: false },
  unavailable: { status: 503, title: 'The service is temporarily unavailable', retryable: true },
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
