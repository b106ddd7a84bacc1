import { observationPrefix, type FieldRule } from '@wbs/contract/lists/rules'
import { foldedObservationSql } from '../../businesses/folded-text-store.ts'
import type { Placeholders } from '../../database/composed-read.ts'
import { typedValueSql } from './typed-value-sql.ts'

/**
 * SQL: joins the latest observation of each key that the Workspace made of a Business whose link `w` is active, as one JSON
 * object: PostgreSQL would need seconds to plan a join for each of a hundred keys.
 */
export const joinObservationsSql = (keys: readonly string[], { add }: Placeholders) =>
  keys.length === 0
    ? ''
    : `left join lateral (
        select jsonb_object_agg(latest.key, jsonb_build_object(latest.value_type, latest.value)) as latest_values
        from (
          select distinct on (o.key) o.key, o.value_type,
            case when o.value_type = 'text' then to_jsonb(${foldedObservationSql('o')}) else o.value end as value
          from business_observations o
          where o.workspace_id = :workspace_id and o.business_id = w.business_id and o.key = any (${add('observation_keys', keys)})
            and o.retracted_at is null
          order by o.key, o.observed_on desc, o.id desc
        ) latest
      ) observed on true`

/** SQL: whether an observation meets a leaf. The value of another type is null. */
export function observationSql(leaf: FieldRule, placeholders: Placeholders, today: string): string {
  const key = leaf.field.slice(observationPrefix.length)
  const observed = `(observed.latest_values -> ${placeholders.shared('observation_key', key)})`
  if (leaf.operator === 'is_set') return `${observed} is not null`
  if (leaf.operator === 'is_not_set') return `${observed} is null`
  const columns = {
    text: `(${observed} ->> 'text')`,
    date: `(${observed} ->> 'date')::date`,
    number: `(${observed} ->> 'number')::double precision`,
    boolean: `(${observed} ->> 'boolean')::boolean`,
  }
  return typedValueSql(columns, leaf, placeholders, today)
}
