import { handleRetryFileVersion } from './retry-file-version.ts'

/** The handlers of the processing of versions. */
export const processingHandlers = (parts: Parameters<typeof handleRetryFileVersion>[0]) => [
  handleRetryFileVersion(parts),
]
