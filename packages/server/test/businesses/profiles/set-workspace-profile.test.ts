import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { unstorableTexts } from '../../hostile/hostile-text.ts'
import { addBusiness } from '../../harness/businesses.ts'
import { assertOnce, eventsAbout, faults, twoWorkspaces, type TwoWorkspaces } from '../workspace-fixture.ts'
import { refused } from '../../harness/refused.ts'

describe('PUT /v1/businesses/{business_id}/workspace-profile', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  async function linked(): Promise<string> {
    const id = await addBusiness(world.service, { name: 'Glacier Tooling' })
    await world.us.linkBusiness({ workspace_id: world.workspace_id, business_id: id })
    return id
  }
  const set = (business_id: string, given: object, expected_revision = 0) =>
    world.us.setWorkspaceProfile({ business_id, expected_revision, ...given })
  const logo_url = 'https://cdn.example/logo.png'

  it('saves logo and notes, which the list and the profile show', async () => {
    const id = await linked()
    const { data, action_receipt } = await set(id, { logo_url, notes: 'Ask for\nthe lease.' })
    const { updated_at, ...rest } = data
    assert.deepEqual(rest, { business_id: id, logo_url, notes: 'Ask for\nthe lease.', revision: 1 })
    assert.ok(updated_at)
    assert.deepEqual(action_receipt.changed, ['logo_url', 'notes'])
    assert.deepEqual((await world.us.getWorkspaceProfile({ business_id: id })).data, data)
    const { data: listed } = await world.us.listWorkspaceBusinesses({ workspace_id: world.workspace_id })
    assert.equal(listed.find(one => one.id === id)?.logo_url, logo_url)
    assert.deepEqual((await eventsAbout(world, id)).slice(1), ['business.profile_changed'])
    const [event] = await world.service.sql(`select data from events where type = 'business.profile_changed'`)
    assert.deepEqual(event?.['data'], { changed: ['logo_url', 'notes'] })
  })

  it('keeps parts that are not given, clears those that are null, and counts revisions', async () => {
    const id = await linked()
    await set(id, { logo_url, notes: 'One' })
    const { data } = await set(id, { notes: 'Two' }, 1)
    assert.deepEqual([data.logo_url, data.notes, data.revision], [logo_url, 'Two', 2])
    const { data: same } = await set(id, { logo_url, notes: 'Two' }, 2)
    assert.deepEqual([same.revision, same.updated_at], [2, data.updated_at])
    const { data: cleared } = await set(id, { logo_url: null, notes: null }, 2)
    assert.deepEqual([cleared.logo_url, cleared.notes, cleared.revision], [null, null, 3])
    assert.equal((await eventsAbout(world, id)).length, 4)
  })

  it('saves an invalid logo as null, and never fetches it', async () => {
    for (const bad of [
      'javascript:alert(1)',
      'data:image/png;base64,AAAA',
      `data:image/png;base64,${'A'.repeat(60_000)}`,
      'https://me:secret@cdn.example/l.png',
      'ftp://cdn.example/l.png',
      '//cdn.example/l.png',
      'https://cdn.example/a b.png',
      '',
      'file:///etc/passwd',
    ]) {
      const id = await linked()
      const { data } = await set(id, { logo_url: bad })
      assert.deepEqual([data.logo_url, data.revision], [null, 1], bad.slice(0, 50))
      const [row] = await world.service.sql(
        'select logo_url from workspace_business_profiles where business_id = $1',
        [id],
      )
      assert.equal(row?.['logo_url'], null)
    }
  })

  it('refuses a stale revision, and names what changed since', async () => {
    const id = await linked()
    await set(id, { logo_url, notes: 'One' })
    await set(id, { notes: 'Two' }, 1)
    const stale = async (revision: number) => {
      const { expected, current, changed_fields } = await refused(
        set(id, { notes: 'Late' }, revision),
        'revision_conflict',
      )
      return { expected, current, changed_fields }
    }
    assert.deepEqual(await stale(0), { expected: 0, current: 2, changed_fields: ['logo_url', 'notes'] })
    assert.deepEqual(await stale(1), { expected: 1, current: 2, changed_fields: ['notes'] })
    assert.deepEqual(await stale(3), { expected: 3, current: 2, changed_fields: [] })
  })

  it('applies one of 50 concurrent changes, also the first time', async () => {
    const id = await linked()
    for (const revision of [0, 1]) {
      const answers = await Promise.allSettled(
        Array.from({ length: 50 }, (_, i) => set(id, { notes: `Of ${revision} ${i}` }, revision)),
      )
      assert.equal(answers.filter(one => one.status === 'fulfilled').length, 1)
    }
    assert.equal((await world.us.getWorkspaceProfile({ business_id: id })).data.revision, 2)
  })

  it('takes effect once for a key', async () => {
    const id = await linked()
    await assertOnce(
      options => world.us.setWorkspaceProfile({ business_id: id, notes: 'a', expected_revision: 0 }, options),
      options => world.us.setWorkspaceProfile({ business_id: id, notes: 'b', expected_revision: 0 }, options),
    )
  })

  it('refuses invalid input', async () => {
    const id = await linked()
    assert.deepEqual(await faults(set(id, {})), [' required'])
    assert.deepEqual(await faults(set(id, { notes: 'x'.repeat(10_001) })), ['/notes too_long'])
    assert.deepEqual(await faults(set(id, { notes: 'bell \u0007' })), ['/notes format'])
    assert.deepEqual(await faults(set(id, { logo_url: 1 })), ['/logo_url type'])
    assert.deepEqual(await faults(set(id, { notes: 'x' }, -1)), ['/expected_revision out_of_range'])
    for (const text of unstorableTexts) {
      assert.deepEqual(await faults(set(id, { notes: text })), ['/notes format'])
      assert.deepEqual(await faults(set(id, { logo_url: `https://a.example/${text}` })), ['/logo_url format'])
    }
  })

  it('answers for an unlinked Business as for an unknown one', async () => {
    const published = await addBusiness(world.service, { name: 'Published' })
    const { data: hidden } = await world.them.createBusiness({ name: 'Hidden' })
    const details = new Set<string>()
    for (const id of [published, hidden.id, newId('biz')])
      details.add((await refused(set(id, { notes: 'x' }), 'not_found')).detail)
    assert.equal(details.size, 1)
  })
})
