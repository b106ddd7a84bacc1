import type pg from 'pg'
import type { ReaderPool } from '../connections/reader.ts'
import { beatVerdict, freshBeat, renewBeat, type BeatVerdict } from './beat.ts'
import { createProbe } from './probe.ts'
import { repeat } from './repeat.ts'
import { createReplica, type ReplicaUse, type UsableReplica } from './replica.ts'
import type { ReplicaLog } from './use-log.ts'

/** The read replicas of the database. */
export interface Replicas {
  /** One that may be used now, in turns; null if there is none. */
  pick(): UsableReplica | null
  usage(): ReplicaUse[]
  close(): Promise<void>
}

export interface ReplicasParts {
  /** How to connect to the primary in the role that writes. */
  primary: pg.ClientConfig
  /** How to connect to each replica, and to open its readers. */
  replicas: readonly { probe: pg.ClientConfig; openReaders(): ReaderPool }[]
  /** How old the answers of a replica may be, in seconds. */
  mostLag: number
  log: ReplicaLog
}

/** How long after a beat the next one is looked at, in milliseconds. */
const beatPause = 1000

/** Begins to check the replicas. Until the first check has ended, none is used. */
export function createReplicas({ primary, replicas, mostLag, log }: ReplicasParts): Replicas {
  if (replicas.length === 0) return { pick: () => null, usage: () => [], close: async () => {} }
  const beats = createProbe(primary)
  const judges = createProbe(primary)

  /** Null if the primary does not answer, or cannot write. */
  async function judge(token: string, at: string): Promise<BeatVerdict | null> {
    return (await judges.ask(beatVerdict, { token, at }).catch(() => null)) ?? null
  }

  async function beat(): Promise<void> {
    try {
      if (!(await beats.ask(freshBeat))) await beats.ask(renewBeat)
    } catch {
      // The replicas say that the primary does not answer.
    }
  }

  const beating = repeat(beat, beatPause)
  const all = replicas.map((parts, i) =>
    createReplica({ ...parts, position: i + 1, judge, mostLag: mostLag * 1000, log }),
  )
  let last = 0
  return {
    pick() {
      for (let step = 1; step <= all.length; step++) {
        const at = (last + step) % all.length
        const usable = all[at]?.usable()
        if (!usable) continue
        last = at
        return usable
      }
      return null
    },
    usage: () => all.map(replica => replica.usage()),
    async close() {
      await Promise.all([beating.stop(), ...all.map(replica => replica.close())])
      await Promise.all([beats.close(), judges.close()])
    },
  }
}
