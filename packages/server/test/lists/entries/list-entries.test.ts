import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { withdraw } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, where, type ListWorld } from '../list-fixture.ts'
import { makeTypedList } from './entry-fixture.ts'

const now = new Date('2026-03-31T12:00:00.000Z')
let world: ListWorld
before(async () => void (world = await makeListWorld({ now: () => now })))
after(() => world.close())
const us = () => world.as(world.people.member)

/** A rule for Businesses of a city of its own, and facts that meet it. */
function city(name: string) {
  return { rule: where('city', 'eq', name), facts: { locations: [{ state: 'OH', city: name }] } }
}

describe('GET /v1/lists/{list_id}/entries', () => {
  it('shows each member with its values in the order of the columns', async () => {
    const { rule, facts } = city('Akron')
    const list = await makeTypedList(world, rule)
    const id = await world.business({ name: 'Harbor Air', ...facts })
    await list.values(id, { date: '2026-01-02', boolean: false, number: 0, text: 'Fine' })
    const included = await list.member('Included')
    const answer = await us().listListEntries({ list_id: list.list_id })
    assert.equal(answer.version, 1)
    assert.equal(answer.as_of, now.toISOString())
    assert.deepEqual(answer.page, { cursor: null, has_more: false })
    const { columns } = list
    assert.deepEqual(answer.data, [
      {
        member_id: id,
        subject: { type: 'business', id, name: 'Harbor Air' },
        source: 'rule',
        projection: 'public',
        values: [
          { column_id: columns.text, value: { value_type: 'text', value: 'Fine' } },
          { column_id: columns.number, value: { value_type: 'number', value: 0 } },
          { column_id: columns.boolean, value: { value_type: 'boolean', value: false } },
          { column_id: columns.date, value: { value_type: 'date', value: '2026-01-02' } },
        ],
      },
      {
        member_id: included,
        subject: { type: 'business', id: included, name: 'Included' },
        source: 'override',
        projection: 'workspace',
        values: [],
      },
    ])
  })

  it('shows only the values of the columns in column_ids, and none of archived or unknown ones', async () => {
    const list = await makeTypedList(world)
    const id = await list.member('Harbor Air', { text: 'Fine', number: 1, boolean: true })
    const { list_id, columns } = list
    const shown = async (column_ids?: string[]) => {
      const asked = column_ids ? { list_id, column_ids } : { list_id }
      const { data } = await us().listListEntries(asked)
      const { data: alone } = await us().getListEntry({ ...asked, member_id: id })
      assert.deepEqual(data, [alone])
      return alone.values.map(one => one.value.value)
    }
    const asked = [columns.number, crypto.randomUUID(), columns.date, columns.text]
    assert.deepEqual(await shown(asked), ['Fine', 1])
    await world.service.sql('update list_columns set position = null, archived_at = now() where id = $1', [
      columns.text,
    ])
    assert.deepEqual(await shown(asked), [1])
    assert.deepEqual(await shown(), [1, true])
  })

  it('shows facts in business: of a published Business the published ones, of a draft all', async () => {
    const list = await makeTypedList(world)
    const facts = { locations: [{ state: 'OH', city: 'Dayton', published: false }] }
    const [published, draft] = [
      await world.linked({ name: 'Published', publication_status: 'published', ...facts }),
      await world.linked({ name: 'Draft', ...facts }),
    ]
    for (const id of [published, draft]) await list.override(id, 'include')
    const { list_id } = list
    const fields: ('name' | 'publication_status' | 'city')[] = ['name', 'publication_status', 'city']
    const expected = [
      { name: 'Published', publication_status: 'published', city: null },
      { name: 'Draft', publication_status: 'draft', city: 'Dayton' },
    ]
    for (const sort of [undefined, '-name']) {
      const { data } = await us().listListEntries({ list_id, fields, ...(sort && { sort }) })
      assert.deepEqual(
        data.map(({ business }) => {
          const { name, publication_status, city: in_ } = business ?? {}
          return { name, publication_status, city: in_ }
        }),
        expected,
      )
    }
    const { data } = await us().getListEntry({ list_id, member_id: draft, fields })
    assert.equal(data.business?.city, 'Dayton')
    assert.equal('business' in (await us().getListEntry({ list_id, member_id: draft })).data, false)
  })

  it('leaves out Businesses that are hidden, in every order and with every filter', async () => {
    const { service, workspace_id } = world
    const list = await makeTypedList(world, { kind: 'all' })
    const stranger = service.person('Stranger')
    await service.workspace('Elsewhere', stranger)
    const hidden = await world.business({ name: 'Hidden draft', publication_status: 'draft' })
    const lost = await world.linked({ name: 'Lost', publication_status: 'withdrawn' })
    await service.sql(
      'update workspace_businesses set sees_unpublished = false where workspace_id = $1 and business_id = $2',
      [workspace_id, lost],
    )
    const shown = await world.linked({ name: 'Shown draft' })
    for (const id of [hidden, lost, shown]) {
      await list.override(id, 'include')
      await list.values(id, { number: 7 })
    }
    const filter = list.filter('number', 'eq', 7)
    for (const sort of [undefined, 'name', `-${list.columns.number}`])
      for (const limit of [1, 100])
        assert.deepEqual(await list.names({ filter, limit, ...(sort && { sort }) }), ['Shown draft'])
    const names = await list.names({ sort: 'name', limit: 100 })
    assert.equal(names.includes('Hidden draft') || names.includes('Lost'), false)
    for (const member_id of [hidden, lost])
      await refused(us().getListEntry({ list_id: list.list_id, member_id }), 'not_found')
  })

  it('leaves a Business out of the next page once it is withdrawn, unlinked or its observation retracted', async () => {
    const list = await makeTypedList(world, where('observations.rating', 'eq', 5))
    const owner = world.as(world.people.owner)
    await list.member('First', { number: 0 })
    const published = await world.business({ name: 'Withdrawn' })
    const draft = await world.linked({ name: 'Unlinked' })
    const observed = await world.linked({ name: 'Retracted' })
    for (const id of [published, draft]) await list.override(id, 'include')
    for (const id of [published, draft, observed]) await list.values(id, { number: 1 })
    const { data: observation } = await owner.createObservation({
      business_id: observed,
      key: 'rating',
      value: { value_type: 'number', value: 5 },
      observed_on: '2026-01-01',
    })
    const { list_id } = list
    const all = ['First', 'Withdrawn', 'Unlinked', 'Retracted']
    const ways = [{}, { sort: list.columns.number }, { filter: list.filter('number', 'gte', 0) }]
    for (const asked of ways) assert.deepEqual(await list.names(asked), all)
    const firsts = await Promise.all(ways.map(asked => us().listListEntries({ list_id, limit: 1, ...asked })))
    await withdraw(world.service, [published])
    await owner.unlinkBusiness({ workspace_id: world.workspace_id, business_id: draft })
    await owner.retractObservation({ business_id: observed, observation_id: observation.observation_id })
    for (const [i, asked] of ways.entries()) {
      const cursor = String(firsts[i]?.page.cursor)
      const { data, page } = await us().listListEntries({ list_id, ...asked, cursor })
      assert.deepEqual([data, page], [[], { cursor: null, has_more: false }])
      assert.deepEqual(await list.names(asked), ['First'])
    }
  })

  it('shows a caller who cannot read Businesses published members alone, and without observations', async () => {
    const list = await makeTypedList(world, {
      kind: 'or',
      rules: [where('observations.size', 'eq', 9), where('city', 'eq', 'Toledo')],
    })
    const observed = await world.linked({ name: 'Observed', publication_status: 'published' })
    await world.as(world.people.owner).createObservation({
      business_id: observed,
      key: 'size',
      value: { value_type: 'number', value: 9 },
      observed_on: '2026-01-01',
    })
    await world.business({ name: 'Toledo', locations: [{ state: 'OH', city: 'Toledo' }] })
    await list.override(await world.linked({ name: 'Draft' }), 'include')
    await list.member('Included')
    const key = await world.withKey(['lists:read', 'list_members:read'])
    for (const asked of [{}, { sort: 'name' }, { filter: list.filter('text', 'is_not_set') }]) {
      assert.deepEqual(new Set(await list.names(asked)), new Set(['Draft', 'Included', 'Observed', 'Toledo']))
      assert.deepEqual(new Set(await list.names(asked, key)), new Set(['Included', 'Toledo']))
    }
    await refused(key.getListEntry({ list_id: list.list_id, member_id: observed }), 'not_found')
  })

  it('requires lists:read and list_members:read', async () => {
    const list = await makeTypedList(world)
    const member_id = await list.member('Harbor Air')
    const { list_id } = list
    for (const [granted, missing] of [
      ['lists:read', 'list_members:read'],
      ['list_members:read', 'lists:read'],
    ] as const) {
      const key = await world.withKey([granted, 'businesses:read'])
      const page = await refused(key.listListEntries({ list_id }), 'forbidden')
      const alone = await refused(key.getListEntry({ list_id, member_id }), 'forbidden')
      assert.deepEqual([page.required_permission, alone.required_permission], [missing, missing])
    }
    const viewer = world.as(world.people.viewer)
    assert.equal((await viewer.listListEntries({ list_id })).data.length, 1)
    assert.equal((await viewer.getListEntry({ list_id, member_id })).data.member_id, member_id)
  })

  it('can be read of an archived List', async () => {
    const list = await makeTypedList(world)
    const member_id = await list.member('Harbor Air', { number: 1 })
    const { list_id } = list
    await us().archiveList({ list_id, expected_version: 1 })
    const answer = await us().listListEntries({
      list_id,
      filter: list.filter('number', 'eq', 1),
      sort: 'name',
    })
    assert.deepEqual([answer.data.length, answer.version], [1, 2])
    assert.equal((await us().getListEntry({ list_id, member_id })).version, 2)
  })

  it('is not found where the List is absent or of another Workspace', async () => {
    const { service } = world
    const stranger = service.person('Stranger')
    const workspace_id = await service.workspace('Elsewhere', stranger)
    const theirs = service.client({ access_token: stranger.token, workspace_id })
    const list = await makeTypedList(world)
    const member_id = await list.member('Harbor Air')
    const absent = `list_${member_id.slice(4)}` as const
    for (const [client, list_id] of [
      [theirs, list.list_id],
      [us(), absent],
    ] as const) {
      for (const asked of [
        {},
        { sort: 'name' },
        { filter: '{' },
        { cursor: 'x' },
        { sort: list.columns.text },
      ])
        await refused(client.listListEntries({ list_id, ...asked }), 'not_found')
      await refused(client.getListEntry({ list_id, member_id }), 'not_found')
    }
  })

  it('refuses parameters that are not valid', async () => {
    const { list_id } = await makeTypedList(world)
    for (const [query, pointer] of [
      ['limit=0', '/limit'],
      ['limit=101', '/limit'],
      ['source=both', '/source'],
      ['fields=secret', '/fields/0'],
      ['column_ids=x', '/column_ids/0'],
      [`filter=${'x'.repeat(8001)}`, '/filter'],
      ['filter=', '/filter'],
      ['cursor=', '/cursor'],
      ['sort=-', '/sort'],
    ]) {
      const { status, body } = await world.service.request(`/v1/lists/${list_id}/entries?${query}`, {
        token: world.people.member.token,
        headers: { 'svc-workspace-id': world.workspace_id },
      })
      assert.equal(status, 400, query)
      assert.deepEqual([body.errors[0].in, body.errors[0].pointer], ['query', pointer], query)
    }
  })
})

