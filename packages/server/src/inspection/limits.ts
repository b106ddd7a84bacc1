const MB = 1_000_000

/** What the inspection of one content may cost, and how much text is kept. */
export interface InspectionLimits {
  /** Inspections in child processes at once on this node; others wait in order. */
  concurrency: number
  /** Seconds of wall time after the child has its content, and of CPU time in all. */
  seconds: number
  /** Seconds in which storage must deliver the content. */
  delivery_seconds: number
  /** Resident memory of the child. */
  memory_mb: number
  /** Content above this is not extracted: only its first bytes, its encoding and malware are checked. */
  extract_bytes: number
  /** Text up to this is read without a child process. */
  in_process_bytes: number
  /** JSON above this is not parsed. */
  json_bytes: number
  zip_entries: number
  /** Inflated size of all entries. */
  zip_total_bytes: number
  /** Inflated by compressed size of an entry, for entries above `zip_ratio_from_bytes`. */
  zip_ratio: number
  zip_ratio_from_bytes: number
  /** UTF-8 bytes of all text. What comes after is dropped, and the summary says so. */
  text_bytes: number
  pages: number
  /** A longer page is split. */
  page_characters: number
  /** The length of the parts of a text without pages. */
  part_characters: number
}

export const defaultLimits: InspectionLimits = {
  concurrency: 1,
  seconds: 60,
  delivery_seconds: 600,
  memory_mb: 512,
  extract_bytes: 100 * MB,
  in_process_bytes: MB,
  json_bytes: 10 * MB,
  zip_entries: 10_000,
  zip_total_bytes: 2 ** 30,
  zip_ratio: 200,
  zip_ratio_from_bytes: 10 * MB,
  text_bytes: 10 * MB,
  pages: 5_000,
  page_characters: 100_000,
  part_characters: 20_000,
}
