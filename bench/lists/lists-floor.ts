import type { Floor } from './lists-rules.ts'

// The floor's statements, as an expert in PostgreSQL would write them by hand for one rule. They share no SQL with the
// service. $1 is the Workspace, $2 the List; in a page, $3 is the id after which it begins.

const override = (id: string, mode: 'include' | 'exclude') => `exists (select from list_overrides o
  where o.workspace_id = $1 and o.list_id = $2 and o.member_id = ${id} and o.mode = '${mode}' and (o.expires_at is null or o.expires_at > now()))`

const keys = ['employees', 'stage', 'family_owned', 'met_on', 'advisor']

/** The latest observation of each key that the condition names. */
const latest = (condition: string) =>
  keys
    .filter(key => condition.includes(key))
    .map(
      key => `left join lateral (select value as ${key} from business_observations o
        where o.workspace_id = $1 and o.business_id = w.business_id and o.key = '${key}' and o.retracted_at is null
        order by o.observed_on desc, o.id desc limit 1) ${key} on true`,
    )
    .join('\n')

// Each found by its key, because PostgreSQL would otherwise read a whole table for a page.
const linked = `from workspace_businesses w
  left join lateral (select * from published_businesses where id = w.business_id offset 0) p on true
  left join lateral (select id, name, publication_status from businesses where p.id is null and w.sees_unpublished and id = w.business_id offset 0) b
    on b.publication_status in ('draft', 'withdrawn')`
const isLinked = `w.workspace_id = $1 and w.removed_at is null and (p.id is not null or b.id is not null)`

/** The branches, each of which selects other members. */
function branches({ where, observed, drafts }: Floor, restOf: (id: string) => string): string[] {
  const rule = where ?? 'false'
  return [
    where &&
      `select p.id, p.name from published_businesses p where ${where} and not ${override('p.id', 'exclude')} ${restOf('p.id')}`,
    (observed || drafts) &&
      `select w.business_id, coalesce(p.name, b.name) ${linked} ${latest(observed ?? '')}
       where ${isLinked} and ${observed ? `${observed} and (${rule}) is not true` : 'p.id is null'} and not ${override('w.business_id', 'exclude')}
       ${restOf('w.business_id')}`,
    `select o.member_id, p.name from list_overrides o join published_businesses p on p.id = o.member_id
     ${observed ? `left join workspace_businesses w on w.workspace_id = $1 and w.business_id = p.id and w.removed_at is null ${latest(observed)}` : ''}
     where o.workspace_id = $1 and o.list_id = $2 and o.mode = 'include' and (o.expires_at is null or o.expires_at > now())
       and (${rule}) is not true ${observed ? `and (${observed}) is not true` : ''} ${restOf('o.member_id')}`,
  ].filter(branch => typeof branch === 'string')
}

/** A page of members with their names and values. */
export function floorPage(floor: Floor): string {
  // Ordering by an expression keeps PostgreSQL from walking by id.
  const order = (id: string) => (floor.by === 'index' && id === 'p.id' ? `${id} || ''` : id)
  const all = branches(floor, id => `and ${id} > $3 order by ${order(id)} limit 21`)
  return `select m.*, coalesce((select jsonb_agg(jsonb_build_object('column_id', c.id, 'value', jsonb_build_object(
        'value_type', c.value_type, 'value', coalesce(to_jsonb(v.text_value), to_jsonb(v.number_value)))) order by c.position)
      from list_values v join list_columns c on c.workspace_id = v.workspace_id and c.id = v.column_id
      where v.workspace_id = $1 and v.list_id = $2 and v.member_id = m.id), '[]') as values
    from (${all.map(branch => `(${branch})`).join(' union all ')} order by 1 limit 21) m (id, name) order by m.id`
}

export const floorCount = (floor: Floor): string =>
  `select ${branches(floor, () => '')
    .map(branch => `(select count(*)::integer from (${branch}) branch)`)
    .join(' + ')} as count`
