import { createReadStream } from 'node:fs'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { codeOf } from '../database/faults.ts'
import {
  blobKey,
  blobOfEntry,
  digestEntry,
  formatName,
  headerEntry,
  manifestEntry,
  restorableVersions,
  tableKey,
  tableOfEntry,
  type BackupHeader,
  type Manifest,
} from './archive-format.ts'
import { BackupError } from './backup-error.ts'
import { checkedContent, DamagedContent } from './content/checked-content.ts'
import type { NamedBlob } from './content/named-blobs.ts'
import { gather } from './gather.ts'
import type { BackupProgress } from './progress.ts'
import { RowDigest } from './rows.ts'
import { runsOf } from './runs.ts'
import { readTar, TarError, type TarEntry } from './tar.ts'

/** A file that was read to its end and is complete. */
export interface CheckedBackup {
  file: string
  header: BackupHeader
  manifest: Manifest
}

/** What is done with the contents of a backup, in their order. */
export interface ArchiveVisitor {
  /** All rows of a table. */
  rows(table: string, chunks: AsyncIterable<Buffer>): Promise<void>
  /** Content, which may be left unread. */
  blob(blob: NamedBlob, content: AsyncIterable<Buffer>): Promise<void>
}

/** Reads a whole backup. Throws BackupError unless it is complete and unaltered. */
export async function checkBackup(
  file: string,
  options: { onProgress?: (progress: BackupProgress) => void; signal?: AbortSignal | undefined } = {},
): Promise<CheckedBackup> {
  const { onProgress = () => undefined, signal } = options
  const archive = new Archive(file)
  await archive.read({
    async rows(_table, chunks) {
      for await (const _ of chunks) {
        signal?.throwIfAborted()
        onProgress({ phase: 'checking', rows: archive.rows })
      }
    },
    async blob(_blob, content) {
      for await (const _ of content) {
        signal?.throwIfAborted()
        onProgress({ phase: 'checking_content', bytes: archive.blobs.bytes, total_bytes: null })
      }
    },
  })
  return { file, header: archive.header, manifest: archive.manifest }
}

interface TableChunk {
  table: string
  rows: Buffer
}

interface ArchivedBlob {
  table: null
  blob: NamedBlob
  content: AsyncIterable<Buffer>
}

/** Reads a backup. */
export class Archive {
  readonly #file: string
  readonly #digests = new Map<string, RowDigest>()
  #lastBlob = ''
  #head: BackupHeader | undefined
  #manifest: Manifest | undefined
  #isWhole = false
  rows = 0
  readonly blobs = { count: 0, bytes: 0 }

  constructor(file: string) {
    this.#file = file
  }

  /** Known from the first rows on. */
  get header(): BackupHeader {
    if (!this.#head) throw this.#damaged('it has no header')
    return this.#head
  }

  /** Known at the end. */
  get manifest(): Manifest {
    if (!this.#manifest || !this.#isWhole) throw this.#damaged('it ends too early')
    return this.#manifest
  }

  /** Reads everything. Throws BackupError, at the latest at the end, if the file is not as it was written. */
  async read(visitor: ArchiveVisitor): Promise<void> {
    for await (const [table, parts] of runsOf(this.#parts(), part => part.table)) {
      if (table !== null) await visitor.rows(table, rowsOf(parts))
      else
        for await (const part of parts) if (part.table === null) await visitor.blob(part.blob, part.content)
    }
  }

  async *#parts(): AsyncGenerator<TableChunk | ArchivedBlob> {
    const input = createReadStream(this.#file, { highWaterMark: 256 * 1024 })
    const bytes = pipeline(input, createGunzip({ chunkSize: 256 * 1024 }), () => undefined)
    try {
      for await (const entry of readTar(bytes)) {
        const { name, before } = entry
        const [table, blob] = [tableOfEntry(name), blobOfEntry(name)]
        if (this.#isWhole) throw this.#damaged('something follows its end')
        else if (!this.#head) this.#head = await this.#readHead(entry)
        else if (table !== null && !this.#manifest && this.#lastBlob === '')
          yield this.#count({ table, rows: await gather(entry.content) })
        else if (blob && !this.#manifest) yield this.#countBlob({ ...blob, size_bytes: entry.size }, entry)
        else if (name === manifestEntry && !this.#manifest) this.#manifest = await this.#readManifest(entry)
        else if (name === digestEntry && this.#manifest)
          this.#isWhole = await this.#isAsWritten(entry, before)
        else throw this.#damaged(`it has an entry of an unknown kind, ${name}`)
      }
      if (!this.#isWhole) throw this.#damaged('it ends too early')
    } catch (error) {
      throw this.#asBackupError(error) ?? error
    } finally {
      input.destroy()
    }
  }

  async #readHead({ name, content }: TarEntry): Promise<BackupHeader> {
    const head = name === headerEntry ? await readJson<BackupHeader>(content) : undefined
    if (head?.format !== formatName) throw this.#damaged('it was not made by this service')
    if (restorableVersions.includes(head.format_version)) return head
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

  #countBlob(blob: NamedBlob, { content }: TarEntry): ArchivedBlob {
    const key = blobKey(blob)
    if (key <= this.#lastBlob) throw this.#damaged(`its content ${key} is not in its order`)
    this.#lastBlob = key
    this.blobs.count++
    return { table: null, blob, content: this.#contentOf(blob, content) }
  }

  async *#contentOf(blob: NamedBlob, content: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
    try {
      for await (const piece of checkedContent(content, blob)) {
        this.blobs.bytes += piece.length
        yield piece
      }
    } catch (error) {
      if (error instanceof DamagedContent)
        throw this.#damaged(`the content ${blobKey(blob)} is not what was written`)
      throw this.#asBackupError(error) ?? error
    }
  }

  async #readManifest({ content }: TarEntry): Promise<Manifest> {
    const manifest = await readJson<Manifest>(content)
    for (const table of manifest.tables) {
      const read = this.#digests.get(tableKey(table)) ?? new RowDigest()
      if (read.rows !== table.rows || read.bytes !== table.bytes || read.sha256() !== table.sha256)
        throw this.#damaged(`the rows of ${tableKey(table)} are not those that were written`)
    }
    const known = new Set(manifest.tables.map(tableKey))
    for (const table of this.#digests.keys())
      if (!known.has(table)) throw this.#damaged(`it has rows of ${table}, which it does not list`)
    if (this.blobs.count !== (manifest.blobs?.count ?? 0))
      throw this.#damaged('its content is not all that was written')
    return manifest
  }

  async #isAsWritten({ content }: TarEntry, before: string): Promise<true> {
    if ((await gather(content)).toString().trim() === before) return true
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

async function* rowsOf(parts: AsyncIterable<TableChunk | ArchivedBlob>): AsyncGenerator<Buffer> {
  for await (const part of parts) if (part.table !== null) yield part.rows
}

async function readJson<T>(content: AsyncIterable<Buffer>): Promise<T> {
  return JSON.parse((await gather(content)).toString()) as T
}
