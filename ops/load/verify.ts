import { connectOwner } from '../../packages/server/src/database/database.ts'
import type { DatabaseAddress } from '../../packages/server/src/database/connections/connection.ts'
import { createClient } from '../../packages/sdk/src/index.ts'
import type { AcknowledgedChange, LoadReport } from './records.ts'
import type { LoadWorkspace } from './workspaces.ts'

/** What a verification found. Each fault is a sentence. */
export interface Findings {
  acknowledged: number
  /** Changes without an answer: how many of them happened, in whole, and how many not at all. */
  unanswered: { happened: number; absent: number }
  lost: string[]
  doubled: string[]
}

/** Adds up the findings of several verifications that are expected to find nothing. */
export const faultsOf = (...all: Findings[]): string[] =>
  all.flatMap(({ lost, doubled }) => [...lost, ...doubled])

/**
 * Compares the database with what was acknowledged: the command, the receipt, the event and the Room of each change are
 * there once, and the Workspaces have nothing that no command explains.
 */
export async function verifyInDatabase(report: LoadReport, address: DatabaseAddress): Promise<Findings> {
  const client = await connectOwner(address)
  try {
    const { rows } = await client.query<Stored>(storedSql, [JSON.stringify(report.acknowledged)])
    const unanswered = await client.query<Stored>(storedSql, [JSON.stringify(report.unanswered)])
    const workspaces = [
      ...new Set([...report.acknowledged, ...report.unanswered].map(write => write.workspace_id)),
    ]
    const unexplained = await client.query<{ fault: string }>(unexplainedSql, [workspaces])
    return {
      acknowledged: rows.length,
      unanswered: {
        happened: unanswered.rows.filter(isWhole).length,
        absent: unanswered.rows.filter(isAbsent).length,
      },
      lost: [
        ...rows.filter(row => !(isWhole(row) && row.is_same && row.is_kept)).map(described),
        ...unanswered.rows.filter(row => !isWhole(row) && !isAbsent(row)).map(described),
      ],
      doubled: unexplained.rows.map(({ fault }) => fault),
    }
  } finally {
    await client.end()
  }
}

/** What the database has of one change. */
interface Stored {
  idempotency_key: string
  commands: number
  receipts: number
  events: number
  /** The command and the receipt have the acknowledged ids. */
  is_same: boolean
  /** The Room has at least the acknowledged revision. */
  is_kept: boolean
}

const isWhole = ({ commands, receipts, events }: Stored) => commands === 1 && receipts === 1 && events === 1
const isAbsent = ({ commands, receipts, events }: Stored) => commands + receipts + events === 0

const described = ({ idempotency_key, commands, receipts, events, is_same, is_kept }: Stored) =>
  `${idempotency_key}: ${commands} commands, ${receipts} receipts, ${events} events${is_same ? '' : ', other ids'}${is_kept ? '' : ', its Room has an older revision'}`

// Each change of the load has one receipt and one event.
const storedSql = `
  with asked as (
    select * from jsonb_to_recordset($1::jsonb)
      as a(idempotency_key text, workspace_id uuid, key_id text, command_id uuid, receipt_id uuid, room_id text, revision integer)
  ), found as (
    select a.*, c.command_id as found_id from asked a
    left join svc.commands c on c.scope_id = a.workspace_id and c.principal = 'key:' || a.key_id
     and c.idempotency_key = a.idempotency_key and c.status is not null
  )
  select idempotency_key, count(found_id)::int as commands, sum(receipts)::int as receipts, sum(events)::int as events,
         bool_and(found_id = f.command_id and is_same) as is_same, bool_and(is_kept) as is_kept
  from found f
  cross join lateral (
    select count(*) as receipts, coalesce(bool_and(r.receipt_id = f.receipt_id), false) as is_same
    from svc.receipts r where r.workspace_id = f.workspace_id and r.command_id = f.found_id
  ) receipt
  cross join lateral (
    select count(*) as events from svc.events e where e.workspace_id = f.workspace_id and e.command_id = f.found_id
  ) event
  cross join lateral (
    select exists (
      select from svc.rooms m where m.workspace_id = f.workspace_id and m.id = f.room_id and m.revision >= f.revision
    ) as is_kept
  ) kept
  group by idempotency_key`

