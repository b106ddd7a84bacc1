/**
 * Long work without any effect, such as a computation in another thread. It depends on nothing but `asked`, which is compared by
 * its value. `gone` is aborted when the client has disconnected.
 */
export type Compute = (asked: never, gone: AbortSignal) => Promise<unknown>

/**
 * What the work made of `asked`. As long as nobody has done it for this, the transaction ends here, and the handler runs again
 * afterwards: it judges everything first, asks then, and saves at last.
 */
export type ComputedBy<Work extends Compute> = (asked: Parameters<Work>[0]) => Awaited<ReturnType<Work>>
