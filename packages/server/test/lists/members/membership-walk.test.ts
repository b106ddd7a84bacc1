import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isProblem, type Client } from '@wbs/sdk'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { randomFrom, type Random } from '../../model/random.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { membersOf, type ModelBusiness, type ModelList } from './membership-model.ts'
import { takeStep, type Walk } from './membership-steps.ts'
import { proofRuns, proofSeed } from '../../harness/proof.ts'

const steps = proofRuns({ full: 60, short: 20 })

type Entry = Awaited<ReturnType<Client['getListEntry']>>['data']
type Source = 'rule' | 'override'

describe('members of Lists against a plain model', () => {
  let world: ListWorld
  let walk: Walk
  let stranger: Client
  let callers: { name: string; client: Client; readsBusinesses: boolean }[]
  const random = randomFrom(proofSeed())

  before(async () => {
    world = await makeListWorld()
    const { service, people, as } = world
    const sam = service.person('Sam')
    const elsewhere = await service.workspace('Elsewhere', sam)
    stranger = service.client({ access_token: sam.token, workspace_id: elsewhere })
    walk = {
      world,
      random,
      businesses: await makeBusinesses(world, { ...sam, workspace_id: elsewhere }, random),
      lists: [await makeList(world), await makeList(world)],
      ours: as(people.owner),
      theirs: stranger,
    }
    callers = [
      { name: 'the owner', client: as(people.owner), readsBusinesses: true },
      { name: 'a viewer', client: as(people.viewer), readsBusinesses: true },
      {
        name: 'a key without businesses:read',
        client: await world.withKey(['lists:read', 'list_members:read']),
        readsBusinesses: false,
      },
    ]
  })
  after(() => world.close())

  it(`each caller sees the expected members after each of ${steps} changes`, async context => {
    let seen = 0
    for (let step = 0; step < steps; step++) {
      await takeStep(walk)
      for (const list of walk.lists)
        for (const caller of callers) seen += await compare(list, caller, `${caller.name}, step ${step}`)
      await checkStranger(random.pick(walk.lists))
    }
    context.diagnostic(`${seen} members were seen`)
    assert.ok(seen > steps, 'the Lists were nearly always empty')
  })

  async function compare(
    list: ModelList,
    { client, readsBusinesses }: (typeof callers)[number],
    message: string,
  ): Promise<number> {
    const today = new Date().toISOString().slice(0, 10)
    const expected = membersOf(list, walk.businesses, readsBusinesses, today)
    const source = random.pick<Source | undefined>([undefined, undefined, 'rule', 'override'])
    const limit = random.pick([1, 2, 3, 5, 8, 13, 100])
    const found = await entries(client, { list_id: list.id, limit, ...(source && { source }) })
    const wanted = expected.filter(one => source === undefined || one.source === source)
    assert.deepEqual(found, wanted, `${message}, ${JSON.stringify({ rule: list.rule, limit, source })}`)
    const { id } = random.pick(walk.businesses)
    const one = await entry(client, list.id, id)
    const wantedOne = expected.find(member => member.id === id) ?? null
    assert.deepEqual(one, wantedOne, `${message}, one entry, ${JSON.stringify(list.rule)}`)
    return found.length
  }

  async function checkStranger({ id }: ModelList): Promise<void> {
    const list_id = id
    const { id: member } = random.pick(walk.businesses)
    await refused(stranger.listListEntries({ list_id }), 'not_found')
    await refused(stranger.getListEntry({ list_id, member_id: member }), 'not_found')
  }
})

/** All entries, page by page. */
async function entries(
  client: Client,
  query: { list_id: string; limit: number; source?: Source },
): Promise<object[]> {
  const found: Entry[] = []
  for (let cursor: string | null | undefined; cursor !== null;) {
    const { data, page } = await client.listListEntries({ ...query, ...(cursor && { cursor }) })
    assert.ok(data.length <= query.limit)
    assert.equal(page.has_more, page.cursor !== null)
    assert.ok(page.cursor === null || page.cursor > (cursor ?? ''), 'the cursor advances')
    found.push(...data)
    cursor = page.cursor
  }
  return found.map(comparable)
}

/** One entry; null if it is not found. */
async function entry(client: Client, list: string, member: string): Promise<object | null> {
  try {
    const which = { list_id: list, member_id: member }
    return comparable((await client.getListEntry(which)).data)
  } catch (error) {
    if (isProblem(error, 'not_found')) return null
    throw error
  }
}

const comparable = ({ member_id, source, projection, subject }: Entry) => ({
  id: member_id,
  source,
  projection,
  name: subject.name,
})

const makeList = async (world: ListWorld): Promise<ModelList> => {
  const { id, version } = await world.list({ kind: 'all' })
  return { id, rule: { kind: 'all' }, version, isArchived: false, overrides: new Map() }
}

async function makeBusinesses(
  { service, workspace_id, people }: ListWorld,
  them: { user_id: string; workspace_id: string } & ListWorld['people']['owner'],
  random: Random,
): Promise<ModelBusiness[]> {
  const businesses: ModelBusiness[] = []
  for (let i = 0; i < 14; i++) {
    const name = random.pick(['Harbor Air', 'Pier Heating', 'HARBOR Pumps'])
    const state = random.pick(['OH', 'IN', 'KY'])
    const status = random.pick(['draft', 'published'] as const)
    const home = i % 2 === 0 ? 'ours' : 'theirs'
    const id = await addBusiness(service, { name, publication_status: status, locations: [{ state }] })
    if (home === 'ours') await service.link(workspace_id, id, people.owner, 'full_access')
    else await service.link(them.workspace_id, id, them, 'full_access')
    const link = home === 'ours' ? { isActive: true, seesUnpublished: true } : null
    businesses.push({ id, name, state, status, revision: 1, home, link, observations: [] })
  }
  return businesses
}
