import { BlockList, isIP } from 'node:net'

// The registries of IANA for addresses with a special purpose (iana-ipv4-special-registry, iana-ipv6-special-registry).
// Anycast relays and AS112 are left out too: nobody's app is there.
const specialIPv4 = [
  '0.0.0.0/8', // this network
  '10.0.0.0/8', // private
  '100.64.0.0/10', // carrier-grade NAT
  '127.0.0.0/8', // loopback
  '169.254.0.0/16', // link-local, with the metadata of clouds
  '172.16.0.0/12', // private
  '192.0.0.0/24', // protocol assignments
  '192.0.2.0/24', // documentation
  '192.31.196.0/24', // AS112
  '192.52.193.0/24', // AMT
  '192.88.99.0/24', // 6to4 relays
  '192.168.0.0/16', // private
  '192.175.48.0/24', // AS112
  '198.18.0.0/15', // benchmarks
  '198.51.100.0/24', // documentation
  '203.0.113.0/24', // documentation
  '224.0.0.0/4', // multicast
  '240.0.0.0/4', // reserved, and broadcast
]

/** Only global unicast is assigned; mapped, compatible, NAT64, unique local, link-local and multicast are all outside of it. */
const globalIPv6 = '2000::/3'

const specialIPv6 = [
  '2001::/23', // protocol assignments: Teredo, benchmarks, ORCHID and others
  '2001:db8::/32', // documentation
  '2002::/16', // 6to4, which contains an IPv4 address
  '2620:4f:8000::/48', // AS112
  '3fff::/20', // documentation
]

const listOf = (family: 'ipv4' | 'ipv6', networks: readonly string[]): BlockList => {
  const list = new BlockList()
  for (const network of networks) {
    const [address = '', prefix] = network.split('/')
    list.addSubnet(address, Number(prefix), family)
  }
  return list
}

const [special4, special6, global6] = [
  listOf('ipv4', specialIPv4),
  listOf('ipv6', specialIPv6),
  listOf('ipv6', [globalIPv6]),
]

/** Whether an IP address is that of a host in the public internet. Everything else is not, text that is no address included. */
export function isPublicAddress(address: string): boolean {
  const family = isIP(address)
  if (family === 4) return !special4.check(address, 'ipv4')
  // A zone, as in fe80::1%eth0, belongs to addresses of one link.
  if (family !== 6 || address.includes('%')) return false
  return global6.check(address, 'ipv6') && !special6.check(address, 'ipv6')
}
