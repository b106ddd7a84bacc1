const versions = (): { node?: string; undici?: string } | undefined =>
  (globalThis as { process?: { versions?: object } }).process?.versions

/** Whether modules of Node.js can be loaded: not in a browser. */
export const isNode = (): boolean => versions()?.node !== undefined

/** Loads a module of Node.js. Its name is no literal, so that bundlers for browsers do not look for it. */
export const nodeModule = async (name: string): Promise<unknown> => import(`node:${name}`)

/** Whether the fetch function takes streams and sends them as they are read: that of Node.js, undici. */
export const tellsProgress = (): boolean => versions()?.undici !== undefined
