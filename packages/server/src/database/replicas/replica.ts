import type pg from 'pg'
import type { ReaderPool } from '../connections/reader.ts'
import { codeOf } from '../faults.ts'
import { shownBeat, type BeatVerdict } from './beat.ts'
import { createProbe } from './probe.ts'
import { repeat } from './repeat.ts'
import { createUseLog, type Cause, type ReplicaLog } from './use-log.ts'

/** A replica as it was found at its last check. */
export interface UsableReplica {
  readers: ReaderPool
  /** It shows all transactions of this snapshot. */
  snapshot: string
  /** It shows everything that was committed before. */
  as_of: Date
  /** Whether it may still be used: it was not left out since, and the check is not too old. */
  isUsable(): boolean
  /** Leaves it out until the next check, which is made at once. */
  suspect(): void
}

export interface Replica {
  /** Null while it is left out. */
  usable(): UsableReplica | null
  usage(): ReplicaUse
  close(): Promise<void>
}

export interface ReplicaUse {
  /** Its place in DATABASE_REPLICA_URL, from 1 on. */
  position: number
  used: boolean
  /** How old its answers are at most, in seconds; null while that is unknown. */
  lag: number | null
}

interface ReplicaParts {
  position: number
  probe: pg.ClientConfig
  openReaders(): ReaderPool
  /** What the primary says about a beat; null while it does not answer. */
  judge(token: string, at: string): Promise<BeatVerdict | null>
  /** In milliseconds. */
  mostLag: number
  log: ReplicaLog
}

/** How long after a check the next one is made, in milliseconds. */
const checkPause = 500

/** Says why a replica is left out. */
class LeftOut extends Error {
  readonly why: Cause
  constructor(why: Cause, message: string) {
    super(message)
    this.why = why
  }
}

/** Checks a replica all the time, and says whether it may be used now. */
export function createReplica({
  position,
  probe: config,
  openReaders,
  judge,
  mostLag,
  log,
}: ReplicaParts): Replica {
  const useLog = createUseLog(position, log)
  const probe = createProbe(config, () => leaveOut('silent', 'The connection to it was lost.'))
  let readers: ReaderPool | null = null
  let found: { usable: UsableReplica; until: number } | null = null
  let lag: number | null = null

  const isNow = (kept: typeof found): boolean =>
    kept !== null && kept === found && performance.now() < kept.until

  function leaveOut(why: Cause, reason: string): void {
    found = null
    useLog.leftOut(why, reason)
    if (why !== 'silent') return
    // Its statements in progress end, so that nobody waits for a server that does not answer.
    lag = null
    readers?.close().catch(() => undefined)
    readers = null
  }

  async function check(): Promise<void> {
    const before = found
    try {
      const beat = await shown()
      const asked = performance.now()
      const verdict = await judge(beat.token, beat.at)
      if (verdict) use(beat, verdict, asked)
      else if (!isNow(before))
        throw new LeftOut(
          'unknown_lag',
          'The primary does not answer, so it is not known how far behind it is.',
        )
    } catch (error) {
      if (error instanceof LeftOut) leaveOut(error.why, error.message)
      else if (isOtherDatabase(error))
        leaveOut('foreign', `It is no replica of this database: ${saidBy(error)}.`)
      else leaveOut('silent', `It does not answer: ${saidBy(error)}.`)
    }
  }

  async function shown(): Promise<{ token: string; at: string; snapshot: string }> {
    const beat = await probe.ask(shownBeat)
    if (!beat?.in_recovery)
      throw new LeftOut('no_standby', 'It is not a standby: it was promoted, or it is the primary.')
    const { token, at, snapshot } = beat
    if (token === null || at === null || snapshot === null)
      throw new LeftOut('foreign', 'It does not show what this database wrote last.')
    return { token, at, snapshot }
  }

  function use(
    { at, snapshot }: { at: string; snapshot: string },
    { is_ours, age }: BeatVerdict,
    asked: number,
  ): void {
    lag = Math.max(0, age)
    if (lag > mostLag)
      throw new LeftOut(
        'behind',
        `It is ${(lag / 1000).toFixed(1)} seconds behind, of ${mostLag / 1000} at most.`,
      )
    if (!is_ours) throw new LeftOut('foreign', 'It follows another database, or another history of this one.')
    readers ??= openReaders()
    const usable: UsableReplica = {
      readers,
      snapshot,
      as_of: new Date(at),
      isUsable: () => isNow(now),
      suspect() {
        if (found === now) found = null
        checks.hurry()
      },
    }
    const now = { usable, until: asked + mostLag - lag }
    found = now
    useLog.used()
  }

  const checks = repeat(check, checkPause)
  return {
    usable: () => (isNow(found) ? (found?.usable ?? null) : null),
    usage: () => ({ position, used: isNow(found), lag: lag === null ? null : lag / 1000 }),
    async close() {
      await checks.stop()
      useLog.close()
      found = null
      await Promise.all([probe.close(), readers?.close()])
    },
  }
}

/** PostgreSQL's codes for what a server has not: the database, the schema, the table, the role. */
const isOtherDatabase = (error: unknown): boolean =>
  ['3D000', '3F000', '42P01', '22023', '28000'].includes(codeOf(error))

const saidBy = (error: unknown): string =>
  error instanceof AggregateError ? error.errors.map(String).join(', ') : (error as Error).message
