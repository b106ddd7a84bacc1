import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { userInfo, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { swiftKeys, swiftServers, writeSwiftSettings, type SwiftPorts } from './swift-settings.ts'

/** A running S3 server of a test, without buckets. */
export interface SwiftServer {
  endpoint: string
  keys: typeof swiftKeys
  stop(): Promise<void>
}

const launcher = new URL('serve.py', import.meta.url).pathname

/** Starts a Swift from the packages that `fetchSwift` unpacked, on free ports and with a folder of its own. */
export async function startSwift(root: string): Promise<SwiftServer> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-swift-'))
  const ports = await freePorts()
  await writeSwiftSettings(folder, ports)
  const { account, container, object } = ports
  const args = [launcher, folder, ...[account, container, object].map(String)]
  const servers = spawn('/usr/bin/python3', args, {
    env: environmentOf(root),
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  const output = { text: '' }
  for (const stream of [servers.stdout, servers.stderr])
    stream.on('data', (chunk: Buffer) => (output.text = (output.text + chunk.toString()).slice(-10_000)))
  async function stop(): Promise<void> {
    await end(servers)
    await rm(folder, { recursive: true, force: true })
  }
  const endpoint = `http://127.0.0.1:${ports.proxy}`
  try {
    for (const server of swiftServers) await answering(`http://127.0.0.1:${ports[server]}`, servers)
  } catch {
    await stop()
    throw new Error(`Swift did not start: ${output.text}`)
  }
  return { endpoint, keys: swiftKeys, stop }
}

const environmentOf = (root: string): NodeJS.ProcessEnv => ({
  PATH: process.env.PATH,
  USER: userInfo().username,
  PYTHONPATH: join(root, 'usr/lib/python3/dist-packages'),
  LD_LIBRARY_PATH: ['x86_64', 'aarch64'].map(cpu => join(root, `usr/lib/${cpu}-linux-gnu`)).join(':'),
})

/** Ports are held until all are chosen, so that they differ. */
async function freePorts(): Promise<SwiftPorts> {
  const holders = swiftServers.map(() => createServer().listen(0, '127.0.0.1'))
  await Promise.all(holders.map(holder => once(holder, 'listening')))
  const numbers = holders.map(holder => (holder.address() as AddressInfo).port)
  await Promise.all(holders.map(holder => once(holder.close(), 'close')))
  return Object.fromEntries(swiftServers.map((server, at) => [server, numbers[at]])) as SwiftPorts
}

/** Waits until a server answers anything. */
async function answering(url: string, servers: ChildProcess): Promise<void> {
  for (let left = 60_000 / 50; left > 0; left--) {
    if (hasEnded(servers)) break
    const answer = await fetch(`${url}/healthcheck`).catch(() => null)
    await answer?.body?.cancel()
    if (answer) return
    await sleep(50)
  }
  throw new Error('A server of Swift did not start.')
}

async function end(child: ChildProcess): Promise<void> {
  if (hasEnded(child)) return
  const ended = once(child, 'exit')
  // It ends the servers too.
  child.kill('SIGTERM')
  await ended
}

const hasEnded = ({ exitCode, signalCode }: ChildProcess) => exitCode !== null || signalCode !== null
