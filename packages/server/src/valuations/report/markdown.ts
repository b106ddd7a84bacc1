import type { ReportBlock, ReportData } from '@wbs/contract/valuations/reading'
import { dayText, moneyText } from './words/figures.ts'
import { headingOf } from './words/labels.ts'

/** The report as Markdown (CommonMark with tables). Charts are their tables. Everything that users wrote is escaped. */
export function markdownReport(report: ReportData): string {
  const { title, notice, conclusion, valuation_date, sections } = report
  const { low, point, high, level_of_value } = conclusion
  const parts = [
    `# ${escapeMarkdown(title)}`,
    `**${escapeMarkdown(notice)}**`,
    `${moneyText(point)}, in a range from ${moneyText(low)} to ${moneyText(high)}, as of ${escapeMarkdown(dayText(valuation_date))}; ${escapeMarkdown(headingOf(level_of_value))}`,
    ...sections.flatMap((section, at) => [
      `## ${at + 1}\\. ${escapeMarkdown(section.title)}`,
      ...section.blocks.flatMap(blockMarkdown),
    ]),
  ]
  return `${parts.join('\n\n')}\n`
}

function blockMarkdown(block: ReportBlock): string[] {
  const { kind, title } = block
  const heading = title === null ? [] : [`### ${escapeMarkdown(title)}`]
  if (kind === 'list') return [...heading, listMarkdown(block)]
  if (kind === 'text')
    return [...heading, ...(block.text ?? '').split('\n').map(line => atLineStart(escapeMarkdown(line)))]
  return [...heading, tableMarkdown(block)]
}

const listMarkdown = ({ items = [], depths }: ReportBlock): string =>
  items
    .map((item, at) => `${'  '.repeat(depths?.[at] ?? 0)}- ${atLineStart(escapeMarkdown(item))}`)
    .join('\n')

function tableMarkdown({ columns = [], rows = [] }: ReportBlock): string {
  const line = (cells: readonly string[]) => `| ${cells.map(escapeMarkdown).join(' | ')} |`
  return [line(columns), `|${columns.map(() => ' --- |').join('')}`, ...rows.map(line)].join('\n')
}

/**
 * Text as Markdown that shows it as it is, on one line: no emphasis, link, image, HTML, table cell, formula, mention or
 * reference to an issue begins in it. CommonMark lets a backslash stand before each of these characters.
 */
export const escapeMarkdown = (text: string): string =>
  text
    .replaceAll(/\s+/g, ' ')
    .replaceAll(/[\\`*_{}[\]<>#|~&$@^!]/g, character => `\\${character}`)
    .replaceAll('://', '\\://')
    .replaceAll(/\bwww\./gi, found => `${found.slice(0, 3)}\\.`)

/** A line that begins with a mark of a list, a heading or a rule is text too. */
const atLineStart = (line: string): string =>
  line.replace(/^(\s*)([-+=:])/, '$1\\$2').replace(/^(\s*\d+)([.)])/, '$1\\$2')
