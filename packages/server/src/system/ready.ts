import { ready } from '@wbs/contract/system'
import { implement } from '../call/implement.ts'
import { unavailable } from '../call/problem.ts'
import { DatabaseTimeout } from '../database/faults.ts'
import { withTimeout } from '../database/connections/with-timeout.ts'
import { readUnscoped, type Reader } from '../database/statement.ts'

/**
 * Checks that the node is not about to stop, and that the database answers in time with the cheapest statement there is;
 * else it throws unavailable. Concurrent requests share one statement, because nothing else limits their number.
 */
export const handleReady = (isDraining: () => boolean, timeoutMilliseconds = 1_500) => {
  let probe: Promise<unknown> | null = null

  function probeDatabase(reader: Reader): Promise<unknown> {
    probe ??= reader.one(probeStatement, {}).finally(() => {
      probe = null
    })
    return probe
  }

  return implement(ready, async function ready(_input, { read: reader }) {
    if (isDraining()) throw unavailable('This node is about to stop. Send requests to another one.')
    await withTimeout(timeoutMilliseconds, probeDatabase(reader), noAnswer)
    return { result: { status: 'ready' } }
  })
}

const noAnswer = () => new DatabaseTimeout('The database did not answer.')

// On a connection of its own, so that it does not wait behind statements that take seconds.
const probeStatement = readUnscoped<{ one: number }>('anything', 'select 1 as one', 'readiness')
