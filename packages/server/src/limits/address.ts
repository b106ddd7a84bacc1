import { isIP } from 'node:net'
import { addressParts } from '../identity/networks.ts'

/**
 * The key that an address is counted under: an IPv4 address itself, and the /64 of an IPv6 address, which one customer has.
 * The address of a client that has disconnected is not known any more.
 */
export function addressKey(address: string | undefined): string {
  const plain = address?.split('%', 1)[0] ?? ''
  const version = isIP(plain)
  if (version === 4) return plain
  if (version !== 6) return 'unknown'
  const groups = addressParts(plain, version)
  const isMapped = groups.slice(0, 5).every(group => group === 0) && groups[5] === 0xffff
  if (isMapped) return groups.slice(6).flatMap(bytesOf).join('.')
  return `${groups
    .slice(0, 4)
    .map(group => group.toString(16))
    .join(':')}::/64`
}

const bytesOf = (group: number): number[] => [group >> 8, group & 255]
