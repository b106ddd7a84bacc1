import { lookup } from 'node:dns/promises'
import { connect as connectTcp, isIP, type LookupFunction, type Socket } from 'node:net'
import { connect as connectTls } from 'node:tls'
import { isPublicAddress } from './public-address.ts'
import { Wire } from './wire.ts'

export interface Address {
  address: string
  family: number
}

/** How the network is reached. Tests have their own. */
export interface Network {
  resolve(host: string): Promise<readonly Address[]>
  /** A certificate authority that is trusted instead of those of Node. */
  ca?: string
  /** The longest time for the name, the connection and the handshake, in milliseconds. */
  connectTime: number
  /** The longest time for everything, in milliseconds. */
  totalTime: number
}

/**
 * Looks a host up once for all who ask meanwhile. A lookup cannot be canceled and few run at once in a process, so those of one
 * slow host would keep everybody else from theirs.
 */
export function createResolver(find: Network['resolve']): Network['resolve'] {
  const underWay = new Map<string, ReturnType<typeof find>>()
  return host => {
    const found = underWay.get(host) ?? find(host).finally(() => underWay.delete(host))
    underWay.set(host, found)
    return found
  }
}

export const realNetwork: Network = {
  resolve: createResolver(host => lookup(host, { all: true })),
  connectTime: 3000,
  totalTime: 10_000,
}

/** How many addresses of a host are tried. */
const mostAddresses = 4

/** A connection to an app. */
export interface AppConnection {
  socket: Socket
  /**
   * Whether the app said that it sends no more, with the close_notify of TLS (RFC 8446, 6.1). Anybody on the way can end a TCP
   * connection.
   */
  saidEnd(): boolean
}

/**
 * Connects to the host of a URL. The name is resolved once, every address must be public, and only these addresses are
 * connected to: another answer to a second question cannot lead elsewhere. Throws if that fails, before anything of a request
 * is sent.
 */
export async function connect(
  url: URL,
  { resolve, ca, connectTime }: Network,
  { allowPrivate, signal }: { allowPrivate: boolean; signal: AbortSignal },
): Promise<AppConnection> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(connectTime)])
  over.throwIfAborted()
  const host = url.hostname
  const family = isIP(host)
  const found = family === 0 ? await beforeEnd(resolve(host), over) : [{ address: host, family }]
  if (found.length === 0) throw new Error('The host has no address.')
  if (!allowPrivate && !found.every(({ address }) => isPublicAddress(address)))
    throw new Error('The host has an address that is not public.')
  const isTls = url.protocol === 'https:'
  const tcp = connectTcp({
    host,
    port: Number(url.port || (isTls ? 443 : 80)),
    lookup: alwaysTo(found.slice(0, mostAddresses)),
    autoSelectFamily: true,
    autoSelectFamilyAttemptTimeout: Math.max(Math.floor(connectTime / mostAddresses), 10),
  })
  await ready(tcp, 'connect', over)
  if (!isTls) return { socket: tcp, saidEnd: () => false }
  const wire = new Wire(tcp)
  const socket = connectTls({
    socket: wire,
    host,
    ...(family === 0 && { servername: host }),
    ...(ca !== undefined && { ca }),
    ALPNProtocols: ['http/1.1'],
  })
  let saidEnd = false
  // Node ends a TLS socket in the same way when TCP ends: only close_notify ends it earlier.
  socket.once('end', () => (saidEnd = !wire.hasEnded))
  await ready(socket, 'secureConnect', over)
  return { socket, saidEnd: () => saidEnd }
}

/** Answers every question for an address with those that were found. */
const alwaysTo =
  (addresses: readonly Address[]): LookupFunction =>
  (_, options, answer) => {
    const [first] = addresses
    if (options.all) answer(null, [...addresses])
    else if (first) answer(null, first.address, first.family)
  }

/** The socket once it is connected. Throws, and destroys it, if it cannot be or if the time is over. */
function ready(socket: Socket, event: 'connect' | 'secureConnect', over: AbortSignal): Promise<Socket> {
  return new Promise((resolve, reject) => {
    const end = (error?: Error) => {
      over.removeEventListener('abort', late)
      socket.removeListener('error', end)
      // It may fail while nobody listens: before it is used, or while it is destroyed.
      socket.on('error', () => undefined)
      if (!error) return resolve(socket)
      socket.destroy()
      reject(error)
    }
    const late = () => end(new Error('The connection took too long.'))
    over.addEventListener('abort', late, { once: true })
    socket.once('error', end).once(event, () => end())
  })
}

/** What is waited for, unless the time is over first. Then it throws. */
function beforeEnd<T>(work: Promise<T>, over: AbortSignal): Promise<T> {
  const late = new Promise<never>((_, reject) =>
    over.addEventListener('abort', () => reject(new Error('The name took too long.')), { once: true }),
  )
  return Promise.race([work, late])
}
