import { ready } from '@wbs/contract/system'
import { implement } from '../call/implement.ts'
import { read } from '../database/statement.ts'

/** Asks the database for as little as can be asked: where it cannot be reached, this is unavailable as every operation is. */
export const handleReady = implement(ready, async (_input, context) => {
  await context.read.one(anything, [])
  return { result: { status: 'ready' } }
})

const anything = read<{ one: number }>('anything', 'select 1 as one')
