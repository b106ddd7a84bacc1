import { ready } from '@wbs/contract/system'
import { implement } from '../call/implement.ts'
import { read } from '../database/statement.ts'

export const handleReady = implement(ready, async (_input, context) => {
  try {
    await context.read.one(anything, [])
  } catch {
    throw context.refuse.unavailable('The database cannot be reached now.')
  }
  return { result: { status: 'ready' } }
})

const anything = read<{ one: number }>('anything', 'select 1 as one')
