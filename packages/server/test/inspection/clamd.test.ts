import assert from 'node:assert/strict'
import { createServer, type AddressInfo, type Socket } from 'node:net'
import { Readable } from 'node:stream'
import { after, before, describe, it } from 'node:test'
import { scan, ScannerFault } from '../../src/inspection/clamd.ts'
import { createInspector } from '../../src/inspection/inspector.ts'
import { clamdAddress, type ClamdAddress } from '../../src/inspection/inspection-settings.ts'
import { eicar, startClamd, streamMaxLength, type ClamdServer } from '../harness/clamd/clamd-server.ts'
import { quietLog } from '../harness/quiet-log.ts'
import { contentOf } from './inspecting.ts'

const never = new AbortController().signal
const scanned = (address: ClamdAddress, bytes: string | Buffer, timeouts?: Parameters<typeof scan>[3]) =>
  scan(address, Readable.from([Buffer.from(bytes as string)]), never, timeouts)

describe('a real clamd', () => {
  let server: ClamdServer | string = 'it was not started'
  before(async () => (server = await startClamd()))
  after(async () => typeof server !== 'string' && server.stop())
  const withServer = (title: string, work: (address: ClamdAddress) => Promise<void>) =>
    void it(title, async t => (typeof server === 'string' ? t.skip(server) : work(server.address)))

  withServer('finds malware, and nothing else', async address => {
    assert.equal(await scanned(address, eicar), 'Eicar-Test-Signature.UNOFFICIAL')
    assert.equal(await scanned(address, 'Nothing bad.'), null)
    assert.equal(await scanned(address, ''), null)
    assert.equal(await scanned(address, Buffer.alloc(900_000, 'x')), null)
  })

  withServer(
    'refuses content that is larger than its settings allow, as a fault that can be mended',
    async address => {
      const large = Readable.from(Array.from({ length: 40 }, () => Buffer.alloc(streamMaxLength / 4)))
      await assert.rejects(scan(address, large, never), /^ScannerFault: .*StreamMaxLength/)
      assert.ok(large.destroyed)
    },
  )

  withServer('has the inspector refuse malware of any type', async clamd => {
    const inspector = createInspector({ clamd, log: quietLog })
    const { error, text } = await inspector.inspect(contentOf('text/plain', eicar))
    assert.deepEqual({ error, text }, { error: 'malware_detected', text: { status: 'none', pages: [] } })
    assert.equal((await inspector.inspect(contentOf('text/plain', 'Nothing bad.'))).error, null)
    await inspector.close()
  })
})

/** Runs work against a server that treats each connection so. */
async function against(treat: (socket: Socket) => void, work: (address: ClamdAddress) => Promise<void>) {
  const sockets: Socket[] = []
  const server = createServer(socket => {
    sockets.push(socket)
    socket.on('error', () => {})
    treat(socket)
  })
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  try {
    await work({ host: '127.0.0.1', port: (server.address() as AddressInfo).port })
  } finally {
    for (const socket of sockets) socket.destroy()
    await new Promise(resolve => server.close(resolve))
  }
}

describe('a scanner that gives no verdict', () => {
  const faults: Record<string, (socket: Socket) => void> = {
    'closes at once': socket => socket.destroy(),
    'closes in the middle': socket => socket.once('data', () => socket.end()),
    'answers something else': socket => socket.resume().on('data', () => socket.end('stream: perhaps\0')),
    'answers half a reply': socket => socket.resume().on('data', () => socket.end('stream: O')),
    'never ends its reply': socket => socket.on('data', () => socket.write('x'.repeat(10_000))),
    'takes content and says nothing': socket => socket.resume(),
    'takes no content': socket => socket.pause(),
  }
  for (const [title, treat] of Object.entries(faults))
    it(`is a fault of the scanner if it ${title}`, () =>
      against(treat, async address => {
        const silence = { silence_ms: 300, verdict_ms: 300 }
        await assert.rejects(scanned(address, Buffer.alloc(20_000_000), silence), ScannerFault)
      }))

  it('is a fault if it is not there, which the inspector passes on', async () => {
    await assert.rejects(scanned({ path: '/nonexistent/clamd.ctl' }, 'x'), ScannerFault)
    const inspector = createInspector({ clamd: { path: '/nonexistent/clamd.ctl' }, log: quietLog })
    await assert.rejects(inspector.inspect(contentOf('text/plain', 'x')), ScannerFault)
    await inspector.close()
  })

  it('passes on what the content fails with, and what the signal aborts with', () =>
    against(
      socket => socket.resume(),
      async address => {
        const broken = new Readable({
          read() {
            this.destroy(new Error('The disk is gone.'))
          },
        })
        await assert.rejects(scan(address, broken, never), /The disk is gone/)
        const stalled = new Readable({ read() {} })
        const controller = new AbortController()
        const stopped = scan(address, stalled, controller.signal)
        controller.abort(new Error('No longer needed.'))
        await assert.rejects(stopped, /No longer needed/)
        assert.ok(stalled.destroyed)
      },
    ))
})

describe('CLAMD_ADDRESS', () => {
  it('is a socket or a host and a port', () => {
    assert.equal(clamdAddress(null), null)
    assert.deepEqual(clamdAddress('unix:/run/clamav/clamd.ctl'), { path: '/run/clamav/clamd.ctl' })
    assert.deepEqual(clamdAddress('clamav.example.com:3310'), { host: 'clamav.example.com', port: 3310 })
    assert.deepEqual(clamdAddress('[::1]:3310'), { host: '::1', port: 3310 })
  })

  it('is nothing else', () => {
    for (const text of [
      '',
      'unix:',
      'unix:run',
      'unix:/',
      'localhost',
      'localhost:',
      'localhost:0',
      'localhost:65536',
      ':3310',
      '::1:3310',
      'tcp://localhost:3310',
      'a b:1',
    ])
      assert.throws(() => clamdAddress(text), /^Error: CLAMD_ADDRESS must/, text)
  })
})
