const markup = Symbol('markup')

/** HTML that is inserted as it is. Only `html` creates it, so other text can never be mistaken for it. */
export interface Html {
  readonly [markup]: string
}

type Part = Html | string | number | false | undefined | readonly Part[]

/** A piece of HTML. Values in `${}` are escaped, unless they are Html or lists of it. */
export function html(strings: TemplateStringsArray, ...parts: Part[]): Html {
  const raw = strings.map(text => text.replaceAll(/\n\s+/g, '\n')) // the indentation only matters in the source
  return { [markup]: String.raw({ raw }, ...parts.map(textOf)) }
}

/** The page as text. */
export const serializeHtml = (page: Html): string => page[markup]

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escape(part)
  if (typeof part === 'number') return String(part)
  return isList(part) ? part.map(textOf).join('') : part[markup]
}

const isList = (part: Html | readonly Part[]): part is readonly Part[] => Array.isArray(part)

/** Safe in an element and in a quoted attribute. */
const escape = (text: string) => text.replaceAll(/[&<>"']/g, character => `&#${character.charCodeAt(0)};`)

/** Joins pieces with a separator. */
export const joined = (pieces: readonly Html[], between: string): Html =>
  html`${pieces.map((piece, at) => (at === 0 ? piece : html`${between}${piece}`))}`

/** Text that prefers to break after certain characters on a narrow screen. */
export const breakable = (text: string, after: string): Html =>
  html`${text.split(after).map((part, at) => (at === 0 ? part : html`${after}<wbr />${part}`))}`

/** A line of text in which `backticks` mark code. */
export const line = (text: string): Html =>
  html`${text.split('`').map((part, at) => (at % 2 === 1 ? html`<code>${part}</code>` : part))}`

/** Paragraphs, separated by blank lines. */
export const prose = (text: string): Html =>
  html`${text.split('\n\n').map(paragraph => html`<p>${line(paragraph)}</p>`)}`
