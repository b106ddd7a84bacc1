import { createHash } from 'node:crypto'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = join(import.meta.dirname, '../../node_modules/.cache/check')

/** Whether a gate passed when the files that its verdict depends on were as they are. Without files it runs each time. */
export function passedBefore(name: string, inputs: readonly string[], cache = folder): boolean {
  if (inputs.length === 0) return false
  try {
    return readFileSync(noteOf(name, cache), 'utf8') === hashOf(inputs)
  } catch {
    return false
  }
}

export function notePassed(name: string, inputs: readonly string[], cache = folder): void {
  if (inputs.length === 0) return
  mkdirSync(cache, { recursive: true })
  writeFileSync(noteOf(name, cache), hashOf(inputs))
}

const noteOf = (name: string, cache: string) => join(cache, name.replaceAll(/\W+/g, '-'))

function hashOf(paths: readonly string[]): string {
  const hash = createHash('sha256')
  for (const path of paths) hash.update(createHash('sha256').update(readFileSync(path)).digest())
  return hash.digest('hex')
}
