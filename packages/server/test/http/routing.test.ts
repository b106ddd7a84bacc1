import assert from 'node:assert/strict'
import { METHODS } from 'node:http'
import { after, before, describe, it } from 'node:test'
import { eventually } from '../harness/eventually.ts'
import { assertProblem } from './problem-check.ts'
import { sendRaw, lines } from './raw-socket.ts'
import { startTransport, type TestTransport } from './test-transport.ts'

describe('a request without a route', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const ask = (method: string, target: string, ...headers: string[]) =>
    sendRaw(transport.base_url, lines(`${method} ${target} HTTP/1.1`, 'Host: here', ...headers))

  // CONNECT names no path, and PRI begins HTTP/2.
  const ordinary = METHODS.filter(method => method !== 'CONNECT' && method !== 'PRI')

  for (const [path, allowed] of [
    ['/v1/things/1', ['GET', 'HEAD', 'POST']],
    ['/health', ['GET', 'HEAD']],
    ['/problems/not_found', ['GET', 'HEAD']],
    ['/', ['GET', 'HEAD']],
    ['/docs/', ['GET', 'HEAD']],
  ] as const)
    it(`gets 405 with what ${path} allows, for every other method`, async () => {
      for (const method of ordinary.filter(method => !allowed.includes(method as 'GET'))) {
        const answer = await ask(method, path)
        assert.equal(answer.headers['allow'], allowed.join(', '), method)
        assertProblem(answer, 'method_not_allowed', transport.base_url)
      }
    })

  it('gets 405 for CONNECT, with nothing allowed', async () => {
    const answer = await ask('CONNECT', 'example.com:443')
    assert.equal(answer.headers['allow'], '')
    assertProblem(answer, 'method_not_allowed', transport.base_url)
  })

  const nowhere = {
    'an unknown path': '/v1/nothing',
    'two slashes as a root': '//',
    'a slash at the end': '/v1/things/1/',
    'a parameter that is not there': '/v1/things/',
    'two slashes in a row': '/v1//1',
    'slashes before': '//v1/things/1',
    'another case': '/V1/things/1',
    'a path further down': '/v1/things/1/2',
    'an escaped slash in the place of one': '/v1%2Fthings/1',
    'dots that would lead to a path': '/v1/../health',
    'a property of every object': '/__proto__',
  }
  for (const [what, path] of Object.entries(nowhere))
    it(`gets 404 for ${what}, by any method`, async () => {
      for (const method of ['GET', 'POST', 'DELETE', 'OPTIONS', 'PROPFIND']) {
        const body = assertProblem(await ask(method, path), 'not_found', transport.base_url)
        assert.equal(body.instance, path)
      }
    })

  it('gets 404 for the target of OPTIONS *', async () => {
    assertProblem(await ask('OPTIONS', '*'), 'not_found', transport.base_url)
  })

  it('takes an escaped letter for the letter, whatever the method', async () => {
    assert.equal((await ask('GET', '/%76%31/things/1')).status, 200)
    const answer = await ask('DELETE', '/%76%31/things/1')
    assert.equal(answer.headers['allow'], 'GET, HEAD, POST')
  })

  it('hands on an escaped slash as part of the parameter', async () => {
    const { body } = await ask('GET', '/v1/things/a%2Fb%20%C3%A9')
    assert.equal((JSON.parse(body) as { input: { thing_id: string } }).input.thing_id, 'a/b é')
  })

  for (const [what, path] of Object.entries({
    'an escape that is not UTF-8': '/v1/things/%ff',
    'half an escape': '/v1/things/%4',
    'an escape of nothing': '/v1/things/%zz',
    'an overlong form of a slash': '/v1/things/%c0%af',
    'a parameter of more than 4096 characters': `/v1/things/${'a'.repeat(4097)}`,
    'a fragment': '/v1/things/1#here',
  }))
    it(`gets 400 for ${what}`, async () => {
      const { errors } = assertProblem(await ask('GET', path), 'validation_error', transport.base_url)
      assert.equal(errors?.[0]?.in, 'path')
    })

  it('is refused before its credentials are looked at', async () => {
    assertProblem(await ask('DELETE', '/v1/things/1', 'Authorization: Bearer garbage'), 'method_not_allowed')
    assertProblem(await ask('GET', '/v1/nothing', 'Authorization: Bearer garbage'), 'not_found')
  })

  it('is refused before its body is read', async () => {
    const body = ['Content-Type: application/json', 'Content-Length: 99999999']
    assertProblem(await ask('DELETE', '/v1/things/1', ...body), 'method_not_allowed')
    assertProblem(await ask('POST', '/v1/nothing', ...body), 'not_found')
    assertProblem(
      await ask('POST', '/v1/nothing', 'Content-Type: nonsense', 'Content-Length: 5'),
      'not_found',
    )
  })

  it('leaves one line in the log, without the path', async () => {
    const answer = await ask('GET', '/v1/nothing/secret-path')
    const request_id = answer.headers['svc-request-id'] ?? ''
    const line = await eventually(() => transport.logged.find(one => one.includes(request_id)))
    assert.equal((JSON.parse(line) as { status: number }).status, 404)
    assert.equal(transport.logged.filter(one => one.includes(request_id)).length, 1)
    assert.ok(!transport.logged.join().includes('secret-path'))
  })
})

