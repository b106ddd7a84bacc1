import { open, rm, stat } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { dirname } from 'node:path'
import { csvLine } from './csv-line.ts'
import { ImportError, messageOf } from './import-error.ts'
import type { Reason, RejectCode } from './row.ts'

/** A rejected row, its position and every reason. */
export interface Rejection {
  file: string
  line: number
  source: string
  source_id: string
  reasons: readonly Reason[]
  raw: string
}

const header = 'file,line,source,source_id,column,code,detail,row\n'

/**
 * The file of rejected rows, one line for each. If there are several reasons, column, code and detail list them in the same
 * order, separated by `; `.
 */
export class RejectsFile {
  #count = 0
  #unwritten = header
  #written = Promise.resolve()
  readonly #reasons = new Map<RejectCode, number>()
  readonly #path: string
  readonly #handle: FileHandle
  readonly #isFile: boolean // not /dev/null, which can be neither synced nor deleted

  private constructor(path: string, handle: FileHandle, isFile: boolean) {
    this.#path = path
    this.#handle = handle
    this.#isFile = isFile
  }

  /** How many rows were added. */
  get count(): number {
    return this.#count
  }

  /** How often each reason occurred. */
  get reasons(): Partial<Record<RejectCode, number>> {
    return Object.fromEntries(this.#reasons)
  }

  /** Overwrites the file. Throws an ImportError if it cannot be written, or is one of the files to import. */
  static async open(path: string, inputs: readonly string[]): Promise<RejectsFile> {
    try {
      if (await isOneOf(path, inputs)) throw new Error(`${path} is one of the files to import`)
      const handle = await open(path, 'w')
      const isFile = (await handle.stat()).isFile()
      if (isFile) await syncFolder(dirname(path))
      return new RejectsFile(path, handle, isFile)
    } catch (error) {
      throw new ImportError(`The file for rejected rows cannot be written: ${messageOf(error)}`, {
        cause: error,
      })
    }
  }

  add({ file, line, source, source_id, reasons, raw }: Rejection): void {
    const list = (of: keyof Reason) => reasons.map(reason => reason[of]).join('; ')
    const cells = [file, String(line), source, source_id, list('column'), list('code'), list('detail'), raw]
    this.#unwritten += `${csvLine(cells)}\n`
    this.#count++
    for (const { code } of reasons) this.#reasons.set(code, (this.#reasons.get(code) ?? 0) + 1)
  }

  /** Appends the added rows to the file, in order. */
  write(): Promise<void> {
    const text = this.#unwritten
    this.#unwritten = ''
    if (text !== '') this.#written = this.#written.then(() => this.#handle.appendFile(text))
    return this.#written
  }

  /** Writes, and waits until the data is on disk. */
  async sync(): Promise<void> {
    await this.write()
    if (this.#isFile) await this.#handle.sync()
  }

  /** Closes the file, and deletes it if there are no rejected rows. */
  async close(): Promise<void> {
    try {
      await this.sync()
    } finally {
      await this.#handle.close()
    }
    if (this.#count === 0 && this.#isFile) await rm(this.#path, { force: true })
  }
}

// Otherwise a crash of the machine could lose the name of the file while its content is on disk.
async function syncFolder(path: string): Promise<void> {
  await using folder = await open(path, 'r')
  await folder.sync()
}

async function isOneOf(path: string, others: readonly string[]): Promise<boolean> {
  const file = await stat(path).catch(() => undefined) // it does not exist yet
  if (!file) return false
  const all = await Promise.all(others.filter(other => other !== '-').map(other => stat(other)))
  return all.some(other => other.dev === file.dev && other.ino === file.ino)
}
