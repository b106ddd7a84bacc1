import { answerOrders } from '../../src/threads/answer-orders.ts'

/** What a thread of the tests does. */
export type Order = 'which' | 'fail' | 'use all memory' | 'go on until it is canceled'

const which = Math.random()

answerOrders((order: Order, requireWanted): number => {
  if (order === 'fail') throw Object.assign(new Error('It failed.'), { code: 'E_FAILED' })
  if (order === 'use all memory') useAllMemory()
  if (order === 'go on until it is canceled') for (;;) requireWanted()
  return which
})

function useAllMemory(): never {
  for (const kept: string[][] = []; ;) kept.push(Array.from({ length: 100_000 }, () => 'x'))
}
