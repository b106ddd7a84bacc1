import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { newMigration } from './new/migration.ts'
import { newNoun } from './new/noun.ts'
import { slicesInRooms } from './new/room-noun.ts'
import { slicesOfWorkspaces } from './new/workspace-noun.ts'
import { newOperation } from './new/operation.ts'

const usage = `npm run new -- noun workspaces/reminders           a noun of a Workspace, in ${slicesOfWorkspaces.join(', ')}
npm run new -- noun rooms/site-visits              a noun that stands in Rooms, in ${slicesInRooms.join(', ')}
npm run new -- operation rooms/pin-room            a change; below a noun: rooms/participants/mute-participant
npm run new -- operation rooms/list-pins --query   a query
npm run new -- migration pinned_rooms              a migration`

/** Writes a new noun with its operations, or the skeleton of an operation or a migration, and prints what is left to do. */
try {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { query: { type: 'boolean', default: false }, help: { type: 'boolean', default: false } },
  })
  const root = join(import.meta.dirname, '..')
  const [kind, name = ''] = positionals
  if (values.help) console.log(usage)
  else if (kind === 'operation') console.log(newOperation(root, name, values.query ? 'query' : 'mutation'))
  else if (kind === 'noun') console.log(newNoun(root, name))
  else if (kind === 'migration') console.log(newMigration(root, name))
  else throw new Error(`Say what is new:\n${usage}`)
} catch (error) {
  const { message, code = '' } = error as NodeJS.ErrnoException
  console.error(code.startsWith('ERR_PARSE_ARGS') ? `${message}\n${usage}` : message)
  process.exitCode = 1
}
