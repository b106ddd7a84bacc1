/** Text that was read, and what the document is. */
export interface ReadDocument {
  pages: string[]
  is_cut: boolean
  summary: string
}

/** The content is broken, or an archive that is made to exhaust its reader. */
export class Unreadable extends Error {
  override name = 'Unreadable'
}

/** A document that only its password opens. */
export class Protected extends Error {
  override name = 'Protected'
}
