import { Type as T } from 'typebox'
import { query } from './operation.ts'
import { openSet } from './schema.ts'

/** The version of this interface. */
export const apiVersion = '0.2.0-api.20'

export const health = query('health', {
  http: 'GET /health',
  summary: 'Say that the service runs, and which interface it speaks.',
  tag: 'System',
  audience: 'public',
  input: {},
  output: {
    service: T.String(),
    environment: openSet(['development', 'test', 'production']),
    status: openSet(['ok', 'degraded']),
    schema_version: T.String(),
    schema_hash: T.String({
      description: 'sha256: and the hex digest of the OpenAPI document in canonical form.',
    }),
  },
  problems: [],
  bare: true,
})

export const ready = query('ready', {
  http: 'GET /ready',
  summary: 'Say whether requests can be served now: 503 while the database cannot be reached.',
  tag: 'System',
  audience: 'public',
  input: {},
  output: { status: openSet(['ready']) },
  problems: [],
})
