const markup = Symbol('markup')

/** HTML that goes into a page as it is. Only `html` makes it, so text from elsewhere can never pass for it. */
export interface Html {
  readonly [markup]: string
}

type Part = Html | string | number | false | undefined | readonly Part[]

/** A piece of a page. What stands in `${}` is escaped, unless it is such a piece, or a list of them, itself. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const raw = strings.map(text => text.replaceAll(/\n\s+/g, '\n')) // the indentation is for the source alone
  return { [markup]: String.raw({ raw }, ...parts.map(textOf)) }
}

/** The page as text, to be sent. */
export const serializeHtml = (page: Html): string => page[markup]

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escape(part)
  if (typeof part === 'number') return String(part)
  return isList(part) ? part.map(textOf).join('') : part[markup]
}

const isList = (part: Html | readonly Part[]): part is readonly Part[] => Array.isArray(part)

/** Fit for an element and for a quoted attribute. */
const escape = (text: string) => text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** Pieces with the same between each two of them. */
export const joined = (pieces: readonly Html[], between: string): Html =>
  html`${pieces.map((piece, at) => (at === 0 ? piece : html`${between}${piece}`))}`

/** Text that a narrow screen breaks after a character of choice before anywhere else. */
export const breakable = (text: string, after: string): Html =>
  html`${text.split(after).map((part, at) => (at === 0 ? part : html`${after}<wbr />${part}`))}`

/** A line of text in which `backticks` mark code. */
export const line = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** Paragraphs, with a blank line between them. */
export const prose = (text: string): Html =>
  html`${text.split('\n\n').map(paragraph => html`<p>${line(paragraph)}</p>`)}`
