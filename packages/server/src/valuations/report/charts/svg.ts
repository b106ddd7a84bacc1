import { escapeHtml } from '../words/escape-html.ts'

/** Markup of an image. */
export type Svg = string

/** An element. Values of attributes and text are escaped; children are markup. */
export function element(
  name: string,
  attributes: Readonly<Record<string, string | number>>,
  ...children: readonly Svg[]
): Svg {
  const given = Object.entries(attributes)
    .map(([key, value]) => ` ${key}="${typeof value === 'number' ? position(value) : escapeHtml(value)}"`)
    .join('')
  return children.length === 0 ? `<${name}${given}/>` : `<${name}${given}>${children.join('')}</${name}>`
}

/** Text at a place. It is cut to `longest` characters; the table beside the chart has the whole. */
export function label(
  text: string,
  at: { x: number; y: number; anchor?: 'start' | 'middle' | 'end'; class?: string; longest?: number },
): Svg {
  const { x, y, anchor = 'start', class: name = 'label', longest = 60 } = at
  return element('text', { x, y, 'text-anchor': anchor, class: name }, escapeHtml(cut(text, longest)))
}

function cut(text: string, longest: number): string {
  const characters = Array.from(text)
  return characters.length <= longest
    ? text
    : `${characters
        .slice(0, longest - 1)
        .join('')
        .trimEnd()}…`
}

/** The width of every image in its own units. */
export const imageWidth = 480

/** An image with a title and a description for those who do not see it. */
export const image = (
  id: string,
  height: number,
  title: string,
  description: string,
  ...children: readonly Svg[]
): Svg =>
  element(
    'svg',
    {
      viewBox: `0 0 ${imageWidth} ${position(height)}`,
      role: 'img',
      'aria-labelledby': `${id}-title`,
      'aria-describedby': `${id}-desc`,
    },
    element('title', { id: `${id}-title` }, escapeHtml(title)),
    element('desc', { id: `${id}-desc` }, escapeHtml(description)),
    ...children,
  )

/** A place in an image, to a hundredth. */
const position = (value: number): string => String(Math.round(value * 100) / 100)
