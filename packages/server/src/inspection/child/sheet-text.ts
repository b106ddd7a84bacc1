import { Unreadable } from './document.ts'
import { walkXml } from './walk-xml.ts'
import { unescaped, type CellParts } from './workbook-parts.ts'

/** Neither more rows nor more columns than a workbook may have. */
const mostRows = 1_048_576
const mostColumns = 16_384

/**
 * The text of a sheet: a line for each row, with tabs between its cells. It ends after `room` characters, however far apart
 * the cells are and however often they repeat a text. Throws Unreadable if the XML is broken.
 */
export function sheetText(xml: string, parts: CellParts, room: number): string {
  const lines = linesOf(room)
  let row = 0
  let column = 0
  let cell: Cell | null = null
  let isValue = false
  walkXml(xml, stop => ({
    open(name, attributes) {
      if (name === 'row') {
        row = Number(attributes()['r'] ?? row + 1)
        column = 0
      } else if (name === 'c') {
        const { r, t = 'n', s } = attributes()
        column = r === undefined ? column + 1 : columnOf(r)
        cell = { type: t, style: Number(s ?? 0), text: '' }
      } else if (cell && (name === 'v' || name === 't')) isValue = true
      else if (name === 'rPh') isValue = false
    },
    text(part) {
      if (cell && isValue) cell.text += part
    },
    close(name) {
      if (name === 'v' || name === 't') isValue = false
      if (name !== 'c' || !cell) return
      if (!(row <= mostRows && column <= mostColumns)) throw new Unreadable('a cell outside of the sheet')
      const text = textOf(cell, parts)
      if (text !== '' && !lines.add(row, column, text)) stop()
      cell = null
    },
  }))
  return lines.text()
}

interface Cell {
  type: string
  style: number
  text: string
}

/** Adds cells in their order. `add` says whether there is room for more. */
function linesOf(room: number) {
  const pieces: string[] = []
  let left = room
  let [lastRow, lastColumn] = [1, 1]
  const write = (piece: string) => {
    pieces.push(piece.slice(0, left))
    left -= piece.length
  }
  return {
    add(row: number, column: number, text: string): boolean {
      if (row > lastRow) {
        write('\n'.repeat(row - lastRow))
        lastRow = row
        lastColumn = 1
      }
      if (column > lastColumn) {
        write('\t'.repeat(column - lastColumn))
        lastColumn = column
      }
      write(text)
      return left > 0
    },
    text: () => pieces.join(''),
  }
}

/** The number of the column in an address such as XFD1. */
const columnOf = (address: string): number =>
  Array.from(/^[A-Z]{1,3}/.exec(address)?.[0] ?? '').reduce(
    (sum, letter) => sum * 26 + letter.charCodeAt(0) - 64,
    0,
  )

/** A tab or a line break inside of a cell would look like another cell or row. */
const textOf = (cell: Cell, parts: CellParts): string => shown(cell, parts).replaceAll(/[\t\r\n]+/g, ' ')

function shown({ type, style, text }: Cell, { texts, dateStyles, is1904 }: CellParts): string {
  if (text === '') return ''
  if (type === 's') return texts[Number(text)] ?? ''
  if (type === 'b') return String(text === '1')
  if (type !== 'n') return unescaped(text)
  const number = Number(text)
  if (!Number.isFinite(number)) return text
  return dateStyles.has(style) ? dateOf(is1904 ? number + 1462 : number) : String(number)
}

/** The date that a number of days since 1899-12-30 is; empty if it is none. */
function dateOf(days: number): string {
  const date = new Date(Math.round((days - 25_569) * 86_400) * 1000)
  return Number.isNaN(date.getTime()) ? '' : date.toISOString().replace('T00:00:00.000Z', '')
}
