import { Option, type Command } from 'commander'
import { CommandError } from '../command-error.ts'
import { forms, type ValueFlags } from './flags.ts'

/** Adds `wbs value`. */
export function addValue(wbs: Command): void {
  wbs
    .command('value')
    .description(
      'Value the document in a JSON file, as POST /v1/valuations takes it, without a service and without a database. The same document and seed give the same result as in the service.',
    )
    .argument('<file>', 'the document; - is standard input')
    .addOption(
      new Option('--format <form>', 'tree: the conclusion and its calculation; or the result or its report')
        .choices(forms)
        .default('tree'),
    )
    .option(
      '--seed <number>',
      'the seed of the Monte Carlo range (default: it follows from the inputs)',
      seedOf,
    )
    .option('--naics <code>', 'the NAICS code of the business, by which a multiple is chosen', naicsOf)
    .option('--without-evidence', 'value it although evidence is missing, which the service would not do')
    .option('--output <file>', 'the file to write (default: standard output)')
    .option('--force', 'replace the file if it exists')
    .addHelpText(
      'after',
      '\nExit codes: 0 it was valued; 2 the document is wrong, lacks evidence or gives no conclusion; 1 the command failed.',
    )
    .action(async (file: string, flags: ValueFlags) => {
      // Imported here, because the other commands do without the engine.
      const { valueFile } = await import('./value-file.ts')
      process.exitCode = await valueFile(file, flags)
    })
}

function seedOf(text: string): number {
  const seed = /^\d{1,16}$/.test(text) ? Number(text) : NaN
  if (!Number.isSafeInteger(seed))
    throw new CommandError(`--seed must be an integer from 0 to ${Number.MAX_SAFE_INTEGER}.`)
  return seed
}

function naicsOf(text: string): string {
  if (!/^\d{2,6}$/.test(text)) throw new CommandError('--naics must be a NAICS code of two to six digits.')
  return text
}
