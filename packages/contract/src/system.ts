import { T } from './json/type.ts'
import { query } from './operation.ts'
import { openSet } from './schema.ts'

/** The version of this interface. */
export const apiVersion = '0.2.0-api.20'

export const health = query('health', {
  http: 'GET /health',
  summary: 'Check that the service runs, and which version of the interface it has.',
  tag: 'System',
  audience: 'public',
  input: {},
  output: {
    service: T.String(),
    environment: openSet(['development', 'test', 'production']),
    status: openSet(['ok', 'degraded']),
    schema_version: T.String(),
    schema_hash: T.String({
      description: 'sha256: and the digest of the canonical OpenAPI document, in hexadecimal.',
    }),
  },
  problems: [],
  bare: true,
})

export const ready = query('ready', {
  http: 'GET /ready',
  summary:
    'Check that the service can answer requests. The status is 503 while it cannot reach the database.',
  tag: 'System',
  audience: 'public',
  input: {},
  output: { status: openSet(['ready']) },
  problems: [],
})
