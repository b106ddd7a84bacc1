import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createHttpJson } from '../../../src/plugins/http-json/http-json.ts'
import { connectionHosts } from '../../../src/plugins/plugin-settings.ts'
import { ask, localNetwork } from './local-app.ts'

const hosts = ['api.example.com', 'data.example.org:8443', 'standard.example:443', '127.0.0.1']
const plugin = createHttpJson({ hosts, allowPrivate: false })
const development = createHttpJson({
  hosts: [...hosts, 'localhost:8080', 'plain.example:80'],
  allowPrivate: true,
})

const pointersOf = (config: Record<string, unknown>, one = plugin) => {
  const settled = one.settle(config)
  return 'faults' in settled ? settled.faults.map(fault => fault.pointer) : settled
}

describe('the settings of http_json', () => {
  it('are a URL of an allowed host, in its normal form', () => {
    const valid: [string, string, string][] = [
      ['https://api.example.com', 'https://api.example.com', 'https://api.example.com'],
      ['https://api.example.com/', 'https://api.example.com', 'https://api.example.com'],
      ['https://API.example.com/v2/', 'https://api.example.com/v2', 'https://api.example.com'],
      ['https://api.example.com:443/v2', 'https://api.example.com/v2', 'https://api.example.com'],
      [
        'https://data.example.org:8443/a/b',
        'https://data.example.org:8443/a/b',
        'https://data.example.org:8443',
      ],
      ['https://standard.example/%C3%A9', 'https://standard.example/%C3%A9', 'https://standard.example'],
    ]
    for (const [base_url, normal, origin] of valid)
      assert.deepEqual(pointersOf({ base_url }), { config: { base_url: normal }, origin }, base_url)
    assert.deepEqual(pointersOf({ base_url: 'http://localhost:8080/x' }, development), {
      config: { base_url: 'http://localhost:8080/x' },
      origin: 'http://localhost:8080',
    })
    assert.deepEqual(pointersOf({ base_url: 'http://plain.example' }, development), {
      config: { base_url: 'http://plain.example' },
      origin: 'http://plain.example',
    })
  })

  const hostile = [
    'http://api.example.com',
    'https://api.example.com:8443',
    'https://api.example.com:80',
    'https://data.example.org',
    'https://api.example.com.',
    'https://api.example.com.evil.example',
    'https://evil.example/api.example.com',
    'https://evil.example#api.example.com',
    'https://evil.example?api.example.com',
    'https://evil.example\\api.example.com',
    'https://api.example.com\\@evil.example',
    'https://api.example.com@evil.example',
    'https://user:password@api.example.com',
    'https://user@api.example.com',
    'https://@api.example.com',
    'https://api.example.com/?a=b',
    'https://api.example.com?',
    'https://api.example.com/#',
    'https://api.example.com/../admin',
    'https://api.example.com/v2/..',
    'https://api.example.com/%2e%2e/admin',
    'https://api.example.com/.%2E/admin',
    'https://api.example.com/./a',
    'https://api.example.com//a',
    'https://api.example.com/a%2fb',
    'https://api.example.com/a%5cb',
    'https://api.example.com/a%00b',
    'https://api.example.com/a%',
    'https://api.example.com/a%zz',
    'https://api.example.com/%ff',
    'https://api.example.com/a b',
    'https://api.example.com/é',
    'https://api.example.com/\u0000',
    ' https://api.example.com',
    'https://api.example.com ',
    'https://api.exa\tmple.com',
    'https://api.example.com\n',
    'https:api.example.com',
    'https:/api.example.com',
    'https:///api.example.com',
    '//api.example.com',
    'ftp://api.example.com',
    'file:///etc/passwd',
    'javascript:alert(1)',
    'data:application/json,{}',
    'gopher://api.example.com',
    'https://127.1',
    'https://2130706433/x',
    'https://[::1]',
    'https://[::ffff:127.0.0.1]',
    'https://0.0.0.0',
    'https://ⓐpi.example.com',
    'https://api。example.com',
    `https://api.example.com/${'a'.repeat(2000)}`,
    '',
    'api.example.com',
  ]
  for (const base_url of hostile)
    it(`are refused: ${JSON.stringify(base_url.slice(0, 60))}`, () => {
      const settled = pointersOf({ base_url })
      // Another spelling of an address that is on the list is that address, which is not public.
      if (/^https:\/\/(?:127\.1|2130706433)/.test(base_url)) assert.ok('config' in settled)
      else assert.deepEqual(settled, ['/base_url'])
    })

  it('are refused if they are of another type, or more than base_url', () => {
    for (const base_url of [undefined, null, 1, true, [], {}, ['https://api.example.com']])
      assert.deepEqual(pointersOf({ base_url }), ['/base_url'])
    assert.deepEqual(pointersOf({}), ['/base_url'])
    const base_url = 'https://api.example.com'
    assert.deepEqual(pointersOf({ base_url, token: 'x', 'a/b~c': 1 }), ['/token', '/a~1b~0c'])
    assert.deepEqual(pointersOf(JSON.parse(`{"base_url":"${base_url}","__proto__":1}`) as never), [
      '/__proto__',
    ])
  })

  it('without a list of hosts allow nothing, and nothing is resolved or connected', async () => {
    let asked = 0
    const network = localNetwork({
      resolve: () => {
        asked++
        return Promise.resolve([])
      },
    })
    const closed = createHttpJson({ hosts: [], allowPrivate: true }, network)
    for (const base_url of ['https://api.example.com', 'http://localhost', 'http://127.0.0.1:8080']) {
      assert.deepEqual(pointersOf({ base_url }, closed), ['/base_url'])
      assert.equal((await ask(closed, base_url)).outcome, 'unreachable')
    }
    assert.equal(asked, 0)
  })

  it('are judged at each call: a host that is no longer allowed is not reached', async () => {
    let asked = 0
    const network = localNetwork({ resolve: () => Promise.resolve((asked++, [])) })
    const open = createHttpJson({ hosts: ['a.example', 'b.example'], allowPrivate: false }, network)
    await ask(open, 'https://a.example')
    assert.equal(asked, 1)
    await ask(createHttpJson({ hosts: ['b.example'], allowPrivate: false }, network), 'https://a.example')
    await ask(open, 'http://a.example')
    assert.equal(asked, 1)
  })
})

it('the setting SVC_CONNECTION_HOSTS takes hosts with or without a port, and nothing else', () => {
  assert.deepEqual(connectionHosts(['API.example.com', 'b.example:8443', '127.0.0.1:80', 'localhost']), [
    'api.example.com',
    'b.example:8443',
    '127.0.0.1:80',
    'localhost',
  ])
  for (const name of [
    'https://a.example',
    'a.example/',
    '*.example',
    'a.example:',
    'a.example:0',
    'a_b.example',
    '',
    '[::1]',
    'a..b',
  ])
    assert.throws(() => connectionHosts([name]), /SVC_CONNECTION_HOSTS/, name)
})
