import { InvalidArgumentError, Option, type Command } from 'commander'
import { addAccessFlags } from '../access-flags.ts'
import type { UploadFlags } from './run-upload.ts'

/** Adds `wbs upload`. */
export function addUpload(wbs: Command): void {
  addAccessFlags(wbs.command('upload'))
    .description(
      'Upload files and folders into a Room of a running service. What the Room has already is not sent again, so that a run can be repeated.',
    )
    .argument('<path...>', 'files, and folders with all that is in them')
    .requiredOption('--room <room_id>', 'the Room')
    .option('--under <path>', 'the place in the index of the Room below which the files go')
    .option('--dry-run', 'say what would be uploaded, and upload nothing')
    .addOption(
      new Option('--concurrency <number>', 'how many files are sent at the same time')
        .default(4)
        .argParser(readConcurrency),
    )
    .option('--json', 'print the summary as JSON')
    .addHelpText(
      'after',
      `
The credential is that of wbs login; WBS_TOKEN, an access token, or WBS_API_KEY wins over it. Without
any, the command uses the API key of .data/quickstart.json, which a service for development writes.

Exit codes: 0 the Room has all files, 1 some failed, 130 it was interrupted.`,
    )
    .action(async (paths: string[], flags: UploadFlags) => {
      const { uploadPaths } = await import('./run-upload.ts')
      process.exitCode = await uploadPaths(paths, flags)
    })
}

function readConcurrency(text: string): number {
  if (!/^[1-9]\d?$/.test(text)) throw new InvalidArgumentError('It must be a number from 1 to 99.')
  return Number(text)
}
