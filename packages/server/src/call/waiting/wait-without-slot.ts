/**
 * Releases the request's slot while it waits, and takes a slot again afterwards. Throws what `wait` throws, or
 * unavailable if no slot is free then.
 */
export type WaitWithoutSlot = <T>(wait: () => Promise<T>) => Promise<T>

/** For callers without a slot. */
export const waitAtOnce: WaitWithoutSlot = wait => wait()
