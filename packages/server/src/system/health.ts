import { health, apiVersion } from '@wbs/contract/system'
import { implement } from '../call/implement.ts'

export type Environment = 'development' | 'test' | 'production'

/** Answers while the process runs, whatever the database does: it says nothing that is not public. */
export const handleHealth = (environment: Environment, schema_hash: string) =>
  implement(health, async function health() {
    return {
      result: { service: 'svc', environment, status: 'ok', schema_version: apiVersion, schema_hash },
    }
  })
