import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { runConfined } from '../../src/inspection/confined-process.ts'

const limits = { seconds: 60, wall_ratio: 1, delivery_seconds: 60, memory_mb: 512, output_bytes: 100_000 }
const entry = fileURLToPath(new URL('./confinement-probe.ts', import.meta.url))
const root = fileURLToPath(new URL('../../../..', import.meta.url))

const probe = (outputBytes = limits.output_bytes) =>
  runConfined({
    entry,
    argument: root,
    input: Readable.from([]),
    limits: { ...limits, output_bytes: outputBytes },
    isLast: false,
    signal: new AbortController().signal,
  })

it('a confined process reads, writes and starts nothing', async () => {
  const { output, code, complaint } = await probe()
  assert.equal(code, 0, complaint)
  const denied = 'ERR_ACCESS_DENIED'
  assert.deepEqual(JSON.parse(output), {
    outcomes: {
      'read /etc/passwd': denied,
      'list the root': denied,
      'read the environment of the service': denied,
      'read other code': denied,
      'write a file': denied,
      'write into its own folder': denied,
      'start a process': denied,
      'start a thread': denied,
      'compile text': 'EvalError',
    },
    environment: {},
  })
})

it('a confined process is stopped when it writes too much', async () => {
  const { excess, output } = await probe(10)
  assert.deepEqual([excess, output.length], ['output', 10])
})
