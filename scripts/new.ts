import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newMigration } from './new/migration.ts'
import { newNoun } from './new/noun.ts'
import { newOperation } from './new/operation.ts'

/**
 * Writes a new noun with its operations, or the skeleton of an operation or a migration, and prints what is left to do:
 * `npm run new -- noun rooms/site-visits`, `npm run new -- operation rooms/pin-room` (a query with `--query`) or
 * `npm run new -- migration pinned_rooms`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { query: { type: 'boolean', default: false } },
})
const root = join(import.meta.dirname, '..')
const [kind, name = ''] = positionals

try {
  if (kind === 'operation') console.log(newOperation(root, name, values.query ? 'query' : 'mutation'))
  else if (kind === 'noun') console.log(newNoun(root, name))
  else if (kind === 'migration') console.log(newMigration(root, name))
  else throw new Error('Say what is new: noun SLICE/NOUNS, operation SLICE/[NOUN/]NAME or migration NAME.')
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
