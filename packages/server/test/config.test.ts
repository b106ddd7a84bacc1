import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../src/config.ts'

const issuer = { OIDC_ISSUERS: 'https://issuer.example', OIDC_AUDIENCE: 'here' }

describe('the settings', () => {
  it('leave rate limits as they are with issuers, and out of the way without', () => {
    assert.equal(readConfig(issuer).rateLimitScale, 1)
    assert.equal(readConfig({}).rateLimitScale, 1000)
  })

  it('scale rate limits by any number, and by 0 turn them off', () => {
    for (const [text, scale] of [
      ['0', 0],
      ['0.5', 0.5],
      ['.25', 0.25],
      ['20', 20],
    ] as const)
      for (const identity of [{}, issuer])
        assert.equal(readConfig({ ...identity, RATE_LIMIT_SCALE: text }).rateLimitScale, scale)
    for (const text of ['-1', '1.', '1e3', '0x10', 'Infinity', 'NaN', ' ', 'off'])
      assert.throws(() => readConfig({ RATE_LIMIT_SCALE: text }), /^Error: RATE_LIMIT_SCALE must/, text)
  })

  it('let uploads last for any time, also for parts of an hour', () => {
    assert.deepEqual(readConfig({}).uploads, { days: 7, idle_hours: 24, part_url_minutes: 15 })
    const named = { SVC_UPLOAD_DAYS: '2', SVC_UPLOAD_IDLE_HOURS: '.5', SVC_PART_URL_MINUTES: '0.05' }
    assert.deepEqual(readConfig(named).uploads, { days: 2, idle_hours: 0.5, part_url_minutes: 0.05 })
    for (const name of Object.keys(named))
      for (const text of ['0', '-1', '1.', '1e3', 'Infinity', ' ', '99999'])
        assert.throws(() => readConfig({ [name]: text }), new RegExp(`^Error: ${name} must`), text)
  })

  it('name read replicas by their URLs, and how far behind they may be', () => {
    const DATABASE_URL = 'postgresql://service:secret@db.example/service'
    const first = 'postgresql://service:secret@one.example:5433/service'
    const second = 'postgres://service:secret@/service?host=%2Frun%2Fpostgresql'
    const read = (urls?: string, lag?: string) =>
      readConfig({ DATABASE_URL, DATABASE_REPLICA_URL: urls, DATABASE_REPLICA_LAG_SECONDS: lag }).replicas
    assert.deepEqual(read(), { urls: [], most_lag: 5 })
    for (const text of [`${first},${second}`, ` ${first}\n${second} `, `${first} , ${second},`])
      assert.deepEqual(read(text, '12.5'), { urls: [first, second], most_lag: 12.5 })
    for (const text of ['one.example', `${first}, https://two.example`])
      assert.throws(() => read(text), /^Error: DATABASE_REPLICA_URL must have the URLs/)
    for (const text of [`${first},${first}`, DATABASE_URL])
      assert.throws(() => read(text), /^Error: DATABASE_REPLICA_URL must name each replica once/)
    for (const lag of ['2', '61', '-5', '5s', 'off'])
      assert.throws(() => read(first, lag), /^Error: DATABASE_REPLICA_LAG_SECONDS must/, lag)
    assert.throws(
      () => readConfig({ DATABASE_REPLICA_URL: first }),
      /^Error: DATABASE_REPLICA_URL needs DATABASE_URL/,
    )
    assert.throws(
      () => read('postgresql://service:secret@one.example:x/service'),
      (error: Error) => !error.message.includes('secret'),
    )
  })

  it('bound the connections to the database', () => {
    assert.equal(readConfig({}).databaseConnections, 32)
    for (const text of ['10', '500'])
      assert.equal(readConfig({ SVC_DATABASE_CONNECTIONS: text }).databaseConnections, Number(text))
    for (const text of ['0', '9', '501', '32.5', '-32', 'all', ' '])
      assert.throws(
        () => readConfig({ SVC_DATABASE_CONNECTIONS: text }),
        /^Error: SVC_DATABASE_CONNECTIONS must/,
        text,
      )
  })

  it('name a pooler only beside the database that it is for', () => {
    const DATABASE_POOLER_URL = 'postgresql://pooler@127.0.0.1:6432/svc'
    assert.equal(readConfig({}).poolerUrl, null)
    assert.equal(
      readConfig({ DATABASE_URL: 'postgresql://x@db/svc', DATABASE_POOLER_URL }).poolerUrl,
      DATABASE_POOLER_URL,
    )
    assert.throws(() => readConfig({ DATABASE_POOLER_URL }), /^Error: DATABASE_POOLER_URL needs DATABASE_URL/)
    assert.throws(
      () => readConfig({ DATABASE_URL: 'postgresql://x@db/svc', DATABASE_POOLER_URL: 'pooler:6432' }),
      /^Error: DATABASE_POOLER_URL must be the URL/,
    )
  })

  it('let a node drain only if they say for how long', () => {
    assert.equal(readConfig({}).drainSeconds, 0)
    for (const [text, seconds] of [
      ['0', 0],
      ['.5', 0.5],
      ['300', 300],
    ] as const)
      assert.equal(readConfig({ SVC_DRAIN_SECONDS: text }).drainSeconds, seconds)
    for (const text of ['-1', '1.', '1e2', '301', '5s', ' '])
      assert.throws(() => readConfig({ SVC_DRAIN_SECONDS: text }), /^Error: SVC_DRAIN_SECONDS must/, text)
  })

  it('trust no proxy that they do not name', () => {
    assert.deepEqual(readConfig({}).trustedProxies, [])
    const named = readConfig({ SVC_TRUSTED_PROXIES: ' 10.0.0.0/8, 2001:db8::/32 ,192.0.2.1,' })
    assert.deepEqual(named.trustedProxies, ['10.0.0.0/8', '2001:db8::/32', '192.0.2.1'])
    for (const text of ['loopback', '10.0.0.0/33', '10.0.0.0/', '10.0.0.0/0', '10.0.0.0/8/8', '10.0.0.256'])
      assert.throws(() => readConfig({ SVC_TRUSTED_PROXIES: text }), /^Error: SVC_TRUSTED_PROXIES must/, text)
  })

  it('allow pages of no origin that they do not name exactly', () => {
    const read = (text: string) => readConfig({ SVC_ALLOWED_ORIGINS: text }).allowedOrigins
    assert.deepEqual(readConfig({}).allowedOrigins, [])
    for (const text of ['', ' ', ' , ']) assert.deepEqual(read(text), [])
    assert.deepEqual(
      read(
        ' https://app.example.com, https://app.example.com:8443 ,http://localhost:5173,http://127.0.0.1,http://[::1]:80,',
      ),
      [
        'https://app.example.com',
        'https://app.example.com:8443',
        'http://localhost:5173',
        'http://127.0.0.1',
        'http://[::1]',
      ],
    )
    // As browsers write them, each once.
    assert.deepEqual(read('https://APP.example.com:443,HTTPS://app.example.com'), ['https://app.example.com'])
    assert.deepEqual(read('https://bücher.example'), ['https://xn--bcher-kva.example'])
    for (const text of [
      '*',
      'null',
      'app.example.com',
      'https://',
      'https://*.example.com',
      'https://%2a.example.com',
      'https://app.example.com/',
      'https://app.example.com/path',
      'https://app.example.com?',
      'https://app.example.com#',
      'https://app.example.com\\path',
      'https://me@app.example.com',
      'https://me:secret@app.example.com',
      'https://@app.example.com',
      'https://app.example.com https://other.example.com',
      'https://app.example.com;https://other.example.com',
      'https://app.example.com:99999',
      'https://app.\texample.com',
      'http://app.example.com',
      'http://192.168.0.10:5173',
      'http://localhost.example.com',
      'ws://localhost:5173',
      'capacitor://localhost',
      'file:///',
      'https://app.example.com,*',
    ])
      assert.throws(
        () => read(text),
        { message: /^SVC_ALLOWED_ORIGINS must be exact origins [^.]*(?:\.[^ ][^.]*)*\.$/ },
        text,
      )
  })

  it('keep the development identity to this machine unless told otherwise', () => {
    assert.equal(readConfig({}).developmentOnNetwork, false)
    assert.equal(readConfig({ SVC_DEVELOPMENT_IDENTITY: 'loopback' }).developmentOnNetwork, false)
    assert.equal(readConfig({ SVC_DEVELOPMENT_IDENTITY: 'network' }).developmentOnNetwork, true)
    for (const text of ['on', 'true', 'NETWORK', ' '])
      assert.throws(
        () => readConfig({ SVC_DEVELOPMENT_IDENTITY: text }),
        /^Error: SVC_DEVELOPMENT_IDENTITY must/,
        text,
      )
  })
})

it('events and receipts are kept for ever, or for whole days that are no fewer than those of keys', () => {
  const retention = (days: string) => readConfig({ SVC_EVENT_RETENTION_DAYS: days }).retention
  assert.deepEqual(retention(''), { event_days: null, receipt_days: null })
  assert.deepEqual(retention('31'), { event_days: 31, receipt_days: null })
  for (const days of ['30', '31.5', '-40', 'never', '100000'])
    assert.throws(() => retention(days), /SVC_EVENT_RETENTION_DAYS must be a whole number of days from 31 to/)
})
