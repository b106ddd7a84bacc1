import { randomBytes } from 'node:crypto'
import type { DeclaredPart } from '../blob-store.ts'

/** The content of a part, as far as the name of its file says it. */
export interface NamedPart extends DeclaredPart {
  crc32: number
}

const form = /^(\d{1,5})-(\d{1,16})-([0-9a-f]{8})-(\d{16}-[0-9a-f]{8})$/

/**
 * `<number>-<size>-<crc32>-<microseconds>-<random>`. The time orders the files of a part that was sent again. No name is
 * used twice, so whoever removes an older file cannot remove a newer one.
 */
export function newPartName({ part_number, size_bytes, crc32 }: NamedPart): string {
  const microseconds = Math.round((performance.timeOrigin + performance.now()) * 1000)
  const order = `${String(microseconds).padStart(16, '0')}-${randomBytes(4).toString('hex')}`
  return `${part_number}-${size_bytes}-${hexadecimal(crc32)}-${order}`
}

/** Null if it is no name of a part. */
export function readPartName(name: string): (NamedPart & { order: string }) | null {
  const [, number, size, crc32 = '', order] = form.exec(name) ?? []
  if (order === undefined) return null
  return { part_number: Number(number), size_bytes: Number(size), crc32: Number.parseInt(crc32, 16), order }
}

/** The same bytes have the same ETag, however often they are sent. */
export const etagOf = ({ size_bytes, crc32 }: NamedPart): string => `"${size_bytes}-${hexadecimal(crc32)}"`

const hexadecimal = (crc32: number) => crc32.toString(16).padStart(8, '0')
