import { Option, type Command } from 'commander'
import { addAccessFlags } from '../../access-flags.ts'
import { matchings } from './matching.ts'
import type { ImportFlags } from './run-import.ts'

const collect = (text: string, before: readonly string[] = []) => [...before, text]

/** Adds `wbs lists import-values`. */
export function addImportValues(lists: Command): void {
  addAccessFlags(lists.command('import-values'))
    .description(
      'Set values of the members of a List from a CSV file, whose headers name columns of the List. Only values that differ are written, so that a run can be repeated.',
    )
    .argument('<list_id>', 'the List')
    .argument('<file>', 'a CSV file, gzip-compressed if it ends in .gz; - is standard input')
    .addOption(
      new Option(
        '--match <by>',
        'how a row names its member: by the header id, by website_url, or by name and state',
      )
        .choices(Object.keys(matchings))
        .default('id'),
    )
    .option(
      '--map <header=column>',
      'what a header means: a column by name or ID, id, website_url, name or state; nothing after = leaves it out. May be repeated',
      collect,
    )
    .option('--dry-run', 'say what would be written, and write nothing')
    .option('--clear-empty', 'clear values where the cell is empty (default: leave them)')
    .option(
      '--rejects <file>',
      'where rejected rows go (default: rejected-values-TIME.csv in the current folder)',
    )
    .addHelpText(
      'after',
      '\nExit codes: 0 all rows are in, 2 some rows were rejected, 1 the import failed, 130 it was interrupted.',
    )
    .action(async (list_id: string, file: string, flags: ImportFlags) => {
      const { importValues } = await import('./run-import.ts')
      process.exitCode = await importValues(list_id, file, flags)
    })
}
