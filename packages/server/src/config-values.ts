import { isIP } from 'node:net'

/** How values of settings are written: what is common to several of them. All but `list` throw ConfigError. */

/** A setting is invalid. The message says which one, and what is valid. */
export class ConfigError extends Error {}

/** Reads the settings of a part, whose errors are Errors of one sentence. */
export function settingsOfPart<T>(read: () => T): T {
  try {
    return read()
  } catch (error) {
    throw new ConfigError(error instanceof Error ? error.message : String(error))
  }
}

/** Items that commas separate. */
export const list = (text: string | undefined) =>
  (text ?? '')
    .split(',')
    .map(item => item.trim())
    .filter(item => item !== '')

export function readSwitch(name: string, text: string | undefined, otherwise: boolean): boolean {
  if (!text) return otherwise
  if (text === 'on' || text === 'off') return text === 'on'
  throw new ConfigError(`${name} must be on or off.`)
}

export function readScale(text: string | undefined, otherwise: number): number {
  if (!text) return otherwise
  if (/^\d*\.?\d+$/.test(text)) return Number(text)
  throw new ConfigError('RATE_LIMIT_SCALE must be a number from 0 on, such as 0.5 or 20.')
}

export function readCount(
  name: string,
  text: string | undefined,
  { otherwise, least, most }: { otherwise: number; least: number; most: number },
): number {
  if (!text) return otherwise
  if (/^\d+$/.test(text) && Number(text) >= least && Number(text) <= most) return Number(text)
  throw new ConfigError(`${name} must be a whole number from ${least} to ${most}, such as ${otherwise}.`)
}

const units: Readonly<Record<string, number>> = {
  KiB: 1024,
  MiB: 1024 ** 2,
  GiB: 1024 ** 3,
  TiB: 1024 ** 4,
}

/** A number of bytes with its unit; null for none. */
export function readBytes(name: string, text: string | undefined, otherwise: string): number | null {
  const given = text || otherwise
  if (given === 'none') return null
  const [, number, unit = ''] = /^(\d{1,6}(?:\.\d+)?)(KiB|MiB|GiB|TiB)$/.exec(given) ?? []
  const bytes = Math.round(Number(number) * (units[unit] ?? 0))
  if (number !== undefined && Number.isSafeInteger(bytes)) return bytes
  throw new ConfigError(`${name} must be none, or a number with KiB, MiB, GiB or TiB, such as ${otherwise}.`)
}

/** A time that may be 0, in seconds. */
export function readSeconds(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (!text) return otherwise
  if (/^\d*\.?\d+$/.test(text) && Number(text) <= most) return Number(text)
  throw new ConfigError(`${name} must be a number of seconds from 0 to ${most}, such as 0.5 or 5.`)
}

export function readTime(name: string, text: string | undefined, otherwise: number, most: number): number {
  if (!text) return otherwise
  if (/^\d*\.?\d+$/.test(text) && Number(text) > 0 && Number(text) <= most) return Number(text)
  throw new ConfigError(
    `${name} must be a number greater than 0 and at most ${most}, such as 0.5 or ${otherwise}.`,
  )
}

/** A whole number of days; null without one. */
export function readDays(name: string, text: string | undefined, least: number): number | null {
  if (!text) return null
  if (/^\d{1,5}$/.test(text) && Number(text) >= least) return Number(text)
  throw new ConfigError(`${name} must be a whole number of days from ${least} to 99999, such as 365.`)
}

export function readProxies(text: string | undefined): string[] {
  const proxies = list(text)
  if (proxies.every(isNetwork)) return proxies
  throw new ConfigError(
    'SVC_TRUSTED_PROXIES must be IP addresses or networks such as 10.0.0.0/8, separated by commas.',
  )
}

function isNetwork(text: string): boolean {
  const [address = '', bits, ...rest] = text.split('/')
  const longest = { 0: -1, 4: 32, 6: 128 }[isIP(address)] ?? -1
  const isLength = bits === undefined || (/^[1-9]\d*$/.test(bits) && Number(bits) <= longest)
  return longest > 0 && isLength && rest.length === 0
}
