import type { Spent } from '../../inspection/inspector.ts'

/** The token buckets that all nodes share. */
export interface Buckets {
  take(
    bucket: string,
    limit: { quota: number; window: number },
    needed: number,
    spare: number,
  ): Promise<{ left: number }>
}

/** Who sent a content: a person, in a Workspace. */
export interface Sender {
  workspace_id: string
  created_by: string
}

/** The processor time that each Workspace and each person may use for inspections before others come first. */
export interface SenderTime {
  /** Seconds that are left to the one of the two that has less. Whoever has less than half of an hour's waits last. */
  left(sender: Sender): Promise<number>
  charge(sender: Sender, spent: Spent): Promise<void>
}

/** Seconds in an hour; the time comes back evenly. */
const quota = 60
const window = 3600

/**
 * The turn of a content whose sender has so many seconds left, and had `queuedWith` when it was queued: the seconds left are its
 * place in the queue. `behind`: the sender has used so much since then that those who used less come first. `last`: after all
 * others.
 */
export function turnOf(left: number, queuedWith = quota): 'now' | 'behind' | 'last' {
  if (left < quota / 2) return 'last'
  // The first second costs a place, and then each doubling, so that no content changes its place more than a few times.
  return quota - left > 2 * (quota - queuedWith) + 1 ? 'behind' : 'now'
}

/** The priority of a content among others: 0 if its sender has used nothing. */
export const priorityOf = (left: number): number => Math.floor(left) - quota

/** Content that does not end in a short turn costs half an hour's time, and one that exceeds its limits all of it. */
const costOf = ({ cpu_seconds, exceeded }: Spent): number =>
  exceeded === 'limits' ? quota : cpu_seconds + (exceeded === 'turn' ? quota / 2 : 0)

const perSecond = 10

export function createSenderTime(buckets: Buckets): SenderTime {
  const limit = { quota: quota * perSecond, window }
  const take = (sender: Sender, seconds: number) =>
    Promise.all(
      [`inspection:workspace:${sender.workspace_id}`, `inspection:user:${sender.created_by}`].map(bucket =>
        buckets.take(bucket, limit, Math.ceil(seconds * perSecond), 0),
      ),
    )
  return {
    async left(sender) {
      const found = await take(sender, 0)
      return Math.min(...found.map(({ left }) => left)) / perSecond
    },
    charge: async (sender, spent) => void (await take(sender, costOf(spent))),
  }
}
