import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { lockWaits } from '../harness/lock-waits.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { eventually } from '../harness/eventually.ts'
import { definitionOf } from '../lists/list-fixture.ts'

/** A change whose row somebody else changes between its read and its save, past its lock. */
interface Race {
  method: string
  path: string
  body: object
  /** Changes the row as a statement without the lock does. */
  meanwhile: string
  id: string
  statement: string
}

describe('a row that was changed without its lock, between the read and the save of a change', () => {
  let service: TestService
  let owner: Person
  let workspace_id: string
  before(async () => {
    service = await startTestService()
    owner = service.person('Olivia')
    workspace_id = await service.workspace('Harbor Street', owner)
  })
  after(() => service.close())

  const client = () => service.client({ access_token: owner.token, workspace_id })
  const races: Record<string, () => Promise<Race>> = {
    'a Room': async () => {
      const { room_id: id } = (await client().createRoom({ title: 'Harbor Street' })).room
      return {
        method: 'PATCH',
        path: `/v1/rooms/${id}`,
        body: { expected_revision: 1, title: 'Lost' },
        meanwhile: `update rooms set title = 'Kept', revision = revision + 1 where id = $1`,
        id,
        statement: 'room_save',
      }
    },
    'a List': async () => {
      const { id } = (
        await client().createList({ name: 'Harbors', definition: definitionOf({ kind: 'all' }) })
      ).data
      return {
        method: 'PATCH',
        path: `/v1/lists/${id}`,
        body: { expected_version: 1, name: 'Lost' },
        meanwhile: `update lists set name = 'Kept', version = version + 1 where id = $1`,
        id,
        statement: 'list_save',
      }
    },
    'the private profile of a Business': async () => {
      const { id } = (await client().createBusiness({ name: 'Harbor Foods' })).data
      await client().setWorkspaceProfile({ business_id: id, expected_revision: 0, notes: 'First' })
      return {
        method: 'PUT',
        path: `/v1/businesses/${id}/workspace-profile`,
        body: { expected_revision: 1, notes: 'Lost' },
        meanwhile: `update workspace_business_profiles set notes = 'Kept', revision = revision + 1 where business_id = $1`,
        id,
        statement: 'workspace_business_profile_save',
      }
    },
  }

  for (const [title, prepare] of Object.entries(races))
    it(`fails the change, which says to try again, and leaves the row as it was changed: ${title}`, async () => {
      const race = await prepare()
      const key = randomUUID()
      const send = () =>
        service.request(race.path, {
          method: race.method,
          token: owner.token,
          headers: {
            'content-type': 'application/json',
            'idempotency-key': key,
            'svc-workspace-id': workspace_id,
          },
          body: JSON.stringify(race.body),
        })
      const history = () =>
        service.sql(
          `select (select count(*) from commands) as commands, (select count(*) from receipts) as receipts, (select count(*) from events) as events`,
        )
      const other = new pg.Client({ ...service.testDatabase.address, options: '-c search_path=svc,public' })
      await other.connect()
      const before = await history()
      try {
        await other.query('begin')
        await other.query(race.meanwhile, [race.id])
        const answer = send()
        await eventually(async () => (await lockWaits(service)) === 1)
        await other.query('commit')
        const refused = await answer
        assert.equal(refused.status, 503, refused.text)
        assert.deepEqual([refused.body.code, refused.body.retryable], ['unavailable', true])
        assert.match(refused.headers.get('retry-after') ?? '', /^[1-9]\d*$/)
        assert.deepEqual(await history(), before)
        const line = service.logged.find(
          one => one.includes(refused.body.request_id) && one.includes('"fault"'),
        )
        const { level, fault } = JSON.parse(line ?? '{}') as { level: number; fault: Record<string, unknown> }
        assert.deepEqual([level, fault.code, fault.statement], [50, 'SV001', race.statement])
      } finally {
        await other.end()
      }
      const again = await send()
      assert.equal(again.status, 409, again.text)
      assert.equal(again.body.code, 'revision_conflict')
    })
})
