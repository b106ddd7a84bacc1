import {
  createAdmission,
  type Admission,
  type InFlightLimits,
  createIdentifying,
  type Identifying,
} from './admission.ts'
import { createBodies, type Bodies, type BodyLimits } from './bodies.ts'
import { createOpenStreams, type OpenStreams } from './open-streams.ts'
import { createTransfers, type TransferLimits, type Transfers } from './transfers.ts'

/** The limits of one node. */
export interface NodeLimits {
  /** Slots for requests that are carried out. */
  capacity: number
  /** How many of them per sender. */
  inFlight: InFlightLimits
  /** Streams, long polls and waiting duplicates, per caller. */
  waiting: number
  /** The same for all callers together. */
  waitingPerNode: number
  /** Requests whose sender is being identified or whose rate limit is being checked. */
  identifying: number
  bodies: BodyLimits
  transfers: TransferLimits
}

const mebibyte = 1024 * 1024

/** The defaults, which protect the node. They limit a sender only where one could exhaust the node. */
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
  transfers: { perCaller: 16, perAddress: 64, perNode: 512 },
}

/**
 * The limits of one sender on a node, scaled like the quotas. Requests in flight are never limited below the default:
 * that is not a rate, and programs do send several requests at once.
 */
export const scaledSenderLimits = (scale: number): Pick<NodeLimits, 'inFlight' | 'waiting'> => {
  const atLeastUsual = Math.max(1, scale)
  return {
    inFlight: { perCaller: Math.ceil(32 * atLeastUsual), perAddress: Math.ceil(64 * atLeastUsual) },
    waiting: Math.ceil(100 * scale),
  }
}

/** All limits of a node. */
export interface Bounds {
  identifying: Identifying
  bodies: Bodies
  admission: Admission
  openStreams: OpenStreams
  transfers: Transfers
  limits: NodeLimits
  /** The current usage of each. */
  usage(): Record<
    'identifying' | 'unfinished' | 'bytes' | 'carried_out' | 'in_flight' | 'waiting' | 'transfers',
    number
  >
}

export function createBounds(most: Partial<NodeLimits> = {}): Bounds {
  const limits = { ...defaults, ...most }
  const { capacity, inFlight, waiting, waitingPerNode, identifying, bodies, transfers } = limits
  const openStreams = createOpenStreams({ perCaller: waiting, perNode: waitingPerNode })
  const parts = {
    identifying: createIdentifying(identifying),
    bodies: createBodies(bodies),
    admission: createAdmission(capacity, inFlight, openStreams),
    openStreams,
    transfers: createTransfers(transfers),
  }
  return {
    ...parts,
    limits,
    usage: () => ({
      identifying: parts.identifying.count(),
      ...parts.bodies.usage(),
      ...parts.admission.usage(),
      waiting: openStreams.count(),
      transfers: parts.transfers.count(),
    }),
  }
}
