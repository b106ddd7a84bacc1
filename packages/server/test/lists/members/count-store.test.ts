import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Rule } from '@wbs/contract/lists/rules'
import type { Values } from '../../../src/database/parameters.ts'
import type { Reader, Statement } from '../../../src/database/statement.ts'
import { compareMembers, countMembers } from '../../../src/lists/members/count-store.ts'
import type { Membership } from '../../../src/lists/members/membership.ts'
import { addBusinesses } from '../../harness/businesses.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'

/** Cancels the first composed statement, as statement_timeout does. Remembers the texts of all. */
function cancelingFirst(reader: Reader, texts: string[] = []): Reader & { texts: string[] } {
  let isCanceled = false
  const many = async <Row>(statement: Statement<Row, 'read'>, values: Values) => {
    texts.push(statement.text)
    if (statement.name === '' && !isCanceled) {
      isCanceled = true
      throw Object.assign(new Error('canceling statement due to statement timeout'), { code: '57014' })
    }
    return reader.many(statement, values)
  }
  return { texts, many, one: async (statement, values) => (await many(statement, values))[0] }
}

describe('the count of members', () => {
  let world: ListWorld
  let reader: Reader
  before(async () => {
    world = await makeListWorld()
    reader = world.service.database.readers.scoped({
      workspace_id: world.workspace_id,
      user_id: world.people.owner.user_id,
    })
    await addBusinesses(
      world.service,
      Array.from({ length: 40 }, (_, i) => ({
        name: `Harbor ${i}`,
        locations: [{ state: i < 30 ? 'OH' : 'IN', city: 'Toledo' }],
      })),
    )
    for (let i = 0; i < 3; i++) await world.linked()
  })
  after(() => world.close())

  const membership = (rule: Rule, list_id: string | null = null): Membership => ({
    viewer: { workspace_id: world.workspace_id, reads_businesses: true },
    list_id,
    rule,
    today: '2026-01-01',
  })
  const ohio: Rule = { kind: 'field', field: 'state', operator: 'eq', value: 'OH' }

  it('is estimated from a sample if counting takes too long, and that of a small table has all of it', async () => {
    const canceling = cancelingFirst(reader)
    assert.deepEqual(await countMembers(canceling, membership(ohio)), { value: 30, status: 'estimated' })
    assert.equal(canceling.texts.length, 3)
    assert.ok(!canceling.texts.some(text => text.includes('tablesample')))
    assert.deepEqual(await countMembers(cancelingFirst(reader), membership({ kind: 'all' })), {
      value: 43,
      status: 'estimated',
    })
  })

  it('leaves the differences unknown if comparing takes too long', async () => {
    const list = await world.list(ohio)
    const next = membership({ kind: 'all' }, list.id)
    assert.deepEqual(await compareMembers(reader, next, ohio), {
      matched: { value: 43, status: 'exact' },
      added: 13,
      removed: 0,
    })
    assert.deepEqual(await compareMembers(cancelingFirst(reader), next, ohio), {
      matched: { value: 43, status: 'estimated' },
      added: null,
      removed: null,
    })
  })

  it('does not hide another failure', async () => {
    const failing: Reader = {
      many: () => Promise.reject(new Error('The connection is lost.')),
      one: () => Promise.reject(new Error('The connection is lost.')),
    }
    await assert.rejects(countMembers(failing, membership(ohio)), /connection is lost/)
    await assert.rejects(compareMembers(failing, membership(ohio), ohio), /connection is lost/)
  })

  it('is estimated from some blocks of a large table', async () => {
    // Their descriptions fill more blocks than a sample has.
    await world.service.sql(
      `with many as (
         insert into businesses (id, name, name_folded, description, revision, publication_status, status, country_code,
           created_at, updated_at, published_at)
         select 'biz_0' || lpad(n::text, 25, '0'), 'Harbor', 'harbor', repeat('x', 1500), 1, 'published', 'active',
           case when n % 2 = 0 then 'US' else 'CA' end, now(), now(), now()
         from generate_series(1, 12000) n returning id)
       select project_businesses(array_agg(id)) from many`,
    )
    const canadian: Rule = { kind: 'field', field: 'country_code', operator: 'eq', value: 'CA' }
    const canceling = cancelingFirst(reader)
    const { value, status } = await countMembers(canceling, membership(canadian))
    assert.equal(status, 'estimated')
    assert.ok(canceling.texts.some(text => text.includes('tablesample')))
    assert.ok(value > 3000 && value < 9000, `${value} of 6000`)
  })
})
