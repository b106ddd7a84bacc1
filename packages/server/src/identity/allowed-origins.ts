import { isSafeUrl } from './issuer-url.ts'

/**
 * Checks the origins whose pages may call the service, and gives each once, as browsers write it in the header Origin.
 * Throws unless each is exact, and https, or http on this machine: anybody on the way can change a page that came over
 * http, and so take its tokens.
 */
export function allowedOrigins(texts: readonly string[]): string[] {
  return [...new Set(texts.map(originOf))]
}

function originOf(text: string): string {
  // Only a scheme and a host: the parser would drop an empty path or query, white space, and a user without a name.
  const url = /^https?:\/\/[^\s/\\?#@]+$/i.test(text) ? URL.parse(text) : null
  if (url !== null && isSafeUrl(url) && !url.hostname.includes('*')) return url.origin
  throw new Error(
    'SVC_ALLOWED_ORIGINS must be exact origins of web apps, such as https://app.example.com, separated by commas: without a path, a user or a *, and with http only for this machine, as in http://localhost:5173.',
  )
}
