import type { ReaderPool } from '../../src/database/reader.ts'
import type { Reader } from '../../src/database/statement.ts'

/** Notes by name each statement that is read from now on, and gives those so far. */
export function countedReads(readers: ReaderPool): { names: string[] } {
  const noted = { names: [] as string[] }
  const scoped = readers.scoped.bind(readers)
  readers.scoped = scope => {
    const reader = scoped(scope)
    const counted: Reader = {
      many: (statement, values) => (noted.names.push(statement.name), reader.many(statement, values)),
      one: (statement, values) => (noted.names.push(statement.name), reader.one(statement, values)),
    }
    return counted
  }
  return noted
}
