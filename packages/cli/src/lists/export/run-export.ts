import type { AccessFlags } from '../../access-flags.ts'
import { CommandError } from '../../command-error.ts'
import { interruptSignal } from '../../interruption.ts'
import { formatCount, showProgress } from '../../progress-line.ts'
import { failureInWords } from '../../failure-in-words.ts'
import { entryPages } from '../entry-pages.ts'
import { openTarget, type ListTarget } from '../list-target.ts'
import { chosenColumns, chosenFields, chosenSort } from './chosen.ts'
import { entryLine, headerLine, type Selection } from './csv-rows.ts'
import { openOutput, type Output } from '../../output-file.ts'

export interface ExportFlags extends AccessFlags {
  output?: string
  force?: true
  fields: string
  columns?: readonly string[]
  sort?: string
  filter?: string
}

/**
 * `wbs lists export`, with progress and the summary on stderr. Gives the exit code: 0 if the List was written, 130 if
 * interrupted. Throws CommandError if it cannot be written.
 */
export async function exportList(list_id: string, flags: ExportFlags): Promise<number> {
  const signal = interruptSignal()
  const fields = chosenFields(flags.fields)
  try {
    const target = await openTarget(list_id, flags, signal)
    const { columns: all } = target.list
    const columns = chosenColumns(all, flags.columns)
    const sort = chosenSort(all, flags.sort)
    const output = await openOutput(flags.output, flags.force === true)
    try {
      await output.write(`${headerLine({ fields, columns }, all)}\r\n`)
      const written = await writeEntries(target, output, { fields, columns }, { sort, filter: flags.filter })
      await output.commit()
      console.error(summary(written, flags.output))
    } catch (error) {
      await output.discard()
      throw error
    }
    return 0
  } catch (error) {
    if (!signal.aborted) throw error
    console.error(
      `Interrupted. ${flags.output === undefined ? 'The output is not complete' : 'No file was written'}.`,
    )
    return 130
  }
}

interface Written {
  entries: number
  /** The versions of the List on the first page and on the last one. */
  versions: [number, number]
}

async function writeEntries(
  target: ListTarget,
  output: Output,
  selection: Selection,
  narrowed: { sort: string | undefined; filter: string | undefined },
): Promise<Written> {
  const written: Written = { entries: 0, versions: [target.list.version, target.list.version] }
  const progress = showProgress(process.stderr, ({ entries }: Written) => `${formatCount(entries)} entries`)
  const column_ids = selection.columns.map(({ column_id }) => column_id)
  const query = { ...narrowed, fields: selection.fields, column_ids }
  try {
    for await (const { data, version } of entryPages(target, query)) {
      await output.write(data.map(entry => `${entryLine(entry, selection)}\r\n`).join(''))
      written.entries += data.length
      written.versions[1] = version
      progress.show(written)
    }
  } catch (error) {
    if (target.signal.aborted || error instanceof CommandError) throw error
    throw new CommandError(`The entries cannot be read: ${failureInWords(error)}.`)
  } finally {
    progress.end()
  }
  return written
}

function summary({ entries, versions: [first, last] }: Written, file: string | undefined): string {
  const count = `${formatCount(entries)} ${entries === 1 ? 'entry' : 'entries'} written${file === undefined ? '' : ` to ${file}`}.`
  return first === last
    ? count
    : `${count} The List changed meanwhile, from version ${first} to ${last}: the file may have values of both.`
}
