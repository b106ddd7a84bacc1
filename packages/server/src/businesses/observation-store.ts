import { newId, type Id } from '@wbs/contract/ids'
import type { SourceKind } from '@wbs/contract/workspace-businesses'
import { read, write, type Reader } from '../database/statement.ts'
import type { Transaction } from '../database/writer.ts'
import type { GivenSource } from './fact-input.ts'
import type { GivenValue } from './observation.ts'

/** An observation as its table holds it. */
export interface ObservationRow {
  observation_id: Id<'obs'>
  business_id: Id<'biz'>
  key: string
  value: { value_type: GivenValue['value_type']; value: unknown }
  observed_on: string
  /** Of some recorded earlier it is an empty object. */
  source: { kind?: SourceKind; url?: string; note?: string } | null
  recorded_by: string
  recorded_at: string
  retracted_at: string | null
}

export interface NewObservation {
  key: string
  value: GivenValue
  observed_on: string
  source?: GivenSource
}

/** Records an observation, which is never changed again. */
export async function insertObservation(
  tx: Transaction,
  of: { workspace_id: string; business_id: string; user_id: string; now: Date },
  { key, value: { value_type, value }, observed_on, source }: NewObservation,
): Promise<ObservationRow> {
  const [row] = await tx.run(observationInsert, [
    of.workspace_id,
    of.business_id,
    newId('obs'),
    key,
    value_type,
    JSON.stringify(value),
    observed_on,
    JSON.stringify(source ?? null),
    of.user_id,
    of.now,
  ])
  return row as ObservationRow
}

export interface ObservationFilters {
  key: string | null
  include_retracted: boolean
  /** The id that the page before ended with. */
  before: string | null
}

/** Observations of a Business, the one recorded last first. */
export const observationsOf = (
  reader: Reader,
  workspace_id: string,
  business_id: string,
  { key, include_retracted, before }: ObservationFilters,
  limit: number,
) => {
  const values = [workspace_id, business_id, include_retracted, before, limit]
  return key === null
    ? reader.many(observationsPage, values)
    : reader.many(observationsOfKeyPage, [...values, key])
}

export const observationById = (reader: Reader, workspace_id: string, business_id: string, id: string) =>
  reader.one(observation, [workspace_id, business_id, id])

/** Whether a Workspace has an observation of a Business that is one of its own. */
export const observationSeen = async (reader: Reader, workspace_id: string, id: string): Promise<boolean> =>
  (await reader.one(seen, [workspace_id, id])) !== undefined

/** Retracts an observation; undefined where that was done before. */
export async function retract(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  id: string,
  now: Date,
): Promise<ObservationRow | undefined> {
  return (await tx.run(observationRetract, [workspace_id, business_id, id, now]))[0]
}

const columns = `id as observation_id, business_id, key, jsonb_build_object('value_type', value_type, 'value', value) as value,
     observed_on, source, recorded_by, recorded_at, retracted_at`

const observationInsert = write<ObservationRow>(
  'observation_insert',
  `insert into business_observations (workspace_id, business_id, id, key, value_type, value, observed_on, source, recorded_by, recorded_at)
   values ($1, $2, $3, $4, $5, $6, $7, $8, $9, $10)
   returning ${columns}`,
)

// With a key and without one it is read along different indexes, so each has a plan of its own.
const pageText = (ofKey: string) => `select ${columns} from business_observations
   where workspace_id = $1 and business_id = $2 and ($3 or retracted_at is null) and id < coalesce($4, '~') ${ofKey}
   order by id desc limit $5`

const observationsPage = read<ObservationRow>('observations_page', pageText(''), 'long')
const observationsOfKeyPage = read<ObservationRow>(
  'observations_of_key_page',
  pageText('and key = $6'),
  'long',
)

const observation = read<ObservationRow>(
  'observation_by_id',
  `select ${columns} from business_observations where workspace_id = $1 and business_id = $2 and id = $3`,
)

const seen = read<object>(
  'observation_seen',
  `select from business_observations o
   join workspace_businesses w on w.workspace_id = $1 and w.business_id = o.business_id and w.removed_at is null
   where o.workspace_id = $1 and o.id = $2`,
)

const observationRetract = write<ObservationRow>(
  'observation_retract',
  `update business_observations set retracted_at = $4
   where workspace_id = $1 and business_id = $2 and id = $3 and retracted_at is null
   returning ${columns}`,
)
