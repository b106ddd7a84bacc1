import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { rounded } from '../../bench/quantiles.ts'
import type { Client } from '../../packages/sdk/src/index.ts'
import { createRecorder, type CallRecorder, type RecordedClient } from './recorder.ts'
import type { AcknowledgedChange, LoadReport, StaleRead, UnansweredChange } from './records.ts'
import type { LoadWorkspace } from './workspaces.ts'

export interface LoadOptions {
  /** The address of the proxy, or of a node. */
  base_url: string
  workspaces: readonly LoadWorkspace[]
  /** How many clients change Rooms, one request at a time each. Default: 8. */
  changers?: number
  /** How many clients read. Default: 8. */
  readers?: number
  /** How often a request is sent at most, by the rules of the SDK. Default: 100. */
  attempts?: number
  /** The timeout of an attempt, in milliseconds. Default: 30,000. */
  timeout?: number
  /** How long a client waits between two calls, in milliseconds. Default: 0. */
  pause?: number
  /** Sends the requests. Default: the platform's. */
  fetch?: typeof fetch
}

/** A load that runs until it is stopped. */
export interface Load {
  /** The changes acknowledged, and the reads answered, so far. */
  progress(): { acknowledged: number; reads: number }
  /** Lets each client end its call, and reports. */
  stop(): Promise<LoadReport>
}

interface Running {
  options: LoadOptions
  changes: CallRecorder
  reads: CallRecorder
  acknowledged: AcknowledgedChange[]
  unanswered: UnansweredChange[]
  failed_reads: string[]
  stale_reads: StaleRead[]
  stopped: boolean
}

/**
 * Starts clients that change and read Rooms with the SDK, which sends a failed request again, a change with the same
 * Idempotency-Key. Everything that is acknowledged and every attempt that fails is recorded.
 */
export function startLoad(options: LoadOptions): Load {
  const { workspaces, changers = 8, readers = 8 } = options
  const running: Running = {
    options,
    changes: createRecorder(options.fetch),
    reads: createRecorder(options.fetch),
    acknowledged: [],
    unanswered: [],
    failed_reads: [],
    stale_reads: [],
    stopped: false,
  }
  const begun = performance.now()
  const placeOf = (number: number) => workspaces[number % workspaces.length] as LoadWorkspace
  const clients = [
    ...Array.from({ length: changers }, (_, number) => changeRooms(running, placeOf(number))),
    ...Array.from({ length: readers }, (_, number) => readOn(running, placeOf(number))),
  ]
  return {
    progress: () => ({ acknowledged: running.acknowledged.length, reads: running.reads.succeeded() }),
    async stop() {
      running.stopped = true
      await Promise.all(clients)
      return reportOf(running, (performance.now() - begun) / 1000)
    },
  }
}

function reportOf(running: Running, seconds: number): LoadReport {
  const { changes, reads, acknowledged, unanswered, failed_reads, stale_reads } = running
  return {
    seconds: rounded(seconds, 1),
    changes: changes.figures(seconds),
    reads: reads.figures(seconds),
    attempts: [...changes.failed, ...reads.failed].sort((a, b) => a.at - b.at),
    acknowledged,
    unanswered,
    failed_reads,
    stale_reads,
  }
}

/** Creates a Room, changes it nine times, reads it now and then, and begins anew. */
async function changeRooms(running: Running, place: LoadWorkspace): Promise<void> {
  const [changer, reader] = [clientOf(running, 'changes', place), clientOf(running, 'reads', place)]
  let room: AcknowledgedChange | null = null
  for (let number = 0; !running.stopped; number++) {
    room = await changeOnce(running, changer, place, number % 10 === 0 ? null : room)
    if (room && number % 3 === 0) await readBack(running, reader, room)
    await sleep(running.options.pause ?? 0)
  }
}

/** Changes the Room, or creates one. Null if the change was not acknowledged. */
async function changeOnce(
  running: Running,
  changer: RecordedClient,
  { workspace_id, key_id }: LoadWorkspace,
  room: AcknowledgedChange | null,
): Promise<AcknowledgedChange | null> {
  const idempotency_key = randomUUID()
  const title = `Load ${idempotency_key}`
  const change = {
    idempotency_key,
    operation: room ? ('update_room' as const) : ('create_room' as const),
    workspace_id,
    key_id,
    sent_at: Date.now(),
  }
  try {
    const answer = await changer.call(client =>
      room
        ? client.updateRoom(
            { room_id: room.room_id, expected_revision: room.revision, title },
            { idempotency_key },
          )
        : client.createRoom({ title }, { idempotency_key }),
    )
    const { action_receipt, idempotent_replay } = answer
    const acknowledged = {
      ...change,
      title,
      room_id: answer.room.room_id,
      revision: answer.room.revision,
      command_id: action_receipt.command_id,
      receipt_id: action_receipt.receipt_id,
      idempotent_replay,
      attempts: changer.attempts(),
      acknowledged_at: Date.now(),
    }
    running.acknowledged.push(acknowledged)
    return acknowledged
  } catch (error) {
    running.unanswered.push({ ...change, attempts: changer.attempts(), error: String(error) })
    return null
  }
}

/** Nobody else changes the Room, so its reader must see the revision that was acknowledged. */
async function readBack(running: Running, reader: RecordedClient, known: AcknowledgedChange): Promise<void> {
  const { room_id, revision } = known
  const answer = await read(running, reader, client => client.getRoom({ room_id }))
  const seen = answer?.room.revision
  if (seen !== undefined && seen < revision)
    running.stale_reads.push({ at: Date.now(), room_id, acknowledged: revision, read: seen })
}

const questions: readonly ((client: Client) => Promise<unknown>)[] = [
  client => client.searchBusinesses({ query: 'credit union', limit: 10 }),
  client => client.listRooms({ limit: 10 }),
  client => client.listEvents({ limit: 10 }),
]

async function readOn(running: Running, place: LoadWorkspace): Promise<void> {
  const reader = clientOf(running, 'reads', place)
  for (let number = 0; !running.stopped; number++) {
    await read(running, reader, questions[number % questions.length] as (typeof questions)[number])
    await sleep(running.options.pause ?? 0)
  }
}

async function read<T>(
  running: Running,
  reader: RecordedClient,
  ask: (client: Client) => Promise<T>,
): Promise<T | undefined> {
  try {
    return await reader.call(ask)
  } catch (error) {
    running.failed_reads.push(String(error))
    return undefined
  }
}

function clientOf(running: Running, kind: 'changes' | 'reads', place: LoadWorkspace): RecordedClient {
  const { base_url, attempts = 100, timeout = 30_000 } = running.options
  const { workspace_id, api_key } = place
  return running[kind].client({ base_url, api_key, workspace_id, attempts, timeout })
}
