import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { callPlugin } from '../../src/connections/plugin-call.ts'
import type { PluginCall, PluginOutcome } from '../../src/plugins/plugin.ts'

const call = { config: {}, operation: 'look', arguments: {}, idempotency_key: null }
const plugin = (answer: (call: PluginCall) => Promise<PluginOutcome>) => ({ call: answer })

describe('a call of a plugin', () => {
  it('ends when its time is over, though the plugin does not', async () => {
    const began = Date.now()
    const outcome = await callPlugin(
      plugin(() => new Promise(() => undefined)),
      call,
      { time: 50 },
    )
    assert.equal(outcome.outcome, 'outcome_unknown')
    assert.ok(Date.now() - began < 20_000)
  })

  it('lets the plugin say what came of it when the time is over', async () => {
    const slow = plugin(
      ({ signal }) =>
        new Promise(resolve =>
          signal.addEventListener('abort', () => resolve({ outcome: 'unreachable', detail: 'Late.' })),
        ),
    )
    assert.deepEqual(await callPlugin(slow, call, { time: 50 }), { outcome: 'unreachable', detail: 'Late.' })
  })

  it('passes an abortion on', async () => {
    const stop = new AbortController()
    const waiting = callPlugin(
      plugin(
        ({ signal }) =>
          new Promise(resolve =>
            signal.addEventListener('abort', () =>
              resolve({ outcome: 'outcome_unknown', detail: 'Stopped.' }),
            ),
          ),
      ),
      call,
      { signal: stop.signal },
    )
    stop.abort()
    assert.deepEqual(await waiting, { outcome: 'outcome_unknown', detail: 'Stopped.' })
  })

  it('that throws, at once or later, may have reached the app', async () => {
    const throwing = [
      plugin(() => {
        throw new Error('At once')
      }),
      plugin(() => Promise.reject(new Error('Later'))),
    ]
    for (const one of throwing) assert.equal((await callPlugin(one, call)).outcome, 'outcome_unknown')
  })

  it('gives at most 64 KiB of JSON, and no output of a failure', async () => {
    const output = (text: string) => plugin(() => Promise.resolve({ outcome: 'succeeded', output: text }))
    const largest = 'x'.repeat(64 * 1024 - 2)
    assert.deepEqual(await callPlugin(output(largest), call), { outcome: 'succeeded', output: largest })
    assert.equal((await callPlugin(output(`${largest}x`), call)).outcome, 'invalid_answer')
    const failing = plugin(() =>
      Promise.resolve({ outcome: 'refused', detail: 'd'.repeat(900), output: 'secret' }),
    )
    assert.deepEqual(await callPlugin(failing, call), { outcome: 'refused', detail: 'd'.repeat(500) })
  })
})
