import { readGroup } from './group.ts'
import { readNote } from '../notes.ts'
import type { FileRun } from '../file-run.ts'
import type { Completed, Enqueued } from '../events.ts'

interface Place {
  testId: number
  parentId: number | undefined
}

/** The process of a group, whose files are suites. */
export class GroupRun {
  readonly path: string
  readonly name: string
  readonly #files: readonly FileRun[]
  /** The file of each test and suite, by its number in the process. */
  readonly #byTest = new Map<number, FileRun>()
  readonly #startedAt = new Map<FileRun, number>()
  #current: FileRun

  constructor(path: string, fileOf: (name: string) => FileRun) {
    const { name, files } = readGroup(path)
    this.path = path
    this.name = name
    this.#files = files.map(fileOf)
    this.#current = this.#files[0] as FileRun
  }

  /** The file that runs now, or has run last. */
  get current(): FileRun {
    return this.#current
  }

  /** The files that have not ended, in order. */
  get unfinished(): readonly FileRun[] {
    return this.#files.filter(file => !file.isDone)
  }

  /** The file in which the process has ended. It wrote down which, because the last events of a process may be lost. */
  get last(): FileRun {
    const noted = readNote(this.path, 'file')
    return this.#files.find(({ name }) => name === noted) ?? this.#current
  }

  /** Whether a file comes before another. */
  isBefore(file: FileRun, other: FileRun): boolean {
    return this.#files.indexOf(file) < this.#files.indexOf(other)
  }

  get output(): readonly string[] {
    return this.#current.output
  }

  /** Whether an event is about the suite of a file, and not about a test in it. */
  isFile({ parentId, nesting }: { parentId: number | undefined; nesting: number }): boolean {
    return !parentId && nesting === 0
  }

  /** Records the beginning of a file. Returns whether it is one. */
  begins(test: Enqueued): boolean {
    if (!this.isFile(test)) return false
    const file = this.#files.find(({ name }) => name === test.name)
    if (!file) throw new Error(`${test.name} is not a file of the group ${this.name}.`)
    this.#current = file
    this.#byTest.set(test.testId, file)
    this.#startedAt.set(file, performance.now())
    return true
  }

  /** The file that a test or suite belongs to. */
  fileOf({ testId, parentId }: Place): FileRun {
    const file =
      this.#byTest.get(testId) ?? (parentId ? this.#byTest.get(parentId) : undefined) ?? this.#current
    this.#byTest.set(testId, file)
    return file
  }

  /** How long a file took, with its loading. */
  millisecondsOf(file: FileRun): number {
    return performance.now() - (this.#startedAt.get(file) ?? performance.now())
  }

  /** The file whose suite has ended, or undefined if the event is about a test in it. */
  ends(test: Completed): FileRun | undefined {
    return this.isFile(test) ? this.fileOf(test) : undefined
  }
}
