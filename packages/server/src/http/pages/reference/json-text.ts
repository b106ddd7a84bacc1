import { html, type Html } from './html.ts'

/** A JSON value in several lines, with marks for its names, texts and other values. */
export function jsonText(value: unknown): Html {
  const text = JSON.stringify(value, null, 2)
  const parts = text.split(/("(?:[^"\\]|\\.)*"(?:: )?)/)
  return html`${parts.map((part, at) => (at % 2 === 0 ? part : textOrName(part)))}`
}

const textOrName = (part: string): Html =>
  part.endsWith(': ')
    ? html`<span class="name">${part.slice(0, -2)}</span>: `
    : html`<span class="text">${part}</span>`