// A change that happened twice would leave a receipt or an event more than revisions, or a revision more than receipts.
const unexplainedSql = `
  select format('%s: revision %s, %s receipts, %s events', m.id, m.revision, receipts, events) as fault
  from svc.rooms m
  left join (
    select workspace_id, resource_id, count(*) as receipts from svc.receipts
    where workspace_id = any ($1::uuid[]) and resource_type = 'room' group by workspace_id, resource_id
  ) receipt on receipt.workspace_id = m.workspace_id and receipt.resource_id = m.id
  left join (
    select workspace_id, room_id, count(*) as events from svc.events
    where workspace_id = any ($1::uuid[]) group by workspace_id, room_id
  ) event on event.workspace_id = m.workspace_id and event.room_id = m.id
  where m.workspace_id = any ($1::uuid[]) and (receipts is distinct from m.revision or events is distinct from m.revision)
  union all
  select format('Workspace %s: the last position of the period is %s of %s events', p.workspace_id, last, events)
  from svc.feed_positions p
  cross join lateral (select (p.last_position >> 30) << 30 as start, p.last_position & ((1::bigint << 30) - 1) as last) period
  cross join lateral (
    select count(*) as events from svc.events e where e.workspace_id = p.workspace_id and e.position > start
  ) event
  where p.workspace_id = any ($1::uuid[]) and last <> events
  union all
  select format('Workspace %s: %s commands of API keys, and %s receipts', w, commands, receipts)
  from unnest($1::uuid[]) w
  cross join lateral (
    select count(*) as commands from svc.commands c where c.scope_id = w and c.principal like 'key:%'
  ) command
  cross join lateral (
    select count(*) as receipts from svc.receipts r where r.workspace_id = w and r.actor -> 'via' ->> 'kind' = 'api_key'
  ) receipt
  where commands <> receipts`

/** Asks the service what became of each change, as a client would, and reads the Rooms. */
export async function verifyOverHttp(
  report: LoadReport,
  base_url: string,
  workspaces: readonly LoadWorkspace[],
): Promise<Findings> {
  const clients = new Map(
    workspaces.map(({ workspace_id, api_key }) => [
      workspace_id,
      createClient({ base_url, api_key, workspace_id, attempts: 10 }),
    ]),
  )
  const findings: Findings = {
    acknowledged: report.acknowledged.length,
    unanswered: { happened: 0, absent: 0 },
    lost: [],
    doubled: [],
  }
  const newest = new Map<string, AcknowledgedChange>()
  for (const change of report.acknowledged) {
    const known = newest.get(change.room_id)
    if (!known || known.revision < change.revision) newest.set(change.room_id, change)
  }
  await inParallel([...report.acknowledged, ...report.unanswered], async change => {
    const answer = await clients
      .get(change.workspace_id)
      ?.getCommand({ idempotency_key: change.idempotency_key })
    if ('receipt_id' in change) {
      if (answer?.receipt?.receipt_id !== change.receipt_id)
        findings.lost.push(`${change.idempotency_key}: ${answer?.status}, with another receipt or none`)
    } else findings.unanswered[answer?.status === 'committed' ? 'happened' : 'absent']++
  })
  await inParallel([...newest.values()], async ({ workspace_id, room_id, revision, title }) => {
    const { room } = (await clients.get(workspace_id)?.getRoom({ room_id })) ?? {}
    if (!room || room.revision < revision || (room.revision === revision && room.title !== title))
      findings.lost.push(`${room_id}: revision ${room?.revision} instead of ${revision}`)
  })
  return findings
}

/** A caller may have 32 requests in progress. */
async function inParallel<T>(items: readonly T[], work: (item: T) => Promise<void>): Promise<void> {
  const left = items.values()
  const worker = async () => {
    for (const item of left) await work(item)
  }
  await Promise.all(Array.from({ length: 8 }, worker))
}
