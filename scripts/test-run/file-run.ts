import { relative } from 'node:path'

const OUTPUT_LINES = 60

/** A test file that runs or has run, with the results of its tests so far. */
export class FileRun {
  readonly name: string
  passed = 0
  failed = 0
  skipped = 0
  milliseconds = 0
  isDone = false
  /** The last output on stderr and the last message of Node about it, which show a crash. */
  readonly output: string[] = []
  readonly #titles = new Map<number, { name: string; parentId: number | undefined }>()

  constructor(path: string) {
    this.name = relative(process.cwd(), path)
  }

  /** Whether it has a test or suite at all. */
  get hasTests(): boolean {
    return this.#titles.size > 0
  }

  /** Records a test or suite by its number in the file. */
  note(test: { testId: number; name: string; parentId: number | undefined }): void {
    this.#titles.set(test.testId, test)
  }

  keepOutput(line: string): void {
    this.output.push(line)
    if (this.output.length > OUTPUT_LINES) this.output.shift()
  }

  /** The name of a test after those of the suites that it is in. */
  titleOf(testId: number): string {
    const test = this.#titles.get(testId)
    if (!test) return ''
    const parent = test.parentId ? this.titleOf(test.parentId) : ''
    return parent === '' ? test.name : `${parent} › ${test.name}`
  }
}
