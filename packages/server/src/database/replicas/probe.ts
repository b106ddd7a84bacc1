import pg from 'pg'
import type { Statement } from '../statement.ts'

/** A connection of its own for short questions, opened when it is needed. */
export interface Probe {
  /** A question that fails, or is not answered in 1.5 seconds, ends the connection, and the next one opens another. */
  ask<Row>(statement: Statement<Row>, values?: readonly unknown[]): Promise<Row | undefined>
  close(): Promise<void>
}

/** `onLost` is called when an open connection ends by itself. */
export function createProbe(config: pg.ClientConfig, onLost: () => void = () => undefined): Probe {
  let client: pg.Client | null = null
  let connected: Promise<unknown> = Promise.resolve()

  function open(): pg.Client {
    const opened = new pg.Client({ ...config, connectionTimeoutMillis: 1500, query_timeout: 1500 })
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

  return {
    async ask<Row>({ name, text }: Statement<Row>, values: readonly unknown[] = []) {
      const asked = client ?? open()
      try {
        await connected
        return (await asked.query({ name, text, values: values as unknown[] })).rows[0] as Row | undefined
      } catch (error) {
        drop(asked)
        throw error
      }
    },
    async close() {
      const open = client
      client = null
      await open?.end().catch(() => undefined)
    },
  }
}
