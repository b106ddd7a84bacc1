import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { endTraced, startTraced, type Traced } from '../../src/telemetry/spans.ts'
import { createTracing } from '../../src/telemetry/tracing.ts'
import { eventually } from '../harness/eventually.ts'
import { startCollector } from './collector.ts'

function watchedLog() {
  const warned: { details: Record<string, unknown>; message: string }[] = []
  const log = {
    warn: (details: object, message: string) =>
      void warned.push({ details: details as Record<string, unknown>, message }),
  }
  return { warned, log }
}

const settingsFor = (url: string, ratio = 1) => ({
  url,
  headers: { authorization: 'Bearer canary-4711' },
  sampler: { ratio, follows_parent: true },
  continues_traces: false,
})

const end = (traced: Traced | undefined) => endTraced(traced as Traced)

describe('a collector', () => {
  it('gets the headers of the settings, and what is left when the service stops', async () => {
    const collector = await startCollector()
    const tracing = await createTracing(settingsFor(`${collector.url}/v1/traces`), watchedLog().log)
    end(startTraced(tracing.tracer, 'GET', {}))
    await tracing.close()
    assert.equal(collector.spans.length, 1)
    assert.equal(collector.headers.authorization, 'Bearer canary-4711')
    await collector.close()
  })

  it('that refuses spans loses them: one line of the log says so, without its answer or a credential', async () => {
    const collector = await startCollector(() => 400)
    const { warned, log } = watchedLog()
    const tracing = await createTracing(settingsFor(`${collector.url}/v1/traces`), log)
    for (let round = 0; round < 3; round++) {
      const before = collector.bodies.length
      end(startTraced(tracing.tracer, 'GET', {}))
      await eventually(() => collector.bodies.length > before)
    }
    await tracing.close()
    await collector.close()
    assert.equal(warned.length, 1)
    assert.deepEqual(warned[0], {
      details: { spans: 1, reason: '400' },
      message: 'spans were lost: the collector did not take them',
    })
  })

  it('that takes spans more slowly than they come gets as many as the bounded queue holds', async () => {
    const collector = await startCollector()
    const tracing = await createTracing(settingsFor(`${collector.url}/v1/traces`), watchedLog().log)
    // Nothing is sent before this loop ends.
    for (let i = 0; i < 20_000; i++) end(startTraced(tracing.tracer, 'GET', {}))
    await tracing.close()
    assert.ok(
      collector.spans.length > 0 && collector.spans.length <= 4_096 + 256,
      `${collector.spans.length}`,
    )
    await collector.close()
  })

  it('that is away keeps nobody waiting, also not when the service stops', async () => {
    // Port 9 has no listener.
    const tracing = await createTracing(settingsFor('http://127.0.0.1:9/v1/traces'), watchedLog().log)
    end(startTraced(tracing.tracer, 'GET', {}))
    const begun = performance.now()
    await tracing.close()
    assert.ok(performance.now() - begun < 60_000)
  })

  it('gets nothing of requests that are not sampled', async () => {
    const collector = await startCollector()
    const tracing = await createTracing(settingsFor(`${collector.url}/v1/traces`, 0), watchedLog().log)
    assert.equal(startTraced(tracing.tracer, 'GET', {}), undefined)
    await tracing.close()
    assert.deepEqual(collector.bodies, [])
    await collector.close()
  })
})
