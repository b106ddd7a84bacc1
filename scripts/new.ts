import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newMigration } from './new/migration.ts'
import { newOperation } from './new/operation.ts'

/**
 * Writes the skeleton of a new operation or migration, and prints what is left to do:
 * `npm run new -- operation rooms/pin-room` (a query with `--query`) or `npm run new -- migration pinned_rooms`.
 */
const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { query: { type: 'boolean', default: false } },
})
const root = join(import.meta.dirname, '..')
const [kind, name = ''] = positionals

try {
  if (kind === 'operation') console.log(newOperation(root, name, values.query ? 'query' : 'mutation'))
  else if (kind === 'migration') console.log(newMigration(root, name))
  else throw new Error('Say what is new: operation SLICE/[NOUN/]NAME or migration NAME.')
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
}
