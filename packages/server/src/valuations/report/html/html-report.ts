import { createHash } from 'node:crypto'
import type { ReportData, ReportSection } from '@wbs/contract/valuations/reading'
import { dayText, moneyText } from '../words/figures.ts'
import { headingOf } from '../words/labels.ts'
import { blockHtml } from './block.ts'
import { escapeHtml } from '../words/escape-html.ts'
import { style } from './style.ts'

/** If anything were not escaped, the browser would still run and load nothing. */
const policy = [
  "default-src 'none'",
  `style-src 'sha256-${createHash('sha256').update(style).digest('base64')}'`,
  "base-uri 'none'",
  "form-action 'none'",
].join('; ')

/** Sections that begin on a new page of paper. */
const onNewPage = new Set(['introduction', 'appendices'])

/** The report as one HTML file that needs nothing else: style and charts are in it, and there is no script. */
export function htmlReport(report: ReportData): string {
  const { title, sections, is_signed, currency } = report
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policy}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="robots" content="noindex">
<title>${escapeHtml(title)}</title>
<style>${style}</style>
</head>
<body${is_signed ? ' class="signed"' : ''}>
${cover(report)}
<main>
${sections.map((section, at) => sectionHtml(section, at, sections, currency)).join('\n')}
</main>
<footer>${escapeHtml(report.notice)}</footer>
</body>
</html>
`
}

function cover({ title, notice, is_signed, conclusion, valuation_date }: ReportData): string {
  const value = (name: string, amount: string, kind = '') =>
    `<div${kind}><dt>${name}</dt><dd>${escapeHtml(amount)}</dd></div>`
  return `<header>
<p class="kind">${is_signed ? 'Valuation report' : 'Calculation report'}</p>
<h1>${escapeHtml(title)}</h1>
<p class="notice">${escapeHtml(notice)}</p>
<dl class="result">
${value('Low', moneyText(conclusion.low))}
${value(is_signed ? 'Conclusion of value' : 'Calculated value', moneyText(conclusion.point), ' class="point"')}
${value('High', moneyText(conclusion.high))}
</dl>
<p class="under">As of ${escapeHtml(dayText(valuation_date))} · ${escapeHtml(headingOf(conclusion.level_of_value))}${
    conclusion.per_share ? ` · ${escapeHtml(moneyText(conclusion.per_share))} for each share` : ''
  }</p>
</header>`
}

function sectionHtml(
  { code, title, blocks }: ReportSection,
  at: number,
  sections: readonly ReportSection[],
  currency: string,
): string {
  const id = idOf(code)
  const content =
    code === 'contents'
      ? contents(sections.slice(at + 1), at + 2)
      : blocks.map((block, place) => blockHtml(block, `${id}-${place + 1}`, currency)).join('\n')
  return `<section id="${id}"${onNewPage.has(code) ? ' class="page"' : ''} aria-labelledby="${id}-heading">
<h2 id="${id}-heading">${at + 1}. ${escapeHtml(title)}</h2>
${content}
</section>`
}

/** The contents, with links. */
const contents = (sections: readonly ReportSection[], first: number): string =>
  `<nav aria-label="Contents"><ol start="${first}">
${sections.map(({ code, title }) => `<li><a href="#${idOf(code)}">${escapeHtml(title)}</a></li>`).join('\n')}
</ol></nav>`

/** The id of a section: its code, of which only letters and underscores are kept. */
const idOf = (code: string): string => `section-${code.replaceAll(/[^a-z_]/g, '')}`
