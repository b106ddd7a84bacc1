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

/** A page as text. `root` is the relative address of the root of the service, such as `../`. */
export const serializeHtml = (page: Html, root = ''): string => page[markup].replaceAll('\0', root)

/**
 * The address of a page or file of the service, for an attribute: `docs/rooms`. It is relative, because a proxy may serve
 * the service under another path, so it depends on the page that it stands on: NUL stands for the root until then.
 */
export const addressOf = (path: string): Html => html`${{ [markup]: '\0' }}${path}`

function textOf(part: Part): string {
  if (part === undefined || part === false) return ''
  if (typeof part === 'string') return escape(part)
  if (typeof part === 'number') return String(part)
  return isList(part) ? part.map(textOf).join('') : part[markup]
}

const isList = (part: Html | readonly Part[]): part is readonly Part[] => Array.isArray(part)

/** Safe in an element and in a quoted attribute. */
const escape = (text: string) =>
  text.replaceAll(/[&<>"'\0]/g, character => (character === '\0' ? '' : `&#${character.charCodeAt(0)};`))

/** Joins pieces with a separator. */
export const joined = (pieces: readonly Html[], between: string | Html): Html =>
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
