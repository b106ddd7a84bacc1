import type { Command } from 'commander'
import { addAccessFlags } from '../../access-flags.ts'
import type { ExportFlags } from './run-export.ts'

const collect = (text: string, before: readonly string[] = []) => [...before, text]

/** Adds `wbs lists export`. */
export function addExport(lists: Command): void {
  addAccessFlags(lists.command('export'))
    .description(
      'Write the members of a List and their values as CSV. A text that a spreadsheet would take for a formula begins with an apostrophe.',
    )
    .argument('<list_id>', 'the List')
    .option('--output <file>', 'the file to write (default: standard output)')
    .option('--force', 'replace the file if it exists')
    .option('--fields <facts>', 'facts of the Businesses, separated by commas', defaultFields)
    .option(
      '--columns <columns>',
      'columns of the List by name or ID, separated by commas; may be repeated (default: all)',
      collect,
    )
    .option(
      '--sort <column>',
      'name, or a column by name or ID; with - before it, descending. At most 10,000 members can be sorted',
    )
    .option('--filter <json>', 'only entries that meet this filter, as the API takes it')
    .addHelpText('after', '\nExit codes: 0 the List was written, 1 it was not, 130 interrupted.')
    .action(async (list_id: string, flags: ExportFlags) => {
      const { exportList } = await import('./run-export.ts')
      process.exitCode = await exportList(list_id, flags)
    })
}

const defaultFields = 'website_url,status,city,state,naics_code'
