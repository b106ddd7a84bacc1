/** What the log contains. */
export interface LogSettings {
  level: string
  addresses: LoggedAddresses
}

/** Whether lines of requests have the address of the client: not at all, only its network, or the whole. */
export type LoggedAddresses = 'off' | 'network' | 'on'

const levels = ['fatal', 'error', 'warn', 'info', 'debug', 'trace', 'silent']

/** Reads LOG_LEVEL, with a default of its own for each environment, and SVC_LOG_ADDRESSES. Throws an Error of one sentence. */
export function logSettings(
  level: string | undefined,
  addresses: string | undefined,
  environment: string,
): LogSettings {
  // Whoever tries the service out on a terminal wants to read what went wrong, and no more.
  const byDefault = environment === 'production' ? 'info' : 'warn'
  if (level && !levels.includes(level)) throw new Error(`LOG_LEVEL must be one of ${levels.join(', ')}.`)
  return { level: level || byDefault, addresses: readAddresses(addresses) }
}

function readAddresses(text: string | undefined): LoggedAddresses {
  if (!text) return 'off'
  if (text === 'off' || text === 'network' || text === 'on') return text
  throw new Error(
    'SVC_LOG_ADDRESSES must be off, network (the /24 of an IPv4 address and the /48 of an IPv6 address) or on.',
  )
}
