import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { readConfig } from '../../src/config.ts'

const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: 'http://collector.example:4318' }
const read = (more: Record<string, string>) => readConfig({ ...endpoint, ...more }).tracing

describe('the settings of traces', () => {
  it('are none without a collector, and where OpenTelemetry is turned off', () => {
    assert.equal(readConfig({}).tracing, null)
    assert.equal(readConfig({ OTEL_TRACES_SAMPLER: 'always_on' }).tracing, null)
    assert.equal(read({ OTEL_SDK_DISABLED: 'true' }), null)
    assert.equal(read({ OTEL_TRACES_EXPORTER: 'none' }), null)
  })

  it('name the collector by the base of its URLs, or by the URL for traces', () => {
    assert.equal(read({})?.url, 'http://collector.example:4318/v1/traces')
    assert.equal(
      read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://c.example/otlp/' })?.url,
      'https://c.example/otlp/v1/traces',
    )
    assert.equal(
      read({ OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: 'https://t.example/in' })?.url,
      'https://t.example/in',
    )
    for (const wrong of ['collector:4318', 'grpc://c.example', 'x'])
      assert.throws(
        () => read({ OTEL_EXPORTER_OTLP_ENDPOINT: wrong }),
        /^Error: OTEL_EXPORTER_OTLP_ENDPOINT must/,
      )
  })

  it('take headers, and never repeat them', () => {
    assert.deepEqual(
      read({
        OTEL_EXPORTER_OTLP_HEADERS: 'authorization=Basic%20YTpi, x-tenant = one ',
        OTEL_EXPORTER_OTLP_TRACES_HEADERS: 'x-tenant=two',
      })?.headers,
      { authorization: 'Basic YTpi', 'x-tenant': 'two' },
    )
    for (const wrong of ['canary', '=canary', 'a b=canary', 'a=%zzcanary', 'a=canary%0a', 'a=b,canary'])
      assert.throws(
        () => read({ OTEL_EXPORTER_OTLP_HEADERS: wrong }),
        (error: Error) =>
          error.message.startsWith('OTEL_EXPORTER_OTLP_HEADERS must') && !error.message.includes('canary'),
        wrong,
      )
    assert.throws(
      () => read({ OTEL_EXPORTER_OTLP_ENDPOINT: 'https://me:canary@c.example' }),
      (error: Error) =>
        /must not contain a credential/.test(error.message) && !error.message.includes('canary'),
    )
  })

  it('sample a tenth, or what they say', () => {
    assert.deepEqual(read({})?.sampler, { ratio: 0.1, follows_parent: true })
    assert.deepEqual(read({ OTEL_TRACES_SAMPLER: 'parentbased_always_on' })?.sampler, {
      ratio: 1,
      follows_parent: true,
    })
    assert.deepEqual(read({ OTEL_TRACES_SAMPLER: 'always_off' })?.sampler, {
      ratio: 0,
      follows_parent: false,
    })
    const share = { OTEL_TRACES_SAMPLER: 'parentbased_traceidratio', OTEL_TRACES_SAMPLER_ARG: '0.1' }
    assert.deepEqual(read(share)?.sampler, { ratio: 0.1, follows_parent: true })
    assert.throws(
      () => read({ OTEL_TRACES_SAMPLER: 'jaeger_remote' }),
      /^Error: OTEL_TRACES_SAMPLER must be one of/,
    )
    for (const wrong of ['2', '-1', '10%', 'NaN'])
      assert.throws(
        () => read({ ...share, OTEL_TRACES_SAMPLER_ARG: wrong }),
        /^Error: OTEL_TRACES_SAMPLER_ARG must/,
        wrong,
      )
  })

  it('refuse what there is not: another protocol, another exporter, another source of traces', () => {
    assert.throws(() => read({ OTEL_EXPORTER_OTLP_PROTOCOL: 'grpc' }), /must be http\/json/)
    assert.throws(() => read({ OTEL_TRACES_EXPORTER: 'jaeger' }), /^Error: OTEL_TRACES_EXPORTER must be otlp/)
    assert.equal(read({})?.continues_traces, false)
    assert.equal(read({ SVC_TRACEPARENT: 'proxies' })?.continues_traces, true)
    assert.throws(() => read({ SVC_TRACEPARENT: 'on' }), /^Error: SVC_TRACEPARENT must be ignore/)
  })
})

describe('the settings of the log', () => {
  const issuer = { OIDC_ISSUERS: 'https://issuer.example', OIDC_AUDIENCE: 'here' }

  it('have a line for each request in production, and are quiet on a terminal', () => {
    assert.deepEqual(readConfig(issuer).log, { level: 'info', addresses: 'off' })
    assert.deepEqual(readConfig({}).log, { level: 'warn', addresses: 'off' })
    assert.equal(readConfig({ ...issuer, LOG_LEVEL: 'error' }).log.level, 'error')
  })

  it('have addresses of clients only if they are asked for', () => {
    for (const form of ['off', 'network', 'on'])
      assert.equal(readConfig({ SVC_LOG_ADDRESSES: form }).log.addresses, form)
    for (const wrong of ['yes', 'full', 'ON'])
      assert.throws(() => readConfig({ SVC_LOG_ADDRESSES: wrong }), /^Error: SVC_LOG_ADDRESSES must be off/)
  })
})
