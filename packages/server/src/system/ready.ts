import { ready } from '@wbs/contract/system'
import { implement } from '../call/implement.ts'
import { DatabaseTimeout } from '../database/faults.ts'
import { withTimeout } from '../database/connections/with-timeout.ts'
import { readUnscoped, type Reader } from '../database/statement.ts'

/**
 * Asks the database for as little as can be asked: where it cannot be reached, or does not answer in time, this is
 * unavailable as every operation is. All who ask at once share one question, since nothing else bounds how many they are.
 */
export const handleReady = (timeoutMilliseconds = 1_500) => {
  let pending: Promise<unknown> | null = null

  function queryDatabase(reader: Reader): Promise<unknown> {
    pending ??= reader.one(readinessProbe, []).finally(() => {
      pending = null
    })
    return pending
  }

  return implement(ready, async function ready(_input, { read: reader }) {
    await withTimeout(timeoutMilliseconds, queryDatabase(reader), noAnswer)
    return { result: { status: 'ready' } }
  })
}

const noAnswer = () => new DatabaseTimeout('The database did not answer.')

// On a connection of its own: on another it would wait behind statements that may take seconds.
const readinessProbe = readUnscoped<{ one: number }>('anything', 'select 1 as one', 'readiness')
