/** Whether modules of Node.js can be loaded: not in a browser. */
export const isNode = (): boolean =>
  (globalThis as { process?: { versions?: { node?: string } } }).process?.versions?.node !== undefined

/** Loads a module of Node.js. Its name is no literal, so that bundlers for browsers do not look for it. */
export const nodeModule = async (name: string): Promise<unknown> => import(`node:${name}`)
