/** A place in a file, and the text that is put there. */
export type Change = readonly [place: RegExp, text: string]

/** What a noun of a kind consists of. */
export interface NounParts {
  /** The files of its folders, by name. */
  contract: string
  server: Record<string, string>
  migration: string
  tests: Record<string, string>
  /** The names of its operations, such as `create-site-visit`. */
  operations: string[]
  /** What other files have to say of it, besides the lists of all nouns. */
  changes: Record<string, Change[]>
}
