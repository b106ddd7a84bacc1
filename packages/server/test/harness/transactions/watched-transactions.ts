import { AsyncLocalStorage } from 'node:async_hooks'
import type { Statement } from '../../../src/database/statement.ts'
import type { Transaction, WriterPool } from '../../../src/database/connections/writer.ts'

const isOpen = new AsyncLocalStorage<true>()

/** How long a transaction may wait for something other than PostgreSQL, counted in turns of the event loop. */
const [turnMilliseconds, mostTurns] = [20, 10]

/**
 * Writers whose transactions fail if they wait 200 ms for anything but PostgreSQL. Turns of the event loop are counted and not
 * time, so that a machine that is busy, or a long computation, fails none.
 */
export const watchedWriters = (writers: WriterPool): WriterPool => ({
  ...writers,
  transaction: (scope, work) =>
    writers.transaction(scope, tx => isOpen.run(true, () => failIfIdle(tx, work))),
})

async function failIfIdle<T>(tx: Transaction, work: (tx: Transaction) => Promise<T>): Promise<T> {
  let asked = 0
  let last = 'begin'
  let turns = 0
  async function counted<R>(statement: Statement<unknown>, answer: Promise<R>): Promise<R> {
    asked++
    last = statement.name
    try {
      return await answer
    } finally {
      asked--
    }
  }
  const { promise: tooLong, reject } = Promise.withResolvers<never>()
  const timer = setInterval(() => {
    turns = asked === 0 ? turns + 1 : 0
    if (turns >= mostTurns)
      reject(
        new Error(
          `A transaction waited ${mostTurns * turnMilliseconds} ms for something other than PostgreSQL, after ${last}.`,
        ),
      )
  }, turnMilliseconds)
  const watched: Transaction = {
    ...tx,
    run: (statement, values) => counted(statement, tx.run(statement, values)),
    many: (statement, values) => counted(statement, tx.many(statement, values)),
    one: (statement, values) => counted(statement, tx.one(statement, values)),
  }
  try {
    return await Promise.race([work(watched), tooLong])
  } finally {
    clearInterval(timer)
  }
}

/** The same part, which fails whenever it is used while a transaction is open. `name` is what the error calls it. */
export function outsideTransactions<Part extends object>(name: string, part: Part): Part {
  const wrapped = Object.entries(part).map(([key, value]: [string, unknown]) => {
    // Looked up at each call, because tests replace single functions of a part.
    const call = (...given: unknown[]) => (part as Record<string, AnyFunction>)[key]?.(...given)
    if (typeof value === 'function') return [key, outside(`${name}.${key}`, call)]
    return [key, isPlain(value) ? outsideTransactions(`${name}.${key}`, value) : value]
  })
  return { ...part, ...Object.fromEntries(wrapped) } as Part
}

type AnyFunction = (...given: unknown[]) => unknown

const outside =
  (name: string, work: AnyFunction): AnyFunction =>
  (...given) => {
    if (isOpen.getStore()) throw new Error(`${name} was used while a transaction was open.`)
    return work(...given)
  }

const isPlain = (value: unknown): value is object =>
  typeof value === 'object' && value !== null && Object.getPrototypeOf(value) === Object.prototype