describe('GET /v1/lists/{list_id}/entries/{member_id}', () => {
  it('shows a member as the page does', async () => {
    const { rule, facts } = city('Lima')
    const list = await makeTypedList(world, rule)
    const id = await world.business({ name: 'Harbor Air', ...facts })
    await list.values(id, { text: 'Fine', number: 5 })
    await list.member('Included', { date: '2026-01-01' })
    const { list_id } = list
    const asked = { list_id, fields: ['city' as const], column_ids: [list.columns.number, list.columns.date] }
    const { data, as_of, version } = await us().listListEntries(asked)
    assert.equal(data.length, 2)
    for (const entry of data) {
      const alone = await us().getListEntry({ ...asked, member_id: entry.member_id })
      assert.deepEqual(alone.data, entry)
      assert.deepEqual([alone.as_of, alone.version], [as_of, version])
    }
  })

  it('is not found for a Business that is no member, although it has values', async () => {
    const list = await makeTypedList(world, { kind: 'all' })
    const excluded = await world.business({ name: 'Excluded' })
    await list.override(excluded, 'exclude')
    await list.values(excluded, { number: 1 })
    const { list_id } = list
    await refused(us().getListEntry({ list_id, member_id: excluded }), 'not_found')
    const merged = await world.business({
      name: 'Merged',
      publication_status: 'merged',
      merged_into_id: excluded,
    })
    await refused(us().getListEntry({ list_id, member_id: merged }), 'not_found')
  })
})
