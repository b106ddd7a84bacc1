import { setImmediate as turn, setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import { DatabaseTimeout } from '../faults.ts'
import { valuesInOrder, type Values } from '../parameters.ts'
import type { Statement } from '../statement.ts'

/** A connection of its own for short questions, opened when it is needed. */
export interface Probe {
  /** A question that fails, or is not answered in two seconds, ends the connection, and the next one opens another. */
  ask<Row>(statement: Statement<Row>, values?: Values): Promise<Row | undefined>
  close(): Promise<void>
}

const patience = 2000

/** `onLost` is called when an open connection ends by itself. */
export function createProbe(config: pg.ClientConfig, onLost: () => void = () => undefined): Probe {
  let client: pg.Client | null = null
  let connected: Promise<unknown> = Promise.resolve()

  function open(): pg.Client {
    const opened = new pg.Client(config)
    let isOpen = false
    const lost = () => {
      if (drop(opened) && isOpen) onLost()
    }
    opened.on('error', lost)
    opened.on('end', lost)
    client = opened
    connected = opened.connect().then(() => {
      isOpen = true
    })
    return opened
  }

  /** Whether it was the connection in use. */
  function drop(dropped: pg.Client): boolean {
    if (client !== dropped) return false
    client = null
    dropped.end().catch(() => undefined)
    return true
  }

  async function answer<Row>(asked: pg.Client, statement: Statement<Row>, values: Values) {
    await connected
    return (await asked.query({ ...statement, values: [...valuesInOrder(statement, values)] })).rows[0] as
      | Row
      | undefined
  }

  return {
    async ask<Row>(statement: Statement<Row>, values: Values = {}) {
      const asked = client ?? open()
      const answered = answer(asked, statement, values)
      const ended = new AbortController()
      try {
        return await Promise.race([answered, tooLate(ended.signal)])
      } catch (error) {
        drop(asked)
        answered.catch(() => undefined)
        throw error
      } finally {
        ended.abort()
      }
    },
    async close() {
      const open = client
      client = null
      await open?.end().catch(() => undefined)
    },
  }
}

/** Rejects after the time, but not before an answer is read that came while this process was busy. */
async function tooLate(signal: AbortSignal): Promise<never> {
  // Aborted when nobody waits for it any more.
  await sleep(patience, undefined, { signal }).catch(() => new Promise<never>(() => undefined))
  await turn()
  await turn()
  throw new DatabaseTimeout('no answer in time')
}
