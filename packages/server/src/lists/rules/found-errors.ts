import { nearest } from '@wbs/contract/nearest'
import type { InputError } from '@wbs/contract/problems'

/** Limits the size of the answer; more errors than this help nobody. */
const mostErrors = 20

/** Gathers the errors of a request body, at most twenty. No message repeats what was submitted. */
export class FoundErrors {
  readonly errors: InputError[] = []

  get isFull(): boolean {
    return this.errors.length >= mostErrors
  }

  add(pointer: string, code: InputError['code'], detail: string, suggestion?: string): void {
    if (this.isFull) return
    this.errors.push({ in: 'body', pointer, code, detail, ...(suggestion !== undefined && { suggestion }) })
  }

  /** Adds that a value is none of the known ones, with the most similar one as the suggestion. */
  addUnknown(pointer: string, name: string, given: string, known: readonly string[]): void {
    this.add(pointer, 'unknown', `${name} must be one of ${known.join(', ')}.`, nearest(given, known))
  }

  addUnknownKeys(object: Record<string, unknown>, pointer: string, known: readonly string[]): void {
    const detail = `There is no key with this name here. The keys are ${known.join(', ')}.`
    for (const key in object) {
      if (this.isFull) return
      if (Object.hasOwn(object, key) && !known.includes(key))
        this.add(`${pointer}/${pointerToken(key)}`, 'unknown', detail, nearest(key, known))
    }
  }
}

/** A key as a part of a JSON pointer. A long key is cut off, because the answer is bounded. */
const pointerToken = (key: string) =>
  key.slice(0, 100).toWellFormed().replaceAll('~', '~0').replaceAll('/', '~1')

export const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
