import { closeSync, openSync, readSync, renameSync, statSync, truncateSync } from 'node:fs'

const KEPT_AT_START = 1024 * 1024
const KEPT_RUNNING = 16 * 1024 * 1024
const TAIL_BYTES = 4096
const TAIL_LINES = 12

/** Opens PostgreSQL's log for appending, and renames a long one first (one generation). `size` is in bytes. */
export function openLogFile(path: string): { descriptor: number; size: number } {
  if (sizeOf(path) > KEPT_AT_START) renameSync(path, `${path}.old`)
  return { descriptor: openSync(path, 'a', 0o600), size: sizeOf(path) }
}

/** Truncates a log that has grown too long while the server runs. The server appends to the rest. */
export function truncateLongLog(path: string): void {
  if (sizeOf(path) > KEPT_RUNNING) truncateSync(path)
}

/** The last lines written after `from` (bytes), for an error message. */
export function lastLines(path: string, from: number): string {
  const size = sizeOf(path)
  const start = Math.max(from, size - TAIL_BYTES)
  const bytes = Buffer.alloc(Math.max(0, size - start))
  const file = openSync(path, 'r')
  try {
    readSync(file, bytes, 0, bytes.length, start)
  } finally {
    closeSync(file)
  }
  return bytes.toString('utf8').trim().split('\n').slice(-TAIL_LINES).join('\n')
}

const sizeOf = (path: string) => statSync(path, { throwIfNoEntry: false })?.size ?? 0
