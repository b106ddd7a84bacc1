import type pg from 'pg'
import { codeOf } from '../../database/faults.ts'
import { foldText } from '../fold.ts'

interface Log {
  info(details: object, message: string): void
  warn(details: object, message: string): void
}

interface FoldedText {
  table: string
  key: readonly string[]
  text: string
  fold: string
  isText?: string
}

const ofBusinesses: readonly FoldedText[] = [
  { table: 'businesses', key: ['id'], text: 'description', fold: 'description_folded' },
  { table: 'business_locations', key: ['business_id', 'id'], text: 'state', fold: 'state_folded' },
]
const ofObservations: FoldedText = {
  table: 'business_observations',
  key: ['workspace_id', 'business_id', 'id'],
  text: `value #>> '{}'`,
  fold: 'text_folded',
  isText: `value_type = 'text'`,
}

/** SQL: whether a row has no fold and needs one. These are the conditions of partial indexes. */
const missingSql = ({ text, fold, isText = 'true' }: FoldedText): string =>
  `${fold} is null and ${isText} and octet_length(${text}) > char_length(${text})`

const batchSize = 500

/** Fills missing folds in the background. If that fails, the texts compare by folded_text alone until the next start. */
export function startFillingFolds(connect: () => Promise<pg.Client>, log: Log): { stop(): Promise<void> } {
  const stopping = new AbortController()
  const done = fillOnce(connect, log, stopping.signal).catch((error: unknown) => {
    if (!stopping.signal.aborted) log.warn({ reason: codeOf(error) }, 'missing folded texts were not filled')
  })
  return {
    stop() {
      stopping.abort()
      return done
    },
  }
}

async function fillOnce(connect: () => Promise<pg.Client>, log: Log, signal: AbortSignal): Promise<void> {
  const owner = await connect()
  try {
    const filled = await fillFolds(owner, signal)
    if (filled > 0) log.info({ texts: filled }, 'missing folded texts were filled')
  } finally {
    await owner.end()
  }
}

/**
 * Fills the folds of texts that earlier versions wrote, as svc_owner. Returns how many. Nodes that start at the same time may
 * all call it.
 */
export async function fillFolds(owner: pg.ClientBase, signal?: AbortSignal): Promise<number> {
  let filled = 0
  for (const text of ofBusinesses) filled += await fillTexts(owner, text, signal)
  // The owner reads the rows of all Workspaces, but may change only those of the current one.
  const { rows } = await owner.query<{ workspace_id: string }>(
    `select distinct workspace_id from business_observations where ${missingSql(ofObservations)}`,
  )
  for (const { workspace_id } of rows) {
    await owner.query(`select set_config('svc.workspace_id', $1, false)`, [workspace_id])
    filled += await fillTexts(owner, ofObservations, signal)
  }
  return filled
}

async function fillTexts(owner: pg.ClientBase, text: FoldedText, signal?: AbortSignal): Promise<number> {
  let filled = 0
  for (let count = batchSize; count === batchSize; filled += count) {
    signal?.throwIfAborted()
    count = await fillBatch(owner, text)
  }
  return filled
}

// Rows that somebody else has locked are left to the next start: to wait for them could cause a deadlock.
async function fillBatch(owner: pg.ClientBase, folded: FoldedText): Promise<number> {
  const { table, key, text, fold } = folded
  await owner.query('begin')
  try {
    const { rows } = await owner.query<Record<string, string>>(
      `select ${key.join(', ')}, ${text} as raw from ${table}
       where ${missingSql(folded)}
       order by ${key.join(', ')} limit ${batchSize} for no key update skip locked`,
    )
    const folds = rows.map(({ raw = '', ...row }) => ({ ...row, [fold]: foldText(raw) }))
    await owner.query(
      `update ${table} t set ${fold} = f.${fold} from jsonb_populate_recordset(null::${table}, $1) f
       where ${key.map(column => `t.${column} = f.${column}`).join(' and ')}`,
      [JSON.stringify(folds)],
    )
    await owner.query('commit')
    return folds.length
  } catch (error) {
    await owner.query('rollback').catch(() => undefined) // the connection itself may have failed
    throw error
  }
}
