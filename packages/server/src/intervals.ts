import type { BlobStore } from './blobs/blob-store.ts'
import { createKeyUse, type KeyUse } from './call/authority/key-use.ts'
import type { Database } from './database/database.ts'
import { createBlobSweeper } from './files/processing/blob-sweeper.ts'
import type { Shutdown } from './shutdown.ts'
import { createVisitorSweeper } from './valuations/visitors/visitor-sweeper.ts'

/** What the work at intervals needs. */
export interface IntervalParts {
  database: Database
  /** Where the content of Files is. */
  blobs: BlobStore
  /** How often content that belongs to no File is removed, in milliseconds; an hour by default. */
  sweepPause?: number
  /** How often the last uses of API keys are saved, in milliseconds; a minute by default. */
  keyUsePause?: number
  /** How often expired valuations of visitors are deleted, in milliseconds; an hour by default. */
  visitorSweepPause?: number
  now: () => Date
  log: Parameters<typeof createBlobSweeper>[0]['log'] & Parameters<typeof createVisitorSweeper>[0]['log']
  /** Closes what is begun here, in the order of the whole node. */
  shutdown: Pick<Shutdown, 'add'>
}

/** Starts what a node does at intervals, whether or not requests come. Returns what notes the uses of API keys. */
export function startIntervals(parts: IntervalParts): Pick<KeyUse, 'note' | 'flush'> {
  const { database, blobs, sweepPause, keyUsePause, visitorSweepPause, now, log, shutdown } = parts
  const { writers } = database
  const every = (pauseMilliseconds: number | undefined) =>
    pauseMilliseconds === undefined ? {} : { pauseMilliseconds }
  const keyUse = createKeyUse({ writers, now, ...every(keyUsePause) })
  const visitors = createVisitorSweeper({ writers, log, ...every(visitorSweepPause) })
  const content = createBlobSweeper({ ...database, blobs, now, log, ...every(sweepPause) })
  shutdown.add('intervals', () => visitors.close())
  shutdown.add('intervals', () => content.close())
  shutdown.add('key_uses', () => keyUse.close())
  return keyUse
}
