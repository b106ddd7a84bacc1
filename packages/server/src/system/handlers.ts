import { handleHealth, type Environment } from './health.ts'
import { handleReady } from './ready.ts'

/** What the handlers of the system need. */
export interface SystemParts {
  environment: Environment
  /** Whether the node is about to stop. */
  isDraining: () => boolean
}

/** The handlers of this slice. Add a line for each new handler. */
export const systemHandlers = ({ environment, isDraining }: SystemParts) => [
  handleHealth(environment),
  handleReady(isDraining),
]
