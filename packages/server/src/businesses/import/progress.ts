/** The rows of an import by outcome. At its end, read = created + updated + unchanged + rejected. */
export interface ImportCounts {
  read: number
  created: number
  updated: number
  unchanged: number
  rejected: number
}

/** The phase of an import: `waiting` for another one to end, then reading, matching and writing. */
export interface ImportProgress extends ImportCounts {
  phase: 'waiting' | 'reading' | 'matching' | 'writing'
  /** Since the start. */
  seconds: number
}

/** Counts the rows of an import and reports its progress. */
export class Progress {
  readonly counts: ImportCounts = { read: 0, created: 0, updated: 0, unchanged: 0, rejected: 0 }
  readonly #began = performance.now()
  readonly #listener: ((progress: ImportProgress) => void) | undefined

  constructor(listener: ((progress: ImportProgress) => void) | undefined) {
    this.#listener = listener
  }

  get seconds(): number {
    return (performance.now() - this.#began) / 1000
  }

  report(phase: ImportProgress['phase']): void {
    this.#listener?.({ phase, ...this.counts, seconds: this.seconds })
  }
}
