import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { valuesInOrder } from '../../../src/database/parameters.ts'
import { declaredStatements } from '../../../src/database/statement.ts'
import { addBusiness } from '../../harness/businesses.ts'
import { hostileTexts } from '../../hostile/hostile-text.ts'
import { assertOnce, eventsAbout, faults, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('POST /v1/businesses', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  let count = 0
  const name = () => `Made ${(count += 1)} of many`
  const idsOf = (candidates: { id: string }[] | undefined) => candidates?.map(one => one.id)

  it('creates a draft with all given facts, linked with full access', async () => {
    const given = {
      name: name(),
      website_url: 'https://made.example/',
      state: 'ma',
      city: 'Boston',
      naics_code: '311811',
    }
    const { data, projection, action_receipt } = await world.us.createBusiness(given)
    assert.equal(projection, 'workspace')
    assert.equal(data.publication_status, 'draft')
    assert.equal(data.published_at, null)
    assert.deepEqual(
      [data.name, data.website_url, data.state, data.city, data.country_code, data.status],
      [given.name, given.website_url, 'MA', 'Boston', 'US', 'unknown'],
    )
    assert.deepEqual([data.naics_code, data.naics_vintage], ['311811', '2022'])
    assert.equal(data.revision, 1)
    assert.equal(data.locations?.[0]?.published, false)
    const { operation, resource, changed } = action_receipt
    assert.equal(operation, 'create_business')
    assert.deepEqual(resource, { type: 'business', id: data.id })
    assert.deepEqual(changed, ['name', 'website_url', 'state', 'city', 'naics_code', 'naics_vintage'])
    const listed = await world.us.listWorkspaceBusinesses({
      workspace_id: world.workspace_id,
      name: given.name,
    })
    assert.deepEqual(listed.data[0]?.workspace_access, { access_level: 'full_access' })
    assert.deepEqual(await eventsAbout(world, data.id), ['business.created'])
    const read = await world.us.getBusiness({ business_id: data.id })
    assert.equal(read.projection, 'workspace')
    assert.equal(read.data.name, given.name)
  })

  it('requires only a name', async () => {
    const { data } = await world.us.createBusiness({ name: name() })
    assert.deepEqual([data.locations, data.classifications], [[], []])
  })

  it('answers 201, with the revision as ETag', async () => {
    const { status, headers } = await world.service.request('/v1/businesses', {
      method: 'POST',
      body: JSON.stringify({ name: name() }),
      token: world.olivia.token,
      headers: {
        'content-type': 'application/json',
        'svc-workspace-id': world.workspace_id,
        'idempotency-key': crypto.randomUUID(),
      },
    })
    assert.equal(status, 201)
    assert.equal(headers.get('etag'), '"r1"')
  })

  it('takes effect once for a key', async () => {
    const given = { name: name() }
    const { data } = await assertOnce(
      options => world.us.createBusiness(given, options),
      options => world.us.createBusiness({ ...given, city: 'Bath' }, options),
    )
    assert.deepEqual(await eventsAbout(world, data.id), ['business.created'])
  })

  it('refuses a Business with candidates, and names at most 10', async () => {
    const same = name()
    const published = await addBusiness(world.service, { name: same.toUpperCase() })
    const own = await addBusiness(world.service, { name: same, publication_status: 'draft' })
    await world.service.link(world.workspace_id, own, world.olivia)
    for (const match_policy of [undefined, 'reject'] as const) {
      const { candidates } = await refused(
        world.us.createBusiness({ name: same, match_policy }),
        'already_exists',
      )
      assert.deepEqual(candidates, [
        { id: published, name: same.toUpperCase(), matched_on: ['name'] },
        { id: own, name: same, matched_on: ['name'] },
      ])
    }
    const { data } = await world.us.createBusiness({ name: same, match_policy: 'force_new' })
    assert.notEqual(data.id, published)
    for (let i = 0; i < 12; i++) await addBusiness(world.service, { name: same })
    const many = await refused(world.us.createBusiness({ name: same }), 'already_exists')
    assert.equal(many.candidates?.length, 10)
  })

  it('compares state and city if both have them', async () => {
    const same = name()
    const boston = await addBusiness(world.service, {
      name: same,
      locations: [{ state: 'MA', city: 'Boston' }],
    })
    const nowhere = await addBusiness(world.service, { name: same })
    const found = async (place: { state?: string; city?: string }) => {
      const { candidates } = await refused(
        world.us.createBusiness({ name: same, ...place }),
        'already_exists',
      )
      return candidates?.map(one => [one.id, one.matched_on])
    }
    assert.deepEqual(await found({ state: 'ma', city: 'BOSTON' }), [
      [boston, ['name', 'state', 'city']],
      [nowhere, ['name']],
    ])
    assert.deepEqual(await found({ city: 'boston' }), [
      [boston, ['name', 'city']],
      [nowhere, ['name']],
    ])
    assert.deepEqual(await found({ state: 'GA' }), [[nowhere, ['name']]])
    assert.deepEqual(await found({ state: 'MA', city: 'Salem' }), [[nowhere, ['name']]])
  })

  it('compares web addresses without the case of scheme and host, and a trailing slash', async () => {
    const host = `site${crypto.randomUUID().slice(0, 8)}`
    const id = await addBusiness(world.service, { name: name(), website_url: `https://${host}.example/a/` })
    for (const website_url of [`HTTPS://${host.toUpperCase()}.Example/a`, `https://${host}.example/a/`]) {
      const { candidates } = await refused(
        world.us.createBusiness({ name: name(), website_url }),
        'already_exists',
      )
      assert.deepEqual(
        candidates?.map(one => [one.id, one.matched_on]),
        [[id, ['website_url']]],
      )
    }
    for (const website_url of [
      `http://${host}.example/a`,
      `https://${host}.example/A`,
      `https://${host}.example/a?b=/`,
      `https://${host}.example`,
    ])
      await world.us.createBusiness({ name: name(), website_url })
  })

  it('never reveals unpublished Businesses of other Workspaces', async () => {
    const same = name()
    const website_url = `https://hidden${count}.example/`
    const hidden = await world.them.createBusiness({ name: same, website_url })
    const withdrawn = await addBusiness(world.service, {
      name: same,
      website_url,
      publication_status: 'withdrawn',
    })
    await world.service.link(world.sams, withdrawn, world.sam)
    const kept = await addBusiness(world.service, {
      name: `${same} kept back`,
      locations: [{ state: 'MA', published: false }],
    })
    for (const match_policy of ['reject', 'return_existing'] as const) {
      const { data } = await world.us.createBusiness({ name: same, website_url, match_policy })
      assert.notEqual(data.id, hidden.data.id)
      await world.us.unlinkBusiness({ workspace_id: world.workspace_id, business_id: data.id })
    }
    // Unpublished parts of a published Business are ignored.
    const { candidates } = await refused(
      world.us.createBusiness({ name: `${same} kept back`, state: 'GA' }),
      'already_exists',
    )
    assert.deepEqual(candidates, [{ id: kept, name: `${same} kept back`, matched_on: ['name'] }])
  })

  it('links the candidate with the level view if so requested', async () => {
    const same = name()
    const id = await addBusiness(world.service, { name: same })
    const ask = (options?: { idempotency_key: string }) =>
      world.us.createBusiness({ name: same, match_policy: 'return_existing' }, options)
    const { data, projection } = await assertOnce(ask, options =>
      world.us.createBusiness({ name: same }, options),
    )
    assert.equal(data.id, id)
    assert.equal(projection, 'public')
    await ask()
    assert.deepEqual(await eventsAbout(world, id), ['business.linked'])
    const { data: listed } = await world.us.listWorkspaceBusinesses({
      workspace_id: world.workspace_id,
      name: same,
    })
    assert.deepEqual(listed[0]?.workspace_access, { access_level: 'view' })
    await world.us.unlinkBusiness({ workspace_id: world.workspace_id, business_id: id })
    await ask()
    assert.deepEqual((await eventsAbout(world, id)).slice(1), ['business.unlinked', 'business.linked'])
  })

  it('answers 200 then, and keeps the level of a linked one', async () => {
    const { data } = await world.us.createBusiness({ name: name() })
    const { status, body } = await world.service.request('/v1/businesses', {
      method: 'POST',
      body: JSON.stringify({ name: data.name, match_policy: 'return_existing' }),
      token: world.olivia.token,
      headers: {
        'content-type': 'application/json',
        'svc-workspace-id': world.workspace_id,
        'idempotency-key': crypto.randomUUID(),
      },
    })
    assert.equal(status, 200)
    assert.equal(body.data.id, data.id)
    await world.us.updateBusiness({ business_id: data.id, expected_revision: 1, city: 'Bath' })
  })

  it('refuses to choose between several', async () => {
    const same = name()
    const ids = [
      await addBusiness(world.service, { name: same }),
      await addBusiness(world.service, { name: same }),
    ]
    const { candidates } = await refused(
      world.us.createBusiness({ name: same, match_policy: 'return_existing' }),
      'already_exists',
    )
    assert.deepEqual(idsOf(candidates), ids)
  })

  it('creates one for many concurrent requests, by name or by address', async () => {
    for (const website_url of [undefined, `https://at-once${(count += 1)}.example/`]) {
      const same = name()
      const ask = (i: number) =>
        world.us.createBusiness({ name: website_url ? `${same} ${i}` : same, website_url })
      const answers = await Promise.allSettled(Array.from({ length: 40 }, (_, i) => ask(i)))
      assert.equal(answers.filter(one => one.status === 'fulfilled').length, 1)
    }
    const same = name()
    const taken = await Promise.all(
      Array.from({ length: 12 }, () =>
        world.us.createBusiness({ name: same, match_policy: 'return_existing' }),
      ),
    )
    assert.equal(new Set(taken.map(one => one.data.id)).size, 1)
  })

  it('ignores removed and hidden Businesses', async () => {
    const same = name()
    const { data: out } = await world.us.createBusiness({ name: same })
    await world.us.unlinkBusiness({ workspace_id: world.workspace_id, business_id: out.id })
    const withdrawn = await addBusiness(world.service, { name: same })
    await world.service.link(world.sams, withdrawn, world.sam, 'full_access')
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id: withdrawn })
    await world.them.withdrawBusiness({ business_id: withdrawn, expected_revision: 1 })
    const { data } = await world.us.createBusiness({ name: same })
    assert.ok(data.id !== out.id && data.id !== withdrawn)
  })

  it('finds candidates among many without reading them all', async () => {
    const { service, workspace_id } = world
    await service.sql(
      `with made as (
         insert into businesses (id, name, name_folded, publication_status, published_at, website_url)
         select $1 || lpad(n::text, 24, '0'), 'Name ' || n, 'name ' || n, case when n % 2 = 0 then 'published' else 'draft' end,
           now(), 'https://' || n || '.example'
         from generate_series(1, 6000) n returning id
       )
       select project_businesses(array(select id from made))`,
      ['biz_02'],
    )
    await service.sql(`select project_businesses(array(select id from businesses where id like 'biz_02%'))`)
    await service.sql(
      `insert into workspace_businesses (workspace_id, business_id, access_level, linked_by)
       select $1, id, 'edit', $2 from businesses where id like 'biz_02%' and publication_status = 'draft'`,
      [workspace_id, world.olivia.user_id],
    )
    for (const table of ['published_businesses', 'businesses', 'workspace_businesses'])
      await service.sql(`analyze ${table}`)
    const statement = [...declaredStatements()].find(({ name }) => name === 'business_candidates')
    assert.ok(statement)
    const values = valuesInOrder(statement, {
      workspace_id,
      name_folded: 'name 4000',
      state: 'MA',
      city_folded: 'boston',
      website_key: 'https://4000.example',
      limit: 10,
    })
    const literal = statement.text.replaceAll(/\$(\d)/g, (_, n: string) => {
      const value = values[Number(n) - 1]
      return typeof value === 'number' ? String(value) : `'${value as string}'`
    })
    const plan = JSON.stringify(await service.sql(`explain (format json) ${literal}`))
    for (const index of [
      'published_businesses_1_left_state_idx',
      'published_businesses_1_website_key_idx',
      'businesses_same_name',
      'businesses_same_website',
    ])
      assert.ok(plan.includes(`"${index}"`), index)
    assert.doesNotMatch(plan, /"Seq Scan"[^}]*"Relation Name":"(published_)?businesses"/)
  })

  it('refuses invalid facts', async () => {
    const cases: [given: Record<string, unknown>, ...expected: string[]][] = [
      [{}, '/name required'],
      [{ name: '' }, '/name too_short'],
      [{ name: '  ' }, '/name too_short'],
      [{ name: 'a\nb' }, '/name format'],
      [{ name: 'a\u0000' }, '/name format'],
      [{ name: '\ud800' }, '/name format'],
      [{ name: '\u200b\u00ad' }, '/name format'],
      [{ name: 'x'.repeat(501) }, '/name too_long'],
      [{ name: 'x'.repeat(2 ** 20) }, '/name too_long'],
      [{ name: 'A', website_url: 'ftp://a.example' }, '/website_url format'],
      [{ name: 'A', website_url: 'https://[' }, '/website_url format'],
      [{ name: 'A', website_url: 'https://me:secret@a.example' }, '/website_url format'],
      [{ name: 'A', country_code: 'us' }, '/country_code format'],
      [{ name: 'A', country_code: 'PR' }, '/country_code format'],
      [{ name: 'A', state: 'PR' }, '/state format'],
      [{ name: 'A', state: '\u0131l' }, '/state format'],
      [{ name: 'A', naics_vintage: '2022' }, '/naics_vintage requires'],
      [{ name: 'A', naics_code: '1' }, '/naics_code format'],
      [{ name: 'A', naics_code: '311899' }, '/naics_code format'],
      [{ name: 'A', naics_code: '452990', naics_vintage: '2017' }, '/naics_code format'],
      [{ name: 'A', match_policy: 'guess' }, '/match_policy unknown'],
      [{ name: 'A', status: 'active' }, '/status unknown'],
    ]
    for (const [given, ...expected] of cases)
      assert.deepEqual(
        await faults(world.us.createBusiness(given as { name: string })),
        expected,
        JSON.stringify(given).slice(0, 100),
      )
  })

  it('suggests the nearest broader code if the edition lacks one', async () => {
    const { errors } = await refused(
      world.us.createBusiness({ name: name(), naics_code: '311899', naics_vintage: '2022' }),
      'validation_error',
    )
    assert.equal(errors[0]?.suggestion, '3118')
    const sector = await refused(
      world.us.createBusiness({ name: name(), naics_code: '32' }),
      'validation_error',
    )
    assert.equal(sector.errors[0]?.suggestion, '31-33')
    const { errors: gone } = await refused(
      world.us.createBusiness({ name: name(), naics_code: '452990', naics_vintage: '2017' }),
      'validation_error',
    )
    assert.match(gone[0]?.detail ?? '', /there is one in .*2012/)
  })

  it('accepts any state outside the U.S.', async () => {
    const { data } = await world.us.createBusiness({ name: name(), country_code: 'CA', state: 'Ontario' })
    assert.deepEqual([data.country_code, data.state], ['CA', 'Ontario'])
  })

  it('stores hostile text as text', async () => {
    const lines = hostileTexts.map(one => one.trim()).filter(one => /^[^\p{Cc}]{1,200}$/u.test(one))
    assert.ok(lines.length > 25)
    for (const text of lines) {
      const given = { name: `x ${text}`, city: text, match_policy: 'force_new' } as const
      const { data } = await world.us.createBusiness(given)
      assert.deepEqual([data.name, data.city], [given.name, text])
    }
  })
})
