import type { Rule } from '@wbs/contract/lists/rules'
import type { Client } from '@wbs/sdk'
import type { Random } from '../../model/random.ts'
import { definitionOf, where, type ListWorld } from '../list-fixture.ts'
import { sees, type ModelBusiness, type ModelList } from './membership-model.ts'

/** What a walk changes, in the service and in its model. */
export interface Walk {
  world: ListWorld
  random: Random
  businesses: ModelBusiness[]
  lists: ModelList[]
  ours: Client
  theirs: Client
}

const all = { kind: 'all' }
const of = (kind: 'and' | 'or', ...rules: object[]) => ({ kind, rules })
const not = (rule: object) => ({ kind: 'not', rule })
const inOhio = where('state', 'eq', 'oh')
const rules = [
  all,
  { kind: 'none' },
  inOhio,
  not(inOhio),
  where('name', 'contains', 'HARBOR'),
  where('publication_status', 'is_not_set', null),
  where('observations.headcount', 'gte', 10),
  where('observations.headcount', 'neq', 5),
  where('observations.headcount', 'is_not_set', null),
  not(where('observations.headcount', 'lt', 10)),
  where('observations.mood', 'in', ['Sells', 'asks']),
  of('or', inOhio, where('observations.mood', 'contains', 'sell')),
  of('and', inOhio, where('observations.headcount', 'is_set', null)),
  of('and', not(where('observations.mood', 'starts_with', 'a')), not(of('and', inOhio, all))),
  not(of('or', where('observations.mood', 'is_set', null), where('state', 'in', ['IN', 'KY']))),
] as Rule[]

const values = {
  headcount: [
    { value_type: 'number', value: 5 },
    { value_type: 'number', value: 12 },
    { value_type: 'text', value: '12' },
  ],
  mood: [
    { value_type: 'text', value: 'SELLS' },
    { value_type: 'text', value: 'Asks' },
    { value_type: 'boolean', value: true },
  ],
} as const
const days = ['2026-03-30', '2026-03-31']

/** Each does nothing if the Business or the List is not in a state for it. */
const steps: ((walk: Walk) => Promise<unknown>)[] = [
  changePublication,
  changePublication,
  changeLink,
  changeLink,
  observe,
  observe,
  observe,
  retract,
  override,
  override,
  override,
  changeRule,
  changeRule,
  changeLifecycle,
]

export const takeStep = (walk: Walk): Promise<unknown> => walk.random.pick(steps)(walk)

async function changePublication({ random, businesses, ours, theirs }: Walk): Promise<void> {
  const business = random.pick(businesses)
  if (business.home === 'ours' && !business.link?.isActive) return
  const client = business.home === 'ours' ? ours : theirs
  const change = { business_id: business.id, expected_revision: business.revision++ }
  if (business.status === 'published') await client.withdrawBusiness(change)
  else await client.publishBusiness(change)
  business.status = business.status === 'published' ? 'withdrawn' : 'published'
}

async function changeLink({ world: { workspace_id }, random, businesses, ours }: Walk): Promise<void> {
  const business = random.pick(businesses)
  const which = { workspace_id, business_id: business.id }
  if (business.link?.isActive) {
    await ours.unlinkBusiness(which)
    business.link.isActive = false
  } else if (business.status === 'published' || business.link?.seesUnpublished) {
    await ours.linkBusiness(which)
    business.link = { isActive: true, seesUnpublished: business.link?.seesUnpublished ?? false }
  }
}

async function observe({ random, businesses, ours }: Walk): Promise<void> {
  const business = random.maybe(businesses.filter(one => one.link?.isActive && sees(one)))
  if (!business) return
  const key = random.pick(['headcount', 'mood'] as const)
  const value = random.pick<(typeof values)['headcount' | 'mood'][number]>(values[key])
  const observed_on = random.pick(days)
  const { data } = await ours.createObservation({ business_id: business.id, key, value, observed_on })
  business.observations.push({ id: data.observation_id, key, value, observed_on, isRetracted: false })
}

async function retract({ random, businesses, ours }: Walk): Promise<void> {
  const business = random.maybe(businesses.filter(one => one.link?.isActive && sees(one)))
  const observation = random.maybe(business?.observations.filter(one => !one.isRetracted) ?? [])
  if (!business || !observation) return
  await ours.retractObservation({ business_id: business.id, observation_id: observation.id })
  observation.isRetracted = true
}

/** Sets an override over HTTP. Time passes in the database alone. */
async function override({ world, random, businesses, lists, ours }: Walk): Promise<void> {
  const list = random.pick(lists)
  const business = random.maybe(businesses.filter(sees))
  if (!business || list.isArchived) return
  const mode = random.pick(['include', 'include', 'exclude', null] as const)
  const expiry = mode === null ? 'none' : random.pick(['none', 'later', 'passed'])
  const { data } = await ours.setListOverride({
    list_id: list.id,
    member_id: business.id,
    mode,
    expected_version: list.version,
    ...(expiry !== 'none' && { expires_at: new Date(Date.now() + 86_400_000).toISOString() }),
  })
  list.version = data.version
  list.overrides.delete(business.id)
  if (mode === null) return
  list.overrides.set(business.id, { mode, isExpired: expiry === 'passed' })
  if (expiry === 'passed')
    await world.service.sql(
      'update list_overrides set expires_at = now() where workspace_id = $1 and list_id = $2 and member_id = $3',
      [world.workspace_id, list.id, business.id],
    )
}

async function changeRule({ random, lists, ours }: Walk): Promise<void> {
  const list = random.pick(lists)
  if (list.isArchived) return
  list.rule = random.pick(rules)
  const { data } = await ours.updateList({
    list_id: list.id,
    expected_version: list.version,
    definition: definitionOf(list.rule),
  })
  list.version = data.version
}

async function changeLifecycle({ random, lists, ours }: Walk): Promise<void> {
  const list = random.pick(lists)
  const change = { list_id: list.id, expected_version: list.version }
  const { data } = list.isArchived ? await ours.restoreList(change) : await ours.archiveList(change)
  list.isArchived = !list.isArchived
  list.version = data.version
}
