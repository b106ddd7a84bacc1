const MB = 1_000_000

/** What the inspection of one content may cost, and how much text is kept. */
export interface InspectionLimits {
  /** Inspections in child processes at once on this node, for each kind of turn; others wait in order. */
  concurrency: number
  /** Seconds of CPU time of a child, however large its content. */
  seconds: number
  /** Seconds of CPU time for content without size, and for each MiB of it. */
  seconds_at_least: number
  seconds_per_mib: number
  /** Seconds of CPU time of a short turn. Content that needs more is postponed to a long one. */
  short_seconds: number
  /** Seconds of wall time, after the child has its content, for each second of CPU time. */
  wall_ratio: number
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
  seconds_at_least: 5,
  seconds_per_mib: 5,
  short_seconds: 2,
  wall_ratio: 10,
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

/** The CPU time that content of a size may take in all, in seconds. */
export const secondsFor = (
  size_bytes: number,
  limits: Pick<InspectionLimits, 'seconds' | 'seconds_at_least' | 'seconds_per_mib'>,
): number =>
  Math.min(limits.seconds, limits.seconds_at_least + (size_bytes / 2 ** 20) * limits.seconds_per_mib)
