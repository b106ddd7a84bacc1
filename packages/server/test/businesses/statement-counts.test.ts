import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import type { Reader, RowScope } from '../../src/database/statement.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { addBusiness } from '../harness/businesses.ts'

describe('the number of statements of a read', () => {
  let service: TestService
  let olivia: Person
  let business_id: string
  let keyed: Client
  const asked: string[] = []
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
    const home = await service.workspace('Home', olivia)
    await service.workspace('Away', olivia)
    const { secret } = await service.apiKey(home, olivia, ['businesses:read'])
    keyed = service.client({ api_key: secret })
    business_id = await addBusiness(service, { name: 'Glacier Tooling' })
    const { readers } = service.database
    const { scoped } = readers
    readers.scoped = (scope: RowScope) => noting(scoped(scope))
  })
  after(() => service.close())

  const noting = (reader: Reader): Reader => ({
    many(statement, values) {
      asked.push(statement.name)
      return reader.many(statement, values)
    },
    one(statement, values) {
      asked.push(statement.name)
      return reader.one(statement, values)
    },
  })

  async function statementsOf(read: () => Promise<unknown>): Promise<string[]> {
    asked.length = 0
    await read()
    return asked.toSorted()
  }

  it('GET /v1/me takes one about the caller, with a token or a key, and one about the Rooms that they may read', async () => {
    assert.deepEqual(await statementsOf(() => olivia.client.getMe()), [
      'memberships_by_user',
      'rooms_of_person',
    ])
    assert.deepEqual(await statementsOf(() => keyed.getMe()), ['person_by_workspace'])
  })

  it('a Business with a token takes one', async () => {
    assert.deepEqual(await statementsOf(() => olivia.client.getBusiness({ business_id })), [
      'published_business_by_id',
    ])
  })

  it('a search with a token takes one, and one for provenance if the caller may read it', async () => {
    assert.deepEqual(await statementsOf(() => olivia.client.searchBusinesses({ query: 'glacier' })), [
      'business_search_planned_name',
      'sources_for_member',
    ])
    const stranger = service.person('Stranger')
    assert.deepEqual(await statementsOf(() => stranger.client.searchBusinesses({ query: 'glacier' })), [
      'business_search_planned_name',
      'sources_for_member',
    ])
  })
})
