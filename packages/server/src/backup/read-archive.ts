import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf } from '../database/faults.ts'
import {
  digestEntry,
  formatName,
  formatVersion,
  headerEntry,
  manifestEntry,
  tableKey,
  tableOfEntry,
  type BackupHeader,
  type Manifest,
} from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import type { BackupProgress } from './progress.ts'
import { RowDigest } from './rows.ts'
import { readTar, TarError } from './tar.ts'

/** A chunk of a table's rows. */
export interface TableChunk {
  table: string
  rows: Buffer
}

/** A file that was read to its end and is complete. */
export interface CheckedBackup {
  file: string
  header: BackupHeader
  manifest: Manifest
}

/** Reads a whole backup. Throws BackupError unless it is complete and unaltered. */
export async function checkBackup(
  file: string,
  options: { onProgress?: (progress: BackupProgress) => void; signal?: AbortSignal | undefined } = {},
): Promise<CheckedBackup> {
  const archive = new Archive(file)
  const chunks = archive.chunks()
  while (!(await chunks.next()).done) {
    options.signal?.throwIfAborted()
    options.onProgress?.({ phase: 'checking', rows: archive.rows })
  }
  return { file, header: archive.header, manifest: archive.manifest }
}

/** Reads a backup. */
export class Archive {
  readonly #file: string
  readonly #digests = new Map<string, RowDigest>()
  #head: BackupHeader | undefined
  #manifest: Manifest | undefined
  #isWhole = false
  rows = 0

  constructor(file: string) {
    this.#file = file
  }

  /** Known from the first chunk on. */
  get header(): BackupHeader {
    if (!this.#head) throw this.#damaged('it has no headerer')
    return this.#head
  }

  /** Known after the last chunk. */
  get manifest(): Manifest {
    if (!this.#manifest || !this.#isWhole) throw this.#damaged('it ends too early')
    return this.#manifest
  }

  /** The rows of all tables, in order. Throws BackupError, at the latest at the end, if the file is not as it was written. */
  async *chunks(): AsyncGenerator<TableChunk> {
    const input = createReadStream(this.#file, { highWaterMark: 256 * 1024 })
    const bytes = pipeline(input, createGunzip({ chunkSize: 256 * 1024 }), () => undefined)
    try {
      for await (const { name, content, before } of readTar(bytes)) {
        const table = tableOfEntry(name)
        if (this.#isWhole) throw this.#damaged('something follows its end')
        else if (!this.#head) this.#head = this.#readHead(name, content)
        else if (table !== null && !this.#manifest) yield this.#count({ table, rows: content })
        else if (name === manifestEntry && !this.#manifest) this.#manifest = this.#readManifest(content)
        else if (name === digestEntry && this.#manifest) this.#isWhole = this.#isAsWritten(content, before)
        else throw this.#damaged(`it has an entry of an unknown kind, ${name}`)
      }
      if (!this.#isWhole) throw this.#damaged('it ends too early')
    } catch (error) {
      throw this.#asBackupError(error) ?? error
    } finally {
      input.destroy()
    }
  }

  #readHead(name: string, content: Buffer): BackupHeader {
    const head = name === headerEntry ? (JSON.parse(content.toString()) as BackupHeader) : undefined
    if (head?.format !== formatName) throw this.#damaged('it was not made by this service')
    if (head.format_version === formatVersion) return head
    throw new BackupError(
      `${this.#file} was made by version ${head.service_version} of the service, in a format that this version does not know. Restore it with that version.`,
    )
  }

  #count(chunk: TableChunk): TableChunk {
    const digest = this.#digests.get(chunk.table) ?? new RowDigest()
    this.#digests.set(chunk.table, digest)
    const before = digest.rows
    digest.add(chunk.rows)
    this.rows += digest.rows - before
    return chunk
  }

  #readManifest(content: Buffer): Manifest {
    const manifest = JSON.parse(content.toString()) as Manifest
    for (const table of manifest.tables) {
      const read = this.#digests.get(tableKey(table)) ?? new RowDigest()
      if (read.rows !== table.rows || read.bytes !== table.bytes || read.sha256() !== table.sha256)
        throw this.#damaged(`the rows of ${tableKey(table)} are not those that were written`)
    }
    const known = new Set(manifest.tables.map(tableKey))
    for (const table of this.#digests.keys())
      if (!known.has(table)) throw this.#damaged(`it has rows of ${table}, which it does not list`)
    return manifest
  }

  #isAsWritten(content: Buffer, before: string): true {
    if (content.toString().trim() === before) return true
    throw this.#damaged('it was altered')
  }

  #damaged = (reason: string) => new BackupError(`${this.#file} is not a complete backup: ${reason}.`)

  #asBackupError(error: unknown): BackupError | null {
    if (codeOf(error) === 'ENOENT')
      return new BackupError(`${this.#file} cannot be read: there is no such file.`)
    if (/^E[A-Z]+$/.test(codeOf(error)))
      return new BackupError(`${this.#file} cannot be read: ${codeOf(error)}.`, { cause: error })
    if (codeOf(error) === 'Z_BUF_ERROR') return this.#damaged('it ends too early')
    if (codeOf(error).startsWith('Z_') || error instanceof SyntaxError)
      return this.#damaged('it was altered, or is something else')
    return error instanceof TarError ? this.#damaged(error.message) : null
  }
}
