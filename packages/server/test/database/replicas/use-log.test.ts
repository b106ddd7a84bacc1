import assert from 'node:assert/strict'
import { it, mock } from 'node:test'
import { createUseLog } from '../../../src/database/replicas/use-log.ts'

it('the log says at once that a replica is left out, and then at most every ten seconds what holds', t => {
  mock.timers.enable({ apis: ['setTimeout'] })
  let now = 0
  const clock = mock.method(performance, 'now', () => now)
  t.after(() => {
    mock.timers.reset()
    clock.mock.restore()
  })
  const pass = (milliseconds: number) => {
    now += milliseconds
    mock.timers.tick(milliseconds)
  }
  const lines: string[] = []
  const line = (level: string) => (details: object, message: string) =>
    lines.push(`${level} ${message} ${JSON.stringify(details)}`)
  const taken = () => lines.splice(0)
  const log = createUseLog(2, { info: line('info'), warn: line('warn') })

  log.leftOut('silent', 'It does not answer.')
  assert.deepEqual(taken(), ['warn a read replica is left out {"replica":2,"reason":"It does not answer."}'])
  log.leftOut('silent', 'It does not answer.')
  pass(60_000)
  assert.deepEqual(taken(), [])
  log.used()
  assert.deepEqual(taken(), ['warn a read replica is used again {"replica":2}'])

  for (let i = 0; i < 50; i++) {
    log.leftOut('behind', `It is ${i} seconds behind.`)
    log.used()
  }
  log.leftOut('behind', 'It is 50 seconds behind.')
  assert.deepEqual(taken(), [])
  pass(10_000)
  assert.deepEqual(taken(), [
    'warn a read replica is left out {"replica":2,"reason":"It is 50 seconds behind."}',
  ])

  log.used()
  log.leftOut('behind', 'It is 51 seconds behind.')
  pass(10_000)
  assert.deepEqual(taken(), [])

  log.leftOut('no_standby', 'It is not a standby.')
  assert.deepEqual(taken(), ['warn a read replica is left out {"replica":2,"reason":"It is not a standby."}'])
  log.close()
})
