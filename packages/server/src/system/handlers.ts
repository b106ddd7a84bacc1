import { handleHealth, type Environment } from './health.ts'
import { handleReady } from './ready.ts'

/** What the handlers of the system need. */
export interface SystemParts {
  environment: Environment
  /** The digest of the OpenAPI document. */
  schema_hash: string
  /** Whether the node is about to stop. */
  isDraining: () => boolean
}

/** The handlers of this slice. Add a line for each new handler. */
export const systemHandlers = ({ environment, schema_hash, isDraining }: SystemParts) => [
  handleHealth(environment, schema_hash),
  handleReady(isDraining),
]
