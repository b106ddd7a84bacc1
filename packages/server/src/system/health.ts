import { health, apiVersion } from '@wbs/contract/system'
import { implement } from '../call/implement.ts'

export type Environment = 'development' | 'test' | 'production'

/** Answers as long as the process runs, even without a database. The answer contains only public information. */
export const handleHealth = (environment: Environment, schema_hash: string) =>
  implement(health, async function health() {
    return {
      result: { service: 'svc', environment, status: 'ok', schema_version: apiVersion, schema_hash },
    }
  })
