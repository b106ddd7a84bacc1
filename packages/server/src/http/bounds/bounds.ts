import { createAdmission, type Admission } from './admission.ts'
import { createBodies, type Bodies, type BodyLimits } from './bodies.ts'
import { createIdentifying, type Identifying } from './identifying.ts'
import type { InFlightLimits } from './requests-in-flight.ts'
import { createOpenStreams, type OpenStreams } from './open-streams.ts'

/** What may be taken of a node at once. */
export interface NodeLimits {
  /** Requests that are carried out. */
  capacity: number
  /** Of these, by one sender. */
  inFlight: InFlightLimits
  /** Streams, long polls and duplicates that wait, of one caller. */
  waiting: number
  /** The same of all callers together. */
  waitingPerNode: number
  /** Requests whose sender is being identified, and whose count is being taken. */
  identifying: number
  bodies: BodyLimits
}

const mebibyte = 1024 * 1024

/** What a node has room for. What one sender may have of it is without bounds here unless it protects the node. */
const defaults: NodeLimits = {
  capacity: 512,
  inFlight: { perCaller: Infinity, perAddress: Infinity },
  waiting: Infinity,
  waitingPerNode: 5000,
  identifying: 2048,
  bodies: {
    unfinished: 1024,
    unfinishedPerAddress: 256,
    unfinishedPerCaller: 64,
    bytes: 128 * mebibyte,
    bytesPerAddress: 64 * mebibyte,
  },
}

/**
 * What one sender may have open at once on a node, scaled as the quotas are. In flight it is never less than usual: that
 * is no rate, and programs do ask several things at once.
 */
export const scaledSenderLimits = (scale: number): Pick<NodeLimits, 'inFlight' | 'waiting'> => {
  const atLeastUsual = Math.max(1, scale)
  return {
    inFlight: { perCaller: Math.ceil(32 * atLeastUsual), perAddress: Math.ceil(64 * atLeastUsual) },
    waiting: Math.ceil(100 * scale),
  }
}

/** All that requests take of a node, each with who may take how much of it. */
export interface Bounds {
  identifying: Identifying
  bodies: Bodies
  admission: Admission
  openStreams: OpenStreams
  /** How much of each is taken now. */
  usage(): Record<string, number>
}

export function createBounds(most: Partial<NodeLimits> = {}): Bounds {
  const { capacity, inFlight, waiting, waitingPerNode, identifying, bodies } = { ...defaults, ...most }
  const openStreams = createOpenStreams({ perCaller: waiting, perNode: waitingPerNode })
  const parts = {
    identifying: createIdentifying(identifying),
    bodies: createBodies(bodies),
    admission: createAdmission(capacity, inFlight, openStreams),
    openStreams,
  }
  return {
    ...parts,
    usage: () => ({
      identifying: parts.identifying.count(),
      ...parts.bodies.usage(),
      ...parts.admission.usage(),
      waiting: openStreams.count(),
    }),
  }
}
