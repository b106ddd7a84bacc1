import { lookup } from 'node:dns/promises'
import { BlockList } from 'node:net'

const loopback = new BlockList()
loopback.addSubnet('127.0.0.0', 8)
loopback.addAddress('::1', 'ipv6')

type Resolve = (host: string) => Promise<readonly { address: string; family: number }[]>

const resolveAll: Resolve = host => lookup(host, { all: true })

/**
 * Whether a server on this host can be reached from this machine only: all addresses that the name resolves to are
 * loopback addresses. For a name without addresses, listening fails later.
 */
export async function isLoopbackHost(host: string, resolve: Resolve = resolveAll): Promise<boolean> {
  const addresses = await resolve(host).catch(() => [])
  return addresses.every(({ address, family }) => isLoopback(address, family))
}

/** An address may name its interface, as in ::1%lo. An IPv4 address mapped into IPv6 counts as IPv4. */
const isLoopback = (address: string, family: number) =>
  loopback.check(address.replace(/%.*$/s, ''), family === 6 ? 'ipv6' : 'ipv4')
