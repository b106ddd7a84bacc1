import assert from 'node:assert/strict'
import { createServer, type Server } from 'node:net'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { createResolver, type Address } from '../../../src/plugins/http-json/connect.ts'
import { makeCertificate } from './certificate.ts'
import { ask, host, httpJson, localNetwork, startLocalApp, type LocalApp } from './local-app.ts'

const here: Address = { address: '127.0.0.1', family: 4 }

describe('a connection of http_json', () => {
  const certificate = makeCertificate(host)
  const ca = certificate.cert
  let app: LocalApp
  let plain: LocalApp
  /** Accepts connections and says nothing. */
  let silent: Server
  before(async () => {
    app = await startLocalApp(certificate)
    plain = await startLocalApp()
    silent = createServer(socket => socket.on('error', () => undefined).resume())
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
  })
  after(async () => {
    await app.close()
    await plain.close()
    await new Promise(resolve => silent.close(resolve))
  })

  const url = () => `https://${host}:${app.port}`
  const through = (over: Parameters<typeof localNetwork>[0] = {}, allowPrivate = true) =>
    ask(httpJson([`${host}:${app.port}`], localNetwork({ ca, ...over }), allowPrivate), url())
  const resolving = (...addresses: Address[]) => ({ resolve: () => Promise.resolve(addresses) })

  it('is encrypted for the host of the URL, whose certificate must be right', async () => {
    assert.deepEqual(await through(), { outcome: 'succeeded', output: { ok: true } })
    assert.equal(app.received.at(-1)?.headers.host, `${host}:${app.port}`)
    const before = app.received.length
    const others = [undefined, makeCertificate(host).cert]
    for (const other of others) {
      const network = localNetwork(other === undefined ? {} : { ca: other })
      const outcome = await ask(httpJson([`${host}:${app.port}`], network), url())
      assert.equal(outcome.outcome, 'unreachable')
    }
    const elsewhere = httpJson([`other.example:${app.port}`], localNetwork({ ca }))
    assert.equal((await ask(elsewhere, `https://other.example:${app.port}`)).outcome, 'unreachable')
    assert.equal(app.received.length, before)
  })

  it('resolves the name once, and goes to no other address', async () => {
    const names: string[] = []
    const rebinding = (name: string) => {
      names.push(name)
      return Promise.resolve([names.length === 1 ? here : { address: '127.0.0.66', family: 4 }])
    }
    assert.equal((await through({ resolve: rebinding })).outcome, 'succeeded')
    assert.deepEqual(names, [host])
  })

  it('asks for a name once while a slow answer is waited for, and again later', async () => {
    const names: string[] = []
    let slow = Promise.withResolvers<readonly Address[]>()
    const resolve = createResolver(name => {
      names.push(name)
      return name === host ? slow.promise : Promise.resolve([here])
    })
    const waiting = Array.from({ length: 64 }, () => resolve(host))
    assert.deepEqual(await resolve('other.example'), [here])
    assert.deepEqual(names, [host, 'other.example'])
    slow.resolve([here])
    for (const found of await Promise.all(waiting)) assert.deepEqual(found, [here])
    slow = Promise.withResolvers()
    slow.reject(new Error('There is no such name.'))
    await assert.rejects(resolve(host))
    await assert.rejects(resolve(host))
    assert.deepEqual(names, [host, 'other.example', host, host])
  })

  it('tries the next address where one does not answer', async () => {
    const closed = { address: '127.0.0.9', family: 4 }
    assert.equal(
      (await through(resolving(closed, { address: '127.0.0.10', family: 4 }, here))).outcome,
      'succeeded',
    )
    assert.equal((await through(resolving(closed))).outcome, 'unreachable')
  })

  it('is not made unless every address is public', async () => {
    const global: Address = { address: '192.0.66.233', family: 4 }
    const before = app.connections
    const hidden: Address[][] = [
      [here],
      [global, here],
      [{ address: '::1', family: 6 }],
      [{ address: '::ffff:127.0.0.1', family: 6 }],
      [{ address: '10.0.0.1', family: 4 }],
      [{ address: '169.254.169.254', family: 4 }],
      [{ address: '0.0.0.0', family: 4 }],
      [{ address: 'localhost', family: 4 }],
    ]
    for (const addresses of hidden) {
      const began = performance.now()
      assert.equal((await through(resolving(...addresses), false)).outcome, 'unreachable')
      assert.ok(performance.now() - began < 500, 'It was refused without a connection.')
    }
    const literal = httpJson([`127.0.0.1:${app.port}`], localNetwork({ ca }), false)
    assert.equal((await ask(literal, `https://127.0.0.1:${app.port}`)).outcome, 'unreachable')
    assert.equal(app.connections, before)
  })

  it('is never a plain one, unless private addresses are allowed', async () => {
    const network = localNetwork()
    const names = [`${host}:${plain.port}`]
    assert.equal((await ask(httpJson(names, network), `http://${host}:${plain.port}`)).outcome, 'succeeded')
    const before = plain.connections
    assert.equal(
      (await ask(httpJson(names, network, false), `http://${host}:${plain.port}`)).outcome,
      'unreachable',
    )
    assert.equal(plain.connections, before)
    assert.equal(
      (await ask(httpJson(names, network), `https://${host}:${plain.port}`)).outcome,
      'unreachable',
    )
    assert.equal(plain.received.length, 1)
  })

  it('says the same whatever kept it from the app, in time', async () => {
    const never = () => new Promise<never>(() => undefined)
    const silentPort = (silent.address() as AddressInfo).port
    const told = new Set<string>()
    const calls = [
      () => through(resolving()),
      () => through({ resolve: () => Promise.reject(new Error('ENOTFOUND')) }),
      () => through({ resolve: never, connectTime: 200 }),
      () => through(resolving({ address: '127.0.0.9', family: 4 })),
      () => through(resolving(here), false),
      () =>
        ask(
          httpJson([`${host}:${silentPort}`], localNetwork({ ca, connectTime: 200 })),
          `https://${host}:${silentPort}`,
        ),
      () => ask(httpJson([]), url()),
    ]
    for (const call of calls) {
      const began = performance.now()
      told.add(JSON.stringify(await call()))
      assert.ok(performance.now() - began < 1500)
    }
    assert.deepEqual(
      [...told],
      [JSON.stringify({ outcome: 'unreachable', detail: 'The app cannot be reached.' })],
    )
  })
})
