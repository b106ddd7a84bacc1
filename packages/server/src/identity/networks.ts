import { BlockList, isIP } from 'node:net'

/**
 * Parses a network address or a network in CIDR notation, as PostgreSQL writes it (RFC 4632: no bits set beyond the
 * prefix). For an invalid one, gives a correction if there is one.
 */
export function parseNetwork(text: string): { network: string } | { suggestion?: string } {
  const [, address = '', length] = /^([0-9a-fA-F.:]+)(?:\/(\d{1,3}))?$/.exec(text) ?? []
  const family = isIP(address)
  if (family === 0) return {}
  const bits = family === 4 ? 32 : 128
  const prefix = length === undefined ? bits : Number(length)
  if (prefix > bits) return { suggestion: `${address}/${bits}` }
  const first = firstAddress(address, family, prefix)
  const network = `${first}/${prefix}`
  return first === written(address, family) ? { network } : { suggestion: network }
}

/** Whether an address is in one of the networks. An IPv4 address mapped into IPv6 counts as IPv4. */
export function isWithin(networks: readonly string[], address: string): boolean {
  const plain = address.replace(/^::ffff:(?=\d+\.\d+\.\d+\.\d+$)/i, '')
  const family = isIP(plain)
  if (family === 0) return false
  const list = new BlockList()
  for (const network of networks) {
    const [first = '', prefix = ''] = network.split('/')
    const of = isIP(first)
    if (of === family)
      list.addSubnet(first, prefix === '' ? (of === 4 ? 32 : 128) : Number(prefix), typeOf(of))
  }
  return list.check(plain, typeOf(family))
}

/** Whether a network is part of another; both as parseNetwork writes them. */
export function isSubnetOf(network: string, other: string): boolean {
  const [inner, outer] = [sizeOf(network), sizeOf(other)]
  return (
    inner.family === outer.family &&
    inner.prefix >= outer.prefix &&
    firstAddress(inner.first, inner.family, outer.prefix) ===
      firstAddress(outer.first, outer.family, outer.prefix)
  )
}

function sizeOf(network: string): { first: string; family: number; prefix: number } {
  const [first = '', prefix] = network.split('/')
  return { first, family: isIP(first), prefix: Number(prefix) }
}

const typeOf = (family: number) => (family === 4 ? 'ipv4' : 'ipv6')

/** The address with all bits beyond the prefix cleared. */
function firstAddress(address: string, family: number, prefix: number): string {
  const parts = addressParts(address, family)
  const width = family === 4 ? 8 : 16
  const masked = parts.map((part, at) => {
    const kept = Math.min(width, Math.max(0, prefix - at * width))
    return part & (((1 << width) - 1) ^ ((1 << (width - kept)) - 1))
  })
  return write(masked, family)
}

const written = (address: string, family: number) => write(addressParts(address, family), family)

const write = (parts: readonly number[], family: number): string =>
  family === 4
    ? parts.join('.')
    : new URL(`http://[${parts.map(part => part.toString(16)).join(':')}]`).hostname.slice(1, -1)

/** The four bytes of an IPv4 address, or the eight groups of an IPv6 address. */
export function addressParts(address: string, family: number): number[] {
  if (family === 4) return address.split('.').map(Number)
  // The URL parser normalizes every form of an IPv6 address, also one with a dotted ending.
  const [head = '', tail] = new URL(`http://[${address}]`).hostname.slice(1, -1).split('::')
  const groups = (text: string) =>
    text === '' ? [] : text.split(':').map(group => Number.parseInt(group, 16))
  if (tail === undefined) return groups(head)
  const [left, right] = [groups(head), groups(tail)]
  return [...left, ...Array.from({ length: 8 - left.length - right.length }, () => 0), ...right]
}
