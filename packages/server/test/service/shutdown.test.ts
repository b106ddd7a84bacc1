import assert from 'node:assert/strict'
import { describe, it, mock } from 'node:test'
import { setImmediate as turn } from 'node:timers/promises'
import { createShutdown, type NodePart } from '../../src/shutdown.ts'

/** Parts that are opened in this order, and the order in which they are closed. */
function opened(parts: readonly NodePart[], close: (part: NodePart) => unknown = () => undefined) {
  const shutdown = createShutdown()
  const closed: NodePart[] = []
  for (const part of parts)
    shutdown.add(part, async () => {
      await close(part)
      closed.push(part)
    })
  return { shutdown, closed }
}

describe('the parts of a node', () => {
  it('are closed in the same order however they were opened: what is used outlives what uses it', async () => {
    const parts: NodePart[] = [
      'requests',
      'inspector',
      'jobs_connection',
      'database_server',
      'tracing',
      'metrics',
    ]
    for (const order of [parts, parts.toReversed()]) {
      const { shutdown, closed } = opened(order)
      await shutdown.close()
      assert.deepEqual(closed, parts)
    }
  })

  it('of one line are closed at the same time, and the next line waits for all of them', async () => {
    const job = Promise.withResolvers<void>()
    const { shutdown, closed } = opened(['database', 'jobs', 'requests'], part =>
      part === 'jobs' ? job.promise : undefined,
    )
    const closing = shutdown.close()
    await turn()
    assert.deepEqual(closed, ['requests'])
    job.resolve()
    await closing
    assert.deepEqual(closed, ['requests', 'jobs', 'database'])
  })

  it('are closed once, and one that fails does not keep others open', async () => {
    const fault = new Error('It cannot be closed.')
    const { shutdown, closed } = opened(['inspector', 'database', 'blobs'], part => {
      if (part === 'inspector') throw fault
    })
    await assert.rejects(shutdown.close(), fault)
    await assert.rejects(shutdown.close(), fault)
    assert.deepEqual(closed, ['blobs', 'database'])
  })

  it('wait for requests and jobs as long as an action may take, and then tell them and close the rest', async t => {
    mock.timers.enable({ apis: ['setTimeout'] })
    t.after(() => mock.timers.reset())
    const shutdown = createShutdown()
    const told: string[] = []
    shutdown.add('jobs', timeIsOver => {
      timeIsOver.addEventListener('abort', () => told.push('the time is over'))
      return new Promise(() => undefined)
    })
    shutdown.add('database', () => told.push('the database is closed'))
    const closing = shutdown.close()
    mock.timers.tick(15_500)
    await turn()
    assert.deepEqual(told, [])
    mock.timers.tick(1_000)
    await closing
    assert.deepEqual(told, ['the time is over', 'the database is closed'])
  })
})
