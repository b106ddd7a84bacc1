import type { ReportBar, ReportBlock, ReportSection } from '@wbs/contract/valuations/reading'

/** The parts from which sections are built. A part that would be empty is null, and is left out. */
export type MaybeBlock = ReportBlock | null

/** Paragraphs. */
export const text = (title: string | null, ...paragraphs: readonly (string | null)[]): MaybeBlock => {
  const kept = paragraphs.filter(paragraph => paragraph !== null && paragraph !== '')
  return kept.length === 0 ? null : { kind: 'text', title, text: kept.join('\n') }
}

/** A list; null without items. */
export const list = (title: string | null, items: readonly string[]): MaybeBlock =>
  items.length === 0 ? null : { kind: 'list', title, items: [...items] }

/** A list of items below each other. */
export const tree = (title: string | null, nodes: readonly { depth: number; line: string }[]): MaybeBlock =>
  nodes.length === 0
    ? null
    : { kind: 'list', title, items: nodes.map(({ line }) => line), depths: nodes.map(({ depth }) => depth) }

/** A table; null without rows. */
export const table = (
  title: string | null,
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): MaybeBlock =>
  rows.length === 0 ? null : { kind: 'table', title, columns: [...columns], rows: rows.map(row => [...row]) }

/** A table of two columns: what it is, and its value. Rows without a value are left out. */
export const facts = (
  title: string | null,
  rows: readonly (readonly [string, string | null])[],
): MaybeBlock =>
  table(
    title,
    ['', ''],
    rows.filter((row): row is [string, string] => row[1] !== null),
  )

/** A chart with the table of its figures; null without bars. */
export const chart = (
  title: string,
  kind: NonNullable<ReportBlock['chart']>,
  series: readonly ReportBar[],
  columns: readonly string[],
  rows: readonly (readonly string[])[],
): MaybeBlock =>
  series.length === 0
    ? null
    : {
        kind: 'chart',
        title,
        chart: kind,
        series: [...series],
        columns: [...columns],
        rows: rows.map(row => [...row]),
      }

export const section = (code: string, title: string, ...blocks: readonly MaybeBlock[]): ReportSection => ({
  code,
  title,
  blocks: blocks.filter(block => block !== null),
})
