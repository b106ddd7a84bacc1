import { newId, type Id } from '@wbs/contract/ids'
import type { SourceKind } from '@wbs/contract/businesses/input'
import { mayLockForSql } from '../../database/locks.ts'
import { read, write, type Reader } from '../../database/statement.ts'
import type { Transaction } from '../../database/connections/writer.ts'
import type { GivenSource } from '../facts/fact-input.ts'
import { storedFold } from '../fold.ts'
import type { GivenValue } from './observation.ts'

/** An observation as it is stored. */
export interface ObservationRow {
  observation_id: Id<'obs'>
  business_id: Id<'biz'>
  key: string
  value: { value_type: GivenValue['value_type']; value: unknown }
  observed_on: string
  /** An empty object in some observations of earlier versions. */
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

/** Inserts an observation and returns it. Observations are never changed. */
export function saveObservation(
  tx: Transaction,
  context: { workspace_id: string; business_id: Id<'biz'>; user_id: string; now: Date },
  { key, value: { value_type, value }, observed_on, source }: NewObservation,
): ObservationRow {
  const observation_id = newId('obs')
  tx.save(observationInsert, {
    ...context,
    observation_id,
    key,
    value_type,
    value: JSON.stringify(value),
    observed_on,
    source: JSON.stringify(source ?? null),
    text_folded: value_type === 'text' ? storedFold(value as string) : null,
  })
  return {
    observation_id,
    business_id: context.business_id,
    key,
    value: { value_type, value },
    observed_on,
    source: source ?? null,
    recorded_by: context.user_id,
    recorded_at: context.now.toISOString(),
    retracted_at: null,
  }
}

export interface ObservationFilters {
  key: string | null
  include_retracted: boolean
  /** The id with which the previous page ended. */
  before: string | null
}

/** The observations of a Business, latest recorded first. */
export const observationsOf = (
  reader: Reader,
  workspace_id: string,
  business_id: string,
  filters: ObservationFilters,
  limit: number,
) =>
  reader.many(filters.key === null ? observationsPage : observationsOfKeyPage, {
    ...filters,
    workspace_id,
    business_id,
    limit,
  })

export const observationById = (reader: Reader, workspace_id: string, business_id: string, id: string) =>
  reader.one(observation, { workspace_id, business_id, observation_id: id })

/** Whether a Workspace has an observation of a Business in its list. */
export const isObservationVisible = async (
  reader: Reader,
  workspace_id: string,
  id: string,
): Promise<boolean> =>
  (await reader.one(visibleObservation, { workspace_id, observation_id: id })) !== undefined

/** Locks an observation whose link is locked, for the standing with this seal, and reads it. */
export async function lockObservation(
  tx: Transaction,
  workspace_id: string,
  business_id: string,
  id: string,
  seal: string,
): Promise<ObservationRow | undefined> {
  return (await tx.run(observationLock, { workspace_id, business_id, observation_id: id, seal }))[0]
}

/** Retracts a locked observation. */
export function retract(
  tx: Transaction,
  workspace_id: string,
  observation: ObservationRow,
  now: Date,
): ObservationRow {
  const { business_id, observation_id } = observation
  tx.save(observationRetract, { workspace_id, business_id, observation_id, now })
  return { ...observation, retracted_at: now.toISOString() }
}

const columns = `id as observation_id, business_id, key, jsonb_build_object('value_type', value_type, 'value', value) as value,
     observed_on, source, recorded_by, recorded_at, retracted_at`

const observationInsert = write(
  'observation_insert',
  `insert into business_observations (workspace_id, business_id, id, key, value_type, value, observed_on, source, recorded_by, recorded_at,
     text_folded)
   values (:workspace_id, :business_id, :observation_id, :key, :value_type, :value, :observed_on, :source, :user_id, :now,
     :text_folded)`,
)

// With and without a key the page uses different indexes, so each has its own statement and plan.
const pageSql = (ofKey: string) => `select ${columns} from business_observations
   where workspace_id = :workspace_id and business_id = :business_id and (:include_retracted or retracted_at is null)
     and id < coalesce(:before, '~') ${ofKey}
   order by id desc limit :limit`

const observationsPage = read<ObservationRow>('observations_page', pageSql(''), 'long')
const observationsOfKeyPage = read<ObservationRow>(
  'observations_of_key_page',
  pageSql('and key = :key'),
  'long',
)

const byIdSql = `select ${columns} from business_observations
  where workspace_id = :workspace_id and business_id = :business_id and id = :observation_id`
const observation = read<ObservationRow>('observation_by_id', byIdSql)
const observationLock = write<ObservationRow>(
  'observation_lock',
  `${byIdSql} and ${mayLockForSql(':seal::text')} for no key update`,
)

const visibleObservation = read<object>(
  'observation_visible',
  `select from business_observations o
   join workspace_businesses w on w.workspace_id = :workspace_id and w.business_id = o.business_id and w.removed_at is null
   where o.workspace_id = :workspace_id and o.id = :observation_id`,
)

const observationRetract = write(
  'observation_retract',
  `update business_observations set retracted_at = :now
   where workspace_id = :workspace_id and business_id = :business_id and id = :observation_id`,
)
