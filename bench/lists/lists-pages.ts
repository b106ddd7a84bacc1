import type pg from 'pg'
import type { Reader } from '../../packages/server/src/database/statement.ts'
import { pageOfEntries, type FoundEntries } from '../../packages/server/src/lists/entries/entry-page-store.ts'
import { countMembers } from '../../packages/server/src/lists/members/count-store.ts'
import type { Membership } from '../../packages/server/src/lists/members/membership.ts'
import { median, rounded } from '../quantiles.ts'
import { floorCount, floorPage } from './lists-floor.ts'
import type { MeasuredRule } from './lists-rules.ts'
import type { ListsWorld } from './lists-world.ts'

export interface Measuring {
  reader: Reader
  client: pg.Client
  world: ListsWorld
  rounds: number
}

const limit = 20

/** The first page and a deep one of a List with a rule, in turns with the floor. */
export async function measurePages(measuring: Measuring, measuredRule: MeasuredRule, list_id: string) {
  const first = await measurePage(measuring, measuredRule, list_id, '')
  return { first, deep: await measurePage(measuring, measuredRule, list_id, measuring.world.deep) }
}

async function measurePage(
  { reader, client, world, rounds }: Measuring,
  { name, rule, floor }: MeasuredRule,
  list_id: string,
  after: string,
) {
  // As the handler does for a List without overrides.
  const has_overrides = list_id !== world.plain_list_id
  const members = { membership: { ...membershipOf(world, rule, list_id), has_overrides }, filter: [] }
  const content = { column_ids: null, fields: [] }
  const text = floorPage(floor)
  const values = [world.workspace_id, list_id, after]
  const ask = {
    ours: () => pageOfEntries(reader, members, content, { after, limit }),
    floor: async () => (await client.query<{ id: string }>(text, values)).rows,
    prepared: () => client.query({ name: statementName(text), text, values }),
  }
  const times = { ours: [] as number[], floor: [] as number[], prepared: [] as number[] }
  let found: FoundEntries = { rows: [], cursor: null }
  const started = performance.now()
  // PostgreSQL decides after five runs whether to keep a plan. A floor that takes seconds is not repeated often.
  for (let run = 0; run < 5 && performance.now() - started < 1000; run++) await ask.prepared()
  for (let round = -1; round < rounds && (round < 2 || performance.now() - started < 3000); round++) {
    const begun = performance.now()
    found = await ask.ours()
    const ours = performance.now()
    const expected = await ask.floor()
    const planned = performance.now()
    await ask.prepared()
    const prepared = performance.now()
    requireSamePage(name, found, expected)
    if (round < 0) continue
    times.ours.push(ours - begun)
    times.floor.push(planned - ours)
    times.prepared.push(prepared - planned)
  }
  return {
    entries: found.rows.length,
    ...(found.rows.length < limit && found.cursor !== null && { ends_early: true }),
    median_ms: rounded(median(times.ours)),
    worst_ms: rounded(Math.max(...times.ours)),
    floor_ms: rounded(median(times.floor)),
    floor_prepared_ms: rounded(median(times.prepared)),
    times_the_floor: rounded(median(times.ours) / median(times.floor)),
  }
}

/** Throws unless the page is the same as that of the floor, or its beginning if the page ended early. */
function requireSamePage(
  name: string,
  { rows, cursor }: { rows: readonly { id: string }[]; cursor: string | null },
  floor: readonly { id: string }[],
): void {
  const expected = floor.slice(0, limit).map(row => row.id)
  const found = rows.map(row => row.id)
  const isBeginning = expected.slice(0, found.length).join() === found.join()
  if (!isBeginning || (cursor === null && found.length < expected.length))
    throw new Error(`${name}: the service found ${found.join(' ')}, the floor ${expected.join(' ')}.`)
}

/** The count of a List with a rule, once each. */
export async function measureCount(
  { reader, client, world }: Measuring,
  { name, rule, floor }: MeasuredRule,
  list_id: string,
) {
  const begun = performance.now()
  const { value, status } = await countMembers(reader, membershipOf(world, rule, list_id))
  const between = performance.now()
  const { rows } = await client.query<{ count: number }>(floorCount(floor), [world.workspace_id, list_id])
  const ended = performance.now()
  const expected = rows[0]?.count ?? 0
  if (status === 'exact' && value !== expected)
    throw new Error(`${name}: the service counted ${value} members, the floor ${expected}.`)
  return {
    value,
    status,
    exact: expected,
    ms: Math.round(between - begun),
    floor_ms: Math.round(ended - between),
  }
}

const membershipOf = (world: ListsWorld, rule: Membership['rule'], list_id: string): Membership => ({
  viewer: { workspace_id: world.workspace_id, reads_businesses: true },
  list_id,
  rule,
  today: '2026-11-22',
})

const names = new Map<string, string>()

/** PostgreSQL truncates long names, so each text has a short one. */
function statementName(text: string): string {
  const name = names.get(text) ?? `floor_${names.size}`
  names.set(text, name)
  return name
}
