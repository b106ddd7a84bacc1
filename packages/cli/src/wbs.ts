import { Command, CommanderError, Option } from 'commander'
import packageJson from '../package.json' with { type: 'json' }
import { addCompletion } from './completion/command.ts'
import { addDoctor } from './doctor/command.ts'
import type { ImportFlags } from './import-businesses.ts'
import { addExport } from './lists/export/command.ts'
import { addImportValues } from './lists/import-values/command.ts'
import { addFollow } from './follow/command.ts'
import { addLogin } from './login/command.ts'
import { addProfiles } from './login/profiles-command.ts'
import { addOperations } from './operations/add-operations.ts'
import { exitCodes } from './operations/exit-codes.ts'
import { processSurroundings } from './process-surroundings.ts'
import { addUpload } from './upload/command.ts'
import { addValue } from './value/command.ts'

const wbs = new Command('wbs')
  .description(
    'The Workspace Business Service on the command line: every operation of a running service, and tools for whoever runs one. The latter find the database as the service finds it: DATABASE_URL, or else the data folder SVC_DATA_DIR.',
  )
  .version(`wbs ${packageJson.version}`, '--version', 'print the version of wbs')
  .showHelpAfterError()

wbs
  .command('import')
  .description('bring data in')
  .command('businesses')
  .description(
    'Bring Businesses in from CSV files. Rows that are there already are brought up to date, so that a run can be repeated.',
  )
  .argument('<file...>', 'CSV files, gzip-compressed where they end in .gz; - is standard input')
  .addOption(new Option('--publish', 'publish them, so that searches find them').conflicts('draft'))
  .addOption(new Option('--draft', 'leave them drafts (the default)'))
  .option(
    '--rejects <file>',
    'where rejected rows go (default: rejected-businesses-TIME.csv in the current folder)',
  )
  .option(
    '--sources <file>',
    'CSV of the data sets that rows name as their source, beside those already known',
  )
  .addHelpText(
    'after',
    '\nExit codes: 0 all rows are in, 2 some rows were rejected, 1 the import failed, 130 it was interrupted.',
  )
  .action(async (files: string[], flags: ImportFlags) => {
    const { importFiles } = await import('./import-businesses.ts')
    process.exitCode = await importFiles(files, flags)
  })

wbs
  .command('backup')
  .description(
    'Write all that the database holds, as it is at one moment, and the content of Files into a new file. A service may run meanwhile.',
  )
  .argument('<file>', 'where the backup goes; it must not be there yet')
  .addHelpText('after', '\nThe file holds every secret of the service. Only its owner may read it.')
  .option(
    '--without-blobs',
    'leave out the content of Files; wbs restore then requires that the store has all of it',
  )
  .action(async (file: string, flags: { withoutBlobs?: true }) => {
    const { backUpInto } = await import('./back-up.ts')
    process.exitCode = await backUpInto(file, { withBlobs: flags.withoutBlobs !== true })
  })

wbs
  .command('restore')
  .description(
    'Put a backup into a database that nobody has used, bring it up to this version, and store the content of Files. All of it is restored and compared, or nothing.',
  )
  .argument('<file>', 'a backup that wbs backup has written')
  .action(async (file: string) => {
    const { restoreFrom } = await import('./restore.ts')
    process.exitCode = await restoreFrom(file)
  })

wbs
  .command('blobs')
  .description('look after the content of Files')
  .command('verify')
  .description(
    'Read all content that the database names, and report what is missing or damaged, and what nothing names. It changes nothing. A service may run meanwhile.',
  )
  .option('--json', 'print the report as JSON')
  .addHelpText(
    'after',
    '\nExit codes: 0 all content is complete, 1 some is missing or damaged or could not be read, 130 it was interrupted.',
  )
  .action(async (flags: { json?: true }) => {
    const { verifyStoredBlobs } = await import('./blobs-verify.ts')
    process.exitCode = await verifyStoredBlobs({ json: flags.json === true })
  })

addLogin(wbs)
addProfiles(wbs)
addDoctor(wbs)

addUpload(wbs)

const lists = wbs.command('lists').description('read and fill Lists of a running service')
addExport(lists)
addImportValues(lists)

addValue(wbs)

addFollow(wbs.command('events').description('read and follow what happens in Rooms'))

addCompletion(wbs)

wbs
  .command('reference')
  .description('Print the commands of all operations, as Markdown.')
  .action(async () => {
    const { commandsDocument } = await import('./operations/commands-document.ts')
    process.stdout.write(commandsDocument())
  })

addOperations(wbs, processSurroundings(), exitCode => {
  process.exitCode = exitCode
})

await wbs.parseAsync().catch(async (error: unknown) => {
  if (error instanceof CommanderError) {
    process.exitCode = error.exitCode === 0 ? exitCodes.done : exitCodes.usage
    return
  }
  const { errorMessage } = await import('./plain-error.ts')
  console.error(errorMessage(error))
  process.exitCode = 1
})
