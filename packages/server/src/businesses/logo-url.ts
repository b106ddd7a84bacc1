/**
 * The logo a Workspace saved for a Business: an http(s) URL without credentials, or null. It is a string to show, never
 * an address to fetch.
 */
export function savedLogoUrl(saved: string | null): string | null {
  if (saved === null || saved.length > 2048 || !URL.canParse(saved)) return null
  const { protocol, username, password } = new URL(saved)
  const web = protocol === 'http:' || protocol === 'https:'
  return web && username === '' && password === '' && !/\s/.test(saved) ? saved : null
}
