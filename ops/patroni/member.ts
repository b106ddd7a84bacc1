import type { ChildProcess } from 'node:child_process'
import { chownSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { filled } from './filled.ts'
import { processTree, signalAll } from './process-tree.ts'
import { account, ended, startProgram } from './programs.ts'

/** A machine of the cluster: Patroni and the PostgreSQL that it runs. */
export interface Member {
  name: string
  host: string
  /** Starts Patroni, which brings PostgreSQL to what the cluster needs. */
  start(): void
  /** Kills Patroni, PostgreSQL and all their processes at the same moment, as a power cut does. */
  die(): Promise<void>
  /** Kills PostgreSQL alone; Patroni goes on. */
  killPostgres(): void
  /** Stops all processes where they are: the machine keeps its connections and answers nothing. */
  freeze(): void
  /** The processes go on as if no time had passed. */
  thaw(): void
  /** Lets Patroni stop PostgreSQL cleanly. */
  stop(): Promise<void>
  /** What Patroni's `GET /patroni` says; null if it does not answer. */
  state(): Promise<MemberState | null>
  /** The end of Patroni's log. */
  lastLines(): string
}

interface MemberState {
  state: string
  role: string
  timeline?: number
}

export interface MemberPlace {
  name: string
  host: string
  network: string
  rest_port: number
  postgres_port: number
  etcd_hosts: string
  bin_dir: string
  superuser_password: string
  replication_password: string
  rewind_password: string
}

export function createMember(place: MemberPlace, parent: string): Member {
  const folder = join(parent, place.name)
  const data_dir = join(folder, 'data')
  const file = join(folder, 'patroni.yaml')
  mkdirSync(folder, { mode: 0o700 })
  writeFileSync(file, filled('patroni.yaml', { ...place, folder, data_dir }), { mode: 0o600 })
  const owner = account()
  if (owner) for (const path of [folder, file]) chownSync(path, owner.uid, owner.gid)
  const log = join(folder, 'patroni.log')
  let patroni: ChildProcess | null = null
  let frozen: number[] = []

  // PostgreSQL is a session of its own, so that it survives a restart of Patroni.
  const postmaster = (): number[] => {
    try {
      return [Number(readFileSync(join(data_dir, 'postmaster.pid'), 'utf8').split('\n')[0])]
    } catch {
      return []
    }
  }
  const all = () => [...(patroni?.pid ? [patroni.pid] : []), ...postmaster()].flatMap(processTree)

  return {
    name: place.name,
    host: place.host,
    start() {
      patroni = startProgram('/usr/bin/patroni', [file], folder, log)
    },
    async die() {
      const dying = all()
      signalAll(dying, 'SIGKILL')
      if (patroni) await ended(patroni, 'SIGKILL')
    },
    killPostgres: () => signalAll(postmaster(), 'SIGKILL'),
    freeze() {
      frozen = all()
      signalAll(frozen, 'SIGSTOP')
    },
    thaw: () => signalAll(frozen, 'SIGCONT'),
    async stop() {
      if (patroni) await ended(patroni, 'SIGTERM')
    },
    lastLines: () => readFileSync(log, 'utf8').slice(-2000),
    async state() {
      try {
        const answer = await fetch(`http://${place.host}:${place.rest_port}/patroni`, {
          signal: AbortSignal.timeout(1500),
        })
        return (await answer.json()) as MemberState
      } catch {
        return null
      }
    },
  }
}
