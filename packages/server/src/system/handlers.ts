import { handleHealth, type Environment } from './health.ts'
import { handleReady } from './ready.ts'

/** What the handlers of the system are made with. */
export interface SystemParts {
  environment: Environment
  /** The digest of the OpenAPI document. */
  schema_hash: string
}

/** The handlers of this slice. A new one gets its line here. */
export const systemHandlers = ({ environment, schema_hash }: SystemParts) => [
  handleHealth(environment, schema_hash),
  handleReady(),
]
