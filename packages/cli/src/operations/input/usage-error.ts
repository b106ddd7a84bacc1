/** A mistake in a command line: where it is, and in `detail` what would be right. */
export interface Mistake {
  /** As the user wrote it, or would have: `--title`, `<room_id>`, `--input`. */
  where: string
  detail: string
  suggestion?: string
}

/** A command line is not right. Nothing was sent. */
export class UsageError extends Error {
  readonly mistakes: readonly Mistake[]

  constructor(mistakes: readonly Mistake[]) {
    super(mistakes.map(({ where, detail }) => `${where}: ${detail}`).join('\n'))
    this.mistakes = mistakes
  }
}
