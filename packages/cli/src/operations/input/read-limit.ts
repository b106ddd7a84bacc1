import { largestPage } from '../command/list-shape.ts'
import type { CommonFlags } from '../command-flags.ts'
import { UsageError } from './usage-error.ts'

/** How many items are wanted. */
export interface Limit {
  /** At most; undefined for all, or for as many as the service gives at once. */
  most: number | undefined
  /** Whether so many may take several requests. */
  isSeveralPages: boolean
}

/** Reads --all and --limit. Throws UsageError. */
export function readLimit({ all, limit }: CommonFlags): Limit {
  if (all && limit !== undefined)
    throw new UsageError([{ where: '--limit', detail: 'Give --all or --limit, not both.' }])
  if (all) return { most: undefined, isSeveralPages: true }
  if (limit === undefined) return { most: undefined, isSeveralPages: false }
  if (!/^[1-9]\d{0,8}$/.test(limit))
    throw new UsageError([{ where: '--limit', detail: 'It must be a whole number of at least 1.' }])
  return { most: Number(limit), isSeveralPages: Number(limit) > largestPage }
}
