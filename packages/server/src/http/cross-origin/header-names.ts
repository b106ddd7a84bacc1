/** The headers that requests may have: all that the service reads and a page must ask for. */
export const requestHeaders = [
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'If-Range',
  'Last-Event-ID',
  'Range',
  'SVC-Claim-Token',
  'SVC-Workspace-Id',
  'X-SVC-API-Key',
]

/** The headers of answers that a page may read, besides those that it may read of every answer, such as Content-Type. */
export const answerHeaders = [
  'Accept-Ranges',
  'Content-Disposition',
  'Content-Range',
  'ETag',
  'Idempotent-Replayed',
  'RateLimit',
  'RateLimit-Policy',
  'Repr-Digest',
  'Retry-After',
  'SVC-API-Version',
  'SVC-Request-Id',
  'SVC-Version',
  'WWW-Authenticate',
]
