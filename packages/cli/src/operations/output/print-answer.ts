import { styleText } from 'node:util'
import type { OperationCommand } from '../command/operation-command.ts'
import { write, type OutputStream, type Surroundings } from '../surroundings.ts'
import { columnsOf, type Column } from './columns.ts'
import { detailLines } from './details.ts'
import { subjectOf } from './subject.ts'
import { tabbedLines, tableLines } from './table.ts'

/** How answers are shown. */
export interface Printing {
  json: boolean
  /** The fields that the user asked for, which are then the columns. */
  fields?: readonly string[]
}

type Answer = Readonly<Record<string, unknown>>

/** Prints the answer of an operation to standard output. */
export async function printAnswer(
  command: OperationCommand,
  answer: Answer,
  printing: Printing,
  surroundings: Surroundings,
): Promise<void> {
  const { stdout } = surroundings
  if (printing.json) return write(stdout, `${jsonText(answer, 2)}\n`)
  const { list, op } = command
  const lines = list
    ? itemLines(columnsFor(command, printing), answer[list.items] as readonly unknown[], surroundings)
    : detailLines(subjectOf(op, answer), stdout.isTTY === true, headingOf(surroundings))
  await writeLines(stdout, lines)
}

/**
 * Prints items as they come: for programs each at once; a table for a terminal when all are there, because its columns are as wide as
 * their widest value. JSON is one document, `{"data": […]}`.
 */
export async function printItems(
  command: OperationCommand,
  items: AsyncIterable<unknown>,
  printing: Printing,
  surroundings: Surroundings,
): Promise<void> {
  const { stdout } = surroundings
  if (printing.json) return printJsonItems(command.list?.items ?? 'data', items, stdout)
  const columns = columnsFor(command, printing)
  if (stdout.isTTY !== true) {
    for await (const item of items) await writeLines(stdout, tabbedLines(columns, [item]))
    return
  }
  const all: unknown[] = []
  for await (const item of items) all.push(item)
  await writeLines(stdout, itemLines(columns, all, surroundings))
}

async function printJsonItems(
  name: string,
  items: AsyncIterable<unknown>,
  stdout: OutputStream,
): Promise<void> {
  await write(stdout, `{${JSON.stringify(name)}:[`)
  let between = '\n'
  for await (const item of items) {
    await write(stdout, between + jsonText(item))
    between = ',\n'
  }
  await write(stdout, '\n]}\n')
}

const columnsFor = ({ list }: OperationCommand, { fields }: Printing): Column[] =>
  fields ? fields.map(header => ({ header, path: [header] })) : columnsOf(list?.item ?? {})

const itemLines = (
  columns: readonly Column[],
  items: readonly unknown[],
  surroundings: Surroundings,
): string[] =>
  surroundings.stdout.isTTY === true
    ? items.length === 0
      ? []
      : tableLines(columns, items, surroundings.stdout.columns ?? 80, headingOf(surroundings))
    : tabbedLines(columns, items)

const writeLines = (stdout: OutputStream, lines: readonly string[]): Promise<void> =>
  lines.length === 0 ? Promise.resolve() : write(stdout, `${lines.join('\n')}\n`)

/** Bold on a terminal that has it, unless NO_COLOR is set. */
function headingOf({ stdout, env }: Surroundings): (text: string) => string {
  const isPlain = stdout.isTTY !== true || Boolean(env['NO_COLOR']) || env['TERM'] === 'dumb'
  return text => (isPlain ? text : styleText('bold', text, { validateStream: false }))
}

/** JSON in which no character controls a terminal or reorders its text. */
export const jsonText = (value: unknown, indent?: number): string =>
  JSON.stringify(value, null, indent).replaceAll(
    /[\u007F-\u009F\u061C\u200E\u200F\u2028\u2029\u202A-\u202E\u2066-\u2069]/g,
    character => `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`,
  )
