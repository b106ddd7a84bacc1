/** Whether a client prefers HTML to JSON. It does if its Accept header names text/html, as those of browsers do. */
export function prefersHtml(accept = ''): boolean {
  const page = qualityOf(accept, 'text/html')
  return page > 0 && page >= qualityOf(accept, 'application/json')
}

/** The quality value of a type, from 0 to 1 (RFC 9110, 12.5.1); 0 if it is not named. */
function qualityOf(accept: string, type: string): number {
  const parameters = accept
    .toLowerCase()
    .split(',')
    .map(range => range.split(';').map(part => part.trim()))
    .find(([name]) => name === type)
  if (!parameters) return 0
  const [, quality = '1'] = /^q=([01](?:\.\d{0,3})?)$/.exec(parameters.at(-1) ?? '') ?? []
  return Number(quality)
}
