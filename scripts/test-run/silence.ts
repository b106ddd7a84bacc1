import { leaveNote, readNote } from './notes.ts'

/** Longer than a test and its hooks may take. Tests that hang end earlier, by the timeout of the runner. */
const SILENCE_MS = Number(process.env['WBS_TEST_SILENCE_MS'] ?? 11 * 60_000)

/** Ends files without output for a long time, such as one in an endless loop, which no timer in its process can detect. */
export class SilenceWatch {
  readonly #heardAt = new Map<string, number>()
  readonly #timer = setInterval(() => this.#endSilent(), Math.min(SILENCE_MS / 2, 10_000)).unref()

  hear(path: string): void {
    this.#heardAt.set(path, Date.now())
  }

  forget(path: string): void {
    this.#heardAt.delete(path)
  }

  stop(): void {
    clearInterval(this.#timer)
  }

  #endSilent(): void {
    for (const [path, at] of this.#heardAt) {
      if (Date.now() - at < SILENCE_MS) continue
      const pid = Number(readNote(path, 'process'))
      if (!Number.isInteger(pid) || pid <= 0) continue
      this.forget(path)
      leaveNote(
        path,
        'ending',
        `It was ended after ${Math.round(SILENCE_MS / 1000)} s in which no test of it ended.`,
      )
      process.kill(pid, 'SIGKILL')
    }
  }
}
