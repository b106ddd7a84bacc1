import { ready } from '@wbs/contract/system'
import { implement } from '../call/implement.ts'
import { NoAnswerInTime } from '../database/faults.ts'
import { inTime } from '../database/connections/in-time.ts'
import { readOpen, type Reader } from '../database/statement.ts'

/**
 * Asks the database for as little as can be asked: where it cannot be reached, or does not answer in time, this is
 * unavailable as every operation is. All who ask at once share one question, since nothing else bounds how many they are.
 */
export const handleReady = (patienceMilliseconds = 1_500) => {
  let asked: Promise<unknown> | null = null

  function ask(reader: Reader): Promise<unknown> {
    asked ??= reader.one(anything, []).finally(() => {
      asked = null
    })
    return asked
  }

  return implement(ready, async function ready(_input, { read: reader }) {
    await inTime(patienceMilliseconds, ask(reader), noAnswer)
    return { result: { status: 'ready' } }
  })
}

const noAnswer = () => new NoAnswerInTime('The database did not answer.')

// On a connection of its own: on another it would wait behind statements that may take seconds.
const anything = readOpen<{ one: number }>('anything', 'select 1 as one', 'alone')
