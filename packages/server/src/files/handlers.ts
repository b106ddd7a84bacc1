import type { Implementation } from '../call/implement.ts'

/** The handlers of this slice. Add a line for each new handler. */
export const fileHandlers: Implementation[] = []
