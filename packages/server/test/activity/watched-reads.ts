import type { ReaderPool } from '../../src/database/connections/reader.ts'
import type { Reader, Statement } from '../../src/database/statement.ts'

/** Records the reads in Workspaces, and can delay them. */
export interface WatchedReads {
  /** The names of the statements so far. */
  names: string[]
  /** Delays the statements with a name before they are sent, until they are released. */
  hold(name: string): { isHeld(): boolean; letGo(): void }
}

export function watchReads(readers: ReaderPool): WatchedReads {
  const held = new Map<string, { waiting: number; gone: Promise<void> }>()
  const names: string[] = []
  const scoped = readers.scoped.bind(readers)

  async function pass({ name }: Statement<unknown, 'read'>): Promise<void> {
    names.push(name)
    const hold = held.get(name)
    if (!hold) return
    hold.waiting++
    await hold.gone
  }

  readers.scoped = scope => {
    const reader = scoped(scope)
    const watched: Reader = {
      many: (statement, values) => pass(statement).then(() => reader.many(statement, values)),
      one: (statement, values) => pass(statement).then(() => reader.one(statement, values)),
    }
    return watched
  }
  return {
    names,
    hold(name) {
      const { promise: gone, resolve } = Promise.withResolvers<void>()
      const hold = { waiting: 0, gone }
      held.set(name, hold)
      return {
        isHeld: () => hold.waiting > 0,
        letGo() {
          held.delete(name)
          resolve()
        },
      }
    },
  }
}
