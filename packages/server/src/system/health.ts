import { createHash } from 'node:crypto'
import { openApiDocument } from '@wbs/contract/openapi'
import { health, apiVersion } from '@wbs/contract/system'
import { canonicalJson } from '@wbs/contract/json/canonical-json'
import { implement } from '../call/implement.ts'

export type Environment = 'development' | 'test' | 'production'

/** Answers as long as the process runs, even without a database. The answer contains only public information. */
export const handleHealth = (environment: Environment) =>
  implement(health, async function health() {
    schemaHash ??= digestOf(openApiDocument())
    return {
      result: {
        service: 'svc',
        environment,
        status: 'ok',
        schema_version: apiVersion,
        schema_hash: schemaHash,
      },
    }
  })

/** The digest of the OpenAPI document. It takes a fifth of a second, so it is computed for the first answer that shows it. */
let schemaHash: string | undefined

const digestOf = (document: object) =>
  `sha256:${createHash('sha256')
    .update(canonicalJson(document) ?? '')
    .digest('hex')}`
