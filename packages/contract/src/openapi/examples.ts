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
}

const folder = join(import.meta.dirname, 'examples')

export function readExamples(): Examples {
  const read = (file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8')) as object
  const slices = readdirSync(folder).filter(file => file !== problemsFile)
  return {
    operations: Object.assign({}, ...slices.map(read)) as Examples['operations'],
    problems: read(problemsFile) as Examples['problems'],
  }
}

const problemsFile = 'problems.json'
