import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { createHttpJson } from '../../../src/plugins/http-json/http-json.ts'

const { operations } = createHttpJson({ hosts: ['api.example.com'], allowPrivate: false })
const config = { base_url: 'https://api.example.com/v2' }

const faultsOf = (operation: 'get' | 'post', args: Record<string, unknown>) =>
  (operations[operation]?.faultsOf(args) ?? []).map(fault => fault.pointer)
const summary = (operation: 'get' | 'post', args: Record<string, unknown>) =>
  operations[operation]?.summaryOf(config, args)

describe('the arguments of http_json', () => {
  it('name a path below the base URL, and for get a query', () => {
    const valid: [Record<string, unknown>, string][] = [
      [{ path: '/' }, 'GET https://api.example.com/v2/'],
      [{ path: '/orders' }, 'GET https://api.example.com/v2/orders'],
      [{ path: '/orders/' }, 'GET https://api.example.com/v2/orders/'],
      [{ path: '/a/..b/...c/.d/e.' }, 'GET https://api.example.com/v2/a/..b/...c/.d/e.'],
      [{ path: "/(a)*!$&'+,;=:@~-_" }, "GET https://api.example.com/v2/(a)*!$&'+,;=:@~-_"],
      [{ path: '/caf%C3%A9' }, 'GET https://api.example.com/v2/caf%C3%A9'],
      [
        { path: '/o', query: { status: 'open & paid', n: 2, deep: false, 'é?#': '=' } },
        'GET https://api.example.com/v2/o?status=open+%26+paid&n=2&deep=false&%C3%A9%3F%23=%3D',
      ],
      [{ path: '/o', query: {} }, 'GET https://api.example.com/v2/o'],
    ]
    for (const [args, expected] of valid) {
      assert.deepEqual(faultsOf('get', args), [])
      assert.equal(summary('get', args), expected)
    }
    assert.deepEqual(faultsOf('post', { path: '/orders', body: null }), [])
    assert.equal(
      summary('post', { path: '/orders', body: { a: 1 } }),
      'POST https://api.example.com/v2/orders',
    )
    assert.equal(summary('get', { path: `/${'a'.repeat(500)}` })?.length, 200)
  })

  const hostile = [
    '',
    'orders',
    '//evil.example',
    '//evil.example/a',
    '/a//b',
    '///',
    '/..',
    '/../admin',
    '/a/../../admin',
    '/.',
    '/./a',
    '/%2e%2e/admin',
    '/%2E./admin',
    '/.%2e',
    '/%252e%252e/admin',
    '/..%2fadmin',
    '/a%2f..%2fb',
    '/a%5c..',
    '/..%5cadmin',
    '/..;/admin',
    '/..;a=b/admin',
    '/%2e%2e;/admin',
    '/.;/admin',
    '/a%00',
    '/a%0d%0aHost:%20evil',
    '/a\r\nHost: evil',
    '/a\u0000',
    '/a b',
    '/a?b=c',
    '/a#b',
    '/a\\b',
    '\\evil.example',
    '/a%',
    '/a%4',
    '/a%gg',
    '/%ff%fe',
    '/é',
    '/\u202e',
    '/a"b',
    '/<a>',
    'https://evil.example/',
    '@evil.example',
    `/${'a'.repeat(2000)}`,
  ]
  for (const path of hostile)
    it(`are refused with the path ${JSON.stringify(path.slice(0, 40))}`, () => {
      assert.deepEqual(faultsOf('get', { path }), ['/path'])
      assert.deepEqual(faultsOf('post', { path, body: {} }), ['/path'])
    })

  it('are refused with another type, a surplus name, or without a path or a body', () => {
    for (const path of [undefined, null, 1, [], {}, ['/a']])
      assert.deepEqual(faultsOf('get', { path }), ['/path'])
    assert.deepEqual(faultsOf('get', { path: '/a', body: {}, 'x/y': 1 }), ['/body', '/x~1y'])
    assert.deepEqual(faultsOf('post', { path: '/a', query: {} }), ['/body', '/query'])
    assert.deepEqual(faultsOf('post', {}), ['/path', '/body'])
  })

  it('have a query of texts, numbers and booleans', () => {
    for (const query of [null, 1, 'a=b', [], [['a', 'b']]])
      assert.deepEqual(faultsOf('get', { path: '/a', query }), ['/query'])
    const of = (value: unknown) => faultsOf('get', { path: '/a', query: { 'b/c': value } })
    for (const value of [
      null,
      {},
      [],
      ['x'],
      Number.NaN,
      Number.POSITIVE_INFINITY,
      'x'.repeat(2001),
      '\ud800',
    ])
      assert.deepEqual(of(value), ['/query/b~1c'])
    for (const value of ['', 'x'.repeat(2000), 0, -1.5, true, '\r\nHost: evil'])
      assert.deepEqual(of(value), [])
    assert.deepEqual(faultsOf('get', { path: '/a', query: { '': 1 } }), ['/query/'])
    const many = Object.fromEntries(Array.from({ length: 51 }, (_, at) => [`p${at}`, at]))
    assert.deepEqual(faultsOf('get', { path: '/a', query: many }), ['/query'])
  })
})
