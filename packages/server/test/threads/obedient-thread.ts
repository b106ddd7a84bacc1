import { answerOrders } from '../../src/threads/answer-orders.ts'

/** What a thread of the tests does. */
export type Order = 'which' | 'fail' | 'use all memory' | 'go on until it is canceled'

const which = Math.random()

answerOrders((order: Order, requireWanted): number => {
  if (order === 'fail') throw Object.assign(new Error('It failed.'), { code: 'E_FAILED' })
  if (order === 'use all memory')
    for (const kept: string[][] = []; ;) kept.push(new Array<string>(100_000).fill('x'))
  while (order === 'go on until it is canceled') requireWanted()
  return which
})
