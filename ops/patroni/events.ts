import type { Cluster } from './cluster.ts'
import type { Member } from './member.ts'

/** What is there when an event begins. */
interface Scene {
  cluster: Cluster
  leader: Member
  /** The synchronous one. */
  standby: Member
}

interface ClusterEvent {
  begin(scene: Scene): Promise<void> | void
  /** What the machine does when changes are acknowledged again. Patroni does the rest. */
  end(scene: Scene): void
  /** How long after that. Default: two seconds. */
  lasts_ms?: number
}

const nothing = (): void => undefined

/** What happens to the cluster. */
export const events = {
  /** All processes of the leader's machine are killed at the same moment. */
  machine: { begin: ({ leader }) => leader.die(), end: ({ leader }) => leader.start() },
  /** The leader's PostgreSQL alone is killed. */
  postgres: { begin: ({ leader }) => leader.killPostgres(), end: nothing },
  /** The leader's processes stop where they are, and go on when another member leads. */
  frozen: { begin: ({ leader }) => leader.freeze(), end: ({ leader }) => leader.thaw() },
  /** The lead is handed over. */
  switchover: { begin: ({ cluster }) => cluster.switchover(), end: nothing },
  /** The machine of the synchronous standby dies. */
  standby: { begin: ({ standby }) => standby.die(), end: ({ standby }) => standby.start() },
  'standby frozen': { begin: ({ standby }) => standby.freeze(), end: ({ standby }) => standby.thaw() },
  /** All of etcd stops, for longer than the leader's key is valid. */
  etcd: {
    begin: ({ cluster }) => cluster.freezeEtcd(),
    end: ({ cluster }) => cluster.thawEtcd(),
    lasts_ms: 40_000,
  },
} satisfies Record<string, ClusterEvent>

export type EventName = keyof typeof events

export const eventOf = (name: EventName): ClusterEvent => events[name]