describe('HEAD', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  for (const path of [
    '/v1/things/1',
    '/health',
    '/problems/not_found',
    '/',
    '/v1/nothing',
    '/v1/things/1?unknown=1',
  ])
    it(`answers ${path} as GET does, less the body`, async () => {
      const headers = { 'accept-encoding': 'identity' }
      const get = await fetch(transport.base_url + path, { headers })
      const head = await fetch(transport.base_url + path, { method: 'HEAD', headers })
      assert.equal(head.status, get.status)
      assert.equal(await head.text(), '')
      const own = new Set(['date', 'svc-request-id', 'connection', 'keep-alive'])
      const shown = (headers: Headers) => [...headers].filter(([name]) => !own.has(name))
      assert.deepEqual(shown(head.headers), shown(get.headers))
      assert.equal(head.headers.get('content-length'), String(Buffer.byteLength(await get.text())))
    })
})

describe('the host of a request', () => {
  let transport: TestTransport
  before(async () => void (transport = await startTransport()))
  after(() => transport.close())

  const ask = (...text: string[]) => sendRaw(transport.base_url, lines(...text))

  it('may stand in the target too, if it is the same', async () => {
    const answer = await ask(
      'GET http://Here.example:80/v1/things/1?note=x HTTP/1.1',
      'Host: here.example:80',
    )
    assert.equal(answer.status, 200)
    assert.deepEqual((JSON.parse(answer.body) as { input: object }).input, { thing_id: '1', note: 'x' })
  })

  for (const [what, target, host] of [
    ['another host in the target', 'http://there/health', 'Host: here'],
    ['the host with another port in the target', 'http://here:81/health', 'Host: here:80'],
    ['a name before the host in the target', 'http://me@here/health', 'Host: here'],
    ['another host under https', 'https://there/health', 'Host: here'],
  ] as const)
    it(`gets 400 for ${what}`, async () => {
      const body = assertProblem(
        await ask(`GET ${target} HTTP/1.1`, host),
        'validation_error',
        transport.base_url,
      )
      assert.equal(body.errors?.[0]?.pointer, '/Host')
      assert.equal(body.instance, '/health')
    })

  for (const [what, headers] of [
    ['no host', []],
    ['an empty host', ['Host:']],
    ['two hosts', ['Host: here', 'Host: there']],
    ['the same host twice', ['Host: here', 'Host: here']],
    ['a host with a path', ['Host: here/there']],
    ['a host with a blank', ['Host: here there']],
    ['a host with a name', ['Host: me@here']],
  ] as const)
    it(`gets 400 for ${what}`, async () => {
      const body = assertProblem(await ask('GET /v1/things/1 HTTP/1.1', ...headers), 'validation_error')
      assert.equal(body.errors?.[0]?.pointer, '/Host')
    })

  it('need not be named in HTTP/1.0', async () => {
    const answer = await ask('GET /health HTTP/1.0')
    assert.equal(answer.status, 200)
    assert.equal(answer.headers['connection'], 'close')
  })

  for (const host of ['localhost:8080', '127.0.0.1', '[::1]:80', 'api.example.com', 'a_b.example'])
    it(`may be ${host}`, async () => {
      assert.equal((await ask('GET /health HTTP/1.1', `Host: ${host}`)).status, 200)
    })
})
