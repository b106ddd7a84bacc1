import { execFile, spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { userInfo, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'
import { swiftKeys, swiftServers, writeSwiftSettings, type SwiftPorts } from './swift-settings.ts'

/** A running S3 server of a test, without buckets. */
export interface SwiftServer {
  endpoint: string
  keys: typeof swiftKeys
  stop(): Promise<void>
}

const launcher = (name: string) => new URL(name, import.meta.url).pathname

/** Starts a Swift from the packages that `fetchSwift` unpacked, on free ports and with a folder of its own. */
export async function startSwift(root: string): Promise<SwiftServer> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-swift-'))
  const ports = await freePorts()
  await writeSwiftSettings(folder, ports)
  const env = environmentOf(root)
  const { account, container, object } = ports
  const rings = [launcher('prepare.py'), folder, ...[account, container, object].map(String)]
  await promisify(execFile)('/usr/bin/python3', rings, { env })

  const output = { text: '' }
  const started = swiftServers.map(server => {
    const child = spawn('/usr/bin/python3', [launcher('serve.py'), folder, server], {
      env,
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (chunk: Buffer) => (output.text = (output.text + chunk.toString()).slice(-10_000)))
    return child
  })
  async function stop(): Promise<void> {
    await Promise.all(started.map(end))
    await rm(folder, { recursive: true, force: true })
  }
  const endpoint = `http://127.0.0.1:${ports.proxy}`
  try {
    for (const server of swiftServers) await answering(`http://127.0.0.1:${ports[server]}`, started)
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
async function answering(url: string, processes: readonly ChildProcess[]): Promise<void> {
  for (let left = 60_000 / 50; left > 0; left--) {
    if (processes.some(({ exitCode, signalCode }) => exitCode !== null || signalCode !== null)) break
    const answer = await fetch(`${url}/healthcheck`).catch(() => null)
    await answer?.body?.cancel()
    if (answer) return
    await sleep(50)
  }
  throw new Error('A server of Swift did not start.')
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return
  const ended = once(child, 'exit')
  child.kill('SIGKILL')
  await ended
}
