import type { ReportBlock } from '@wbs/contract/valuations/reading'
import { drawChart } from '../charts/chart.ts'
import { escapeHtml } from '../words/escape-html.ts'

/** A block as HTML. `id` is unique in the page. Everything in it is escaped. */
export function blockHtml(block: ReportBlock, id: string, currency: string): string {
  const { kind, title } = block
  if (kind === 'chart')
    return `<figure class="keep">
<figcaption>${escapeHtml(title ?? '')}</figcaption>
${drawChart(id, block, currency)}
</figure>
${tableHtml({ ...block, title: null }, title)}`
  if (kind === 'table') return tableHtml(block, title)
  const heading = title === null ? '' : `<h3>${escapeHtml(title)}</h3>\n`
  return heading + (kind === 'list' ? listHtml(block) : paragraphs(block.text ?? ''))
}

const paragraphs = (text: string): string =>
  text
    .split('\n')
    .map(line => `<p>${together(escapeHtml(line))}</p>`)
    .join('\n')

/** Text in which no line breaks between a currency and its amount. */
const together = (html: string): string => html.replaceAll(/\b([A-Z]{3}) (?=−?\d)/g, '$1&nbsp;')

/** Nested lists, as deep as the items are. */
function listHtml({ items = [], depths }: ReportBlock): string {
  const lines = [depths ? '<ul class="tree">' : '<ul>']
  let open = 0
  for (const [at, item] of items.entries()) {
    const depth = depths?.[at] ?? 0
    if (depth > open) lines.push('<ul>')
    else if (at > 0) lines.push('</li>', ...Array.from({ length: open - depth }, () => '</ul></li>'))
    open = depth
    lines.push(`<li>${escapeHtml(item)}`)
  }
  if (items.length > 0) lines.push('</li>', ...Array.from({ length: open }, () => '</ul></li>'))
  return [...lines, '</ul>'].join('\n')
}

const figure = /^(?:[A-Z]{3} )?−?\d[\d,]*(?:\.\d+)?[%×]?$|^–$/
const digest = /^[0-9a-f]{64}$/

/** More columns than upright paper has room for. */
const mostUpright = 8

/** A table with at most so many rows stays on one page of paper. */
const mostTogether = 4

function tableHtml({ title, columns = [], rows = [] }: ReportBlock, name: string | null): string {
  const isFacts = columns.every(column => column === '')
  const isNumeric = columns.map(
    (_, at) => at > 0 && !isFacts && rows.every(row => figure.test(row[at] ?? '')),
  )
  const kindOf = (at: number, cell: string) =>
    digest.test(cell) ? ' class="code"' : isNumeric[at] ? ' class="n"' : ''
  const head = columns.map(
    (column, at) => `<th scope="col"${isNumeric[at] ? ' class="n"' : ''}>${escapeHtml(column)}</th>`,
  )
  const body = rows.map(row => {
    const cells = row.map((cell, at) =>
      at === 0
        ? `<th scope="row">${escapeHtml(cell)}</th>`
        : `<td${kindOf(at, cell)}>${escapeHtml(cell)}</td>`,
    )
    return `<tr>${cells.join('')}</tr>`
  })
  const classes = [
    'scroll',
    ...(isFacts ? ['facts'] : []),
    ...(columns.length > mostUpright ? ['wide'] : []),
    ...(columns.length <= 3 && isNumeric.at(-1) ? ['narrow'] : []),
    ...(rows.length <= mostTogether ? ['keep'] : []),
  ]
  return `<div class="${classes.join(' ')}" role="region" aria-label="${escapeHtml(name ?? 'Table')}" tabindex="0"><table>
${title === null ? '' : `<caption>${escapeHtml(title)}</caption>\n`}${isFacts ? '' : `<thead><tr>${head.join('')}</tr></thead>\n`}<tbody>
${body.join('\n')}
</tbody></table></div>`
}
