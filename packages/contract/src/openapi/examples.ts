import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ProblemCode } from '../problems.ts'

/**
 * Requests and answers of a test run, as the document shows them. `npm run generate -- --examples` records them anew;
 * values that differ in each run have others in their place, and long arrays have only their first items.
 */
export interface OperationExample {
  /** The parameters of the path and the query string. */
  parameters: Readonly<Record<string, unknown>>
  /** The body, if the operation takes one. */
  request?: unknown
  /** The JSON of each successful answer, by status; of a stream, the data of one event. */
  answers: Readonly<Record<string, unknown>>
}

/** All recorded examples. They are read from files for each document, so that nothing else holds them in memory. */
export interface Examples {
  operations: Readonly<Record<string, OperationExample>>
  problems: Readonly<Record<ProblemCode, unknown>>
  /** The first id with each prefix. */
  ids: ReadonlyMap<string, string>
}

const folder = join(import.meta.dirname, 'examples')

export function readExamples(): Examples {
  const read = (file: string) => readFileSync(join(folder, file), 'utf8')
  const slices = readdirSync(folder).filter(file => file !== problemsFile)
  const texts = slices.map(read)
  return {
    operations: Object.assign({}, ...texts.map(text => JSON.parse(text) as object)) as Examples['operations'],
    problems: JSON.parse(read(problemsFile)) as Examples['problems'],
    ids: idsIn(texts.join('\n')),
  }
}

function idsIn(text: string): Map<string, string> {
  const ids = new Map<string, string>()
  for (const [id, prefix = ''] of text.matchAll(/\b([a-z]+)_[0-9A-Za-z]{26,32}\b/g))
    if (!ids.has(prefix)) ids.set(prefix, id)
  return ids
}

const problemsFile = 'problems.json'
