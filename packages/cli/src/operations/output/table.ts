import { cellOf } from './cell.ts'
import { valueAt, type Column } from './columns.ts'
import { cutTo, padTo, widthOf } from './width.ts'

/** The lines of a table for programs: values with tabs between them, and no headers. */
export const tabbedLines = (columns: readonly Column[], items: readonly unknown[]): string[] =>
  items.map(item => columns.map(({ path }) => cellOf(valueAt(item, path))).join('\t'))

const gap = 2
/** A column is not cut to less: names and words of the interface can still be told apart, and a time is whole. */
const least = 17

/**
 * The lines of a table for a terminal of so many columns. The ID is never cut; columns without a value are left out, and so are the
 * last ones if there is no space for them.
 */
export function tableLines(
  columns: readonly Column[],
  items: readonly unknown[],
  width: number,
  heading: (text: string) => string,
): string[] {
  const filled = columns
    .map(({ header, path }) => ({
      header: header.replaceAll(/[_.]/g, ' ').toUpperCase(),
      cells: items.map(item => toTheMinute(cellOf(valueAt(item, path)))),
    }))
    .filter(({ cells }) => cells.some(cell => cell !== ''))
  const wished = filled.map(({ header, cells }) => Math.max(widthOf(header), ...cells.map(widthOf)))
  const widths = fit(wished, width)
  const line = (cells: readonly string[]) =>
    cells
      .map((cell, at) => padTo(cutTo(cell, widths[at] as number), widths[at] as number))
      .join(' '.repeat(gap))
      .trimEnd()
  const shown = filled.slice(0, widths.length)
  return [
    heading(line(shown.map(({ header }) => header))),
    ...items.map((_, row) => line(shown.map(({ cells }) => cells[row] as string))),
  ]
}

/** A time for people, who seldom need its seconds. */
const toTheMinute = (cell: string): string =>
  cell.replace(/^(\d{4}-\d\d-\d\dT\d\d:\d\d):\d\d(?:\.\d+)?Z$/, '$1Z')

/** The widths of the columns that fit: the last ones are left out until each can be read, and then the widest but the first gives way. */
function fit(wished: readonly number[], width: number): number[] {
  const widths = [...wished]
  const total = (most = Infinity) =>
    widths.reduce(
      (sum, width, at) => sum + (at === 0 ? width : Math.min(width, most)),
      gap * (widths.length - 1),
    )
  while (widths.length > 1 && total(least) > width) widths.pop()
  while (widths.length > 1 && total() > width) {
    const [, ...others] = widths
    const widest = Math.max(...others)
    const at = widths.indexOf(widest, 1)
    widths[at] = Math.max(least, widest - (total() - width), secondOf(others, widest))
  }
  return widths
}

/** To which the widest column shrinks first: the next one, or one less. */
const secondOf = (widths: readonly number[], widest: number): number =>
  Math.min(widest - 1, Math.max(0, ...widths.filter(width => width < widest)))
