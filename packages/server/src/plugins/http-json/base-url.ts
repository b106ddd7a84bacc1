import type { PluginFault } from '../plugin.ts'
import type { PluginSettings } from '../plugin-settings.ts'

/** What http_json may reach. */
export interface Reach {
  /** Hosts, with their port unless it is 443. */
  hosts: ReadonlySet<string>
  /** Whether they may have plain HTTP and private addresses. */
  allowPrivate: boolean
}

export const reachOf = ({ hosts, allowPrivate }: PluginSettings): Reach => ({
  hosts: new Set(hosts.map(host => host.replace(/:443$/, ''))),
  allowPrivate,
})

/** The settings of a connection. */
export interface HttpJsonConfig {
  /** In the normal form of URLs, without a slash at the end. */
  base_url: string
}

const at = (pointer: string, detail: string): PluginFault => ({ pointer, detail })

const form = 'It must be the URL of a host and a path, without credentials, query or fragment.'

/** Reads the settings of a new connection. It names no host but the one that was asked for. */
export function readConfig(
  config: Readonly<Record<string, unknown>>,
  reach: Reach,
): { config: HttpJsonConfig; url: URL } | { faults: PluginFault[] } {
  const { base_url, ...unknown } = config
  const surplus = Object.keys(unknown).map(name =>
    at(`/${pointerPart(name)}`, 'There is no such setting: http_json has base_url only.'),
  )
  const read =
    typeof base_url === 'string' ? readBaseUrl(base_url, reach) : 'It must be a text: the URL of the app.'
  const faults = [...surplus, ...(typeof read === 'string' ? [at('/base_url', read)] : [])]
  if (typeof read === 'string' || faults.length > 0) return { faults }
  return { config: { base_url: read.href.replace(/\/+$/, '') }, url: read }
}

/** A name of a JSON object as a part of a JSON pointer (RFC 6901). */
export const pointerPart = (name: string): string =>
  name.replaceAll('~', '~0').replaceAll('/', '~1').slice(0, 100)

/** The base URL, or what is wrong with it. It is judged again at each call: the list of hosts may have become shorter. */
export function readBaseUrl(text: string, { hosts, allowPrivate }: Reach): URL | string {
  if (text.length > 2000) return 'It can have at most 2,000 characters.'
  // A URL parser would repair these, each in its own way.
  if (!/^https?:\/\/[\x21-\x7e]+$/.test(text) || /[\\?#@<>"^`{|}]/.test(text)) return form
  if (!URL.canParse(text)) return form
  const url = new URL(text)
  if (url.protocol === 'http:' && !allowPrivate) return 'It must begin with https://.'
  if (url.username !== '' || url.password !== '' || url.search !== '' || url.hash !== '') return form
  const fault = pathFault(pathIn(text))
  if (fault !== null) return fault
  if (url.pathname !== (pathIn(text) || '/')) return form
  if (!hosts.has(hostOf(url)))
    return 'The service may not reach this host. Its operator decides which it may.'
  return url
}

/** The host as the list names it: with its port unless it is 443. */
const hostOf = ({ protocol, hostname, port }: URL): string => {
  const actual = port === '' ? (protocol === 'http:' ? '80' : '443') : port
  return actual === '443' ? hostname : `${hostname}:${actual}`
}

/** The path as it was written, before a URL parser changes it. */
const pathIn = (text: string): string => /^https?:\/\/[^/]*(.*)$/.exec(text)?.[1] ?? ''

/** What RFC 3986 allows in a path, with complete percent-encodings. */
const pathForm = /^(?:\/(?:[A-Za-z0-9\-._~!$&'()*+,;=:@]|%[0-9A-Fa-f]{2})*)*$/

/**
 * What is wrong with a path, or null. It must mean the same to every server: no segment leads upwards, in whatever encoding, and
 * none is empty except the last one.
 */
export function pathFault(path: string): string | null {
  if (!pathForm.test(path))
    return 'It must be a path that begins with a slash: ASCII, with other characters percent-encoded, without ? and #.'
  const segments = path.split('/').slice(1)
  if (segments.some((segment, position) => segment === '' && position < segments.length - 1))
    return 'It must not have an empty segment.'
  return segments.every(isPlainSegment)
    ? null
    : 'It must not lead upwards, and not have an encoded slash, backslash, percent sign or control character.'
}

/** Whether every server reads a segment as one segment, and as the same one: also those that decode twice or cut parameters off. */
function isPlainSegment(segment: string): boolean {
  let decoded: string
  try {
    decoded = decodeURIComponent(segment)
  } catch {
    return false
  }
  const [name = ''] = decoded.split(';')
  return !/[/\\%\p{Cc}]/u.test(decoded) && !/^\s*\.{1,2}\s*$/.test(name)
}
