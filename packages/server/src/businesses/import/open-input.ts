import { createReadStream } from 'node:fs'
import { access, constants } from 'node:fs/promises'
import { pipeline } from 'node:stream'
import { createGunzip } from 'node:zlib'
import { CsvReader } from './rows/csv.ts'
import type { CsvRecord } from './rows/csv.ts'
import { ImportError, messageOf } from './rows/import-error.ts'

const chunkSize = 256 * 1024

/** Throws an ImportError unless every file can be opened; `-` is standard input. */
export async function checkReadable(files: readonly string[]): Promise<void> {
  for (const file of files) {
    if (file === '-') continue
    await access(file, constants.R_OK).catch((error: NodeJS.ErrnoException) => {
      throw new ImportError(
        `${file} cannot be read: ${error.code === 'ENOENT' ? 'there is no such file' : error.message}`,
      )
    })
  }
}

/**
 * Reads a CSV file, gzip-compressed if its name ends in .gz, and yields its records, header included, one chunk of the file at
 * a time. Bytes that are not UTF-8 become U+FFFD. Throws an ImportError if the file ends too early.
 */
export async function* readCsvFile(file: string, limits?: { longest: number }): AsyncGenerator<CsvRecord[]> {
  const reader = new CsvReader(limits)
  const decoder = new TextDecoder('utf-8') // removes the byte order mark
  try {
    for await (const chunk of openInput(file)) yield reader.read(decoder.decode(chunk, { stream: true }))
  } catch (error) {
    throw new ImportError(`${file} cannot be read to its end: ${messageOf(error)}`, { cause: error })
  }
  yield reader.read(decoder.decode())
  yield reader.end()
}

function openInput(file: string): AsyncIterable<Buffer> {
  if (file === '-') return process.stdin
  const bytes = createReadStream(file, { highWaterMark: chunkSize })
  if (!file.endsWith('.gz')) return bytes
  // pipeline also closes the file if the reader stops early; errors are thrown where the chunks are read.
  return pipeline(bytes, createGunzip({ chunkSize }), () => undefined)
}
