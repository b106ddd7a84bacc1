import type { LoggedAddresses } from '../../telemetry/log-settings.ts'
import { isIP } from 'node:net'
import { parseNetwork } from '../../identity/networks.ts'

/** The address of a client in the form in which it may be logged. */
export function loggedAddress(form: LoggedAddresses, address: string): string | undefined {
  if (form === 'off') return undefined
  const plain = plainAddress(address)
  const family = isIP(plain)
  // A proxy may pass on any text as the address of its client.
  if (family === 0) return 'unknown'
  return form === 'on' ? plain : networkOf(plain, family)
}

/** Without the zone of a link, which is a name, and an IPv4 address that is mapped into IPv6 as it is. */
const plainAddress = (address: string) =>
  (address.split('%', 1)[0] as string).replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')

/** What an operator of a network gives to one customer or site is about this large. */
function networkOf(address: string, family: number): string {
  const network = `${address}/${family === 4 ? 24 : 48}`
  const found = parseNetwork(network)
  return 'network' in found ? found.network : (found.suggestion ?? 'unknown')
}
