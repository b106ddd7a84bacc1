/** The visible text of a page, without tags and with entities decoded. */
export function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#(\d+)|amp);/g, (_, code = '38') => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
}

export const idsIn = (html: string): string[] =>
  Array.from(html.matchAll(/ id="([^"]*)"/g), match => match[1] ?? '')

/** The addresses that a page links to or loads. */
export const linksIn = (html: string): string[] =>
  Array.from(html.matchAll(/ (?:href|src|action)="([^"]*)"/g), match =>
    (match[1] ?? '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
  )
