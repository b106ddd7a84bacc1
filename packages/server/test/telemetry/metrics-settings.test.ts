import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { ConfigError } from '../../src/config-values.ts'
import { readConfig } from '../../src/config.ts'

describe('the settings of the metrics', () => {
  it('serve none unless there is a port', () => {
    assert.equal(readConfig({}).metrics, null)
    assert.equal(readConfig({ SVC_METRICS_PORT: '' }).metrics, null)
  })

  it('serve them to this machine unless another address is named', () => {
    assert.deepEqual(readConfig({ SVC_METRICS_PORT: '9464' }).metrics, { host: '127.0.0.1', port: 9464 })
    const named = readConfig({ SVC_METRICS_PORT: '9464', SVC_METRICS_HOST: '10.0.0.5' })
    assert.deepEqual(named.metrics, { host: '10.0.0.5', port: 9464 })
  })

  it('take any free port as the service does', () => {
    assert.deepEqual(readConfig({ PORT: '0', SVC_METRICS_PORT: '0' }).metrics, { host: '127.0.0.1', port: 0 })
  })

  for (const [setting, env, said] of [
    [
      'a port that is none',
      { SVC_METRICS_PORT: '94x' },
      /^SVC_METRICS_PORT must be a number from 0 to 65535\.$/,
    ],
    ['a port that is too high', { SVC_METRICS_PORT: '65536' }, /^SVC_METRICS_PORT must be a number/],
    [
      'the port of the service',
      { PORT: '9464', SVC_METRICS_PORT: '9464' },
      /^SVC_METRICS_PORT must differ from PORT/,
    ],
    [
      'the default port of the service',
      { SVC_METRICS_PORT: '8080' },
      /^SVC_METRICS_PORT must differ from PORT/,
    ],
    [
      'an address without a port',
      { SVC_METRICS_HOST: '0.0.0.0' },
      /^SVC_METRICS_HOST needs SVC_METRICS_PORT/,
    ],
  ] as const)
    it(`refuse ${setting} in one sentence`, () => {
      assert.throws(
        () => readConfig(env),
        (error: unknown) => error instanceof ConfigError && said.test(error.message),
      )
    })
})
