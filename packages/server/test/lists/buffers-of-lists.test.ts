import assert from 'node:assert/strict'
import { it } from 'node:test'
import pg from 'pg'
import { explainedReader } from '../../../../bench/reads/explained-reader.ts'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { listById } from '../../src/lists/list-store.ts'
import { addBusinesses } from '../harness/businesses.ts'
import { makeListWorld } from './list-fixture.ts'

const overrides = 5_000

it('a List is read without its overrides, also after it was counted', async context => {
  const world = await makeListWorld()
  context.after(() => world.close())
  const { service, workspace_id, people } = world
  const { user_id } = people.owner
  const { id } = await world.list({ kind: 'all' })
  await world.as(people.member).countList({ list_id: id })
  const names = Array.from({ length: overrides }, (_, i) => ({ name: `Business ${i}` }))
  await service.sql(
    `insert into list_overrides (workspace_id, list_id, member_id, mode, set_by, set_at)
     select $1, $2, m.id, 'exclude', $4, now() from unnest($3::text[]) m (id)`,
    [workspace_id, id, await addBusinesses(service, names), user_id],
  )
  await service.sql('analyze')
  const scope = { 'svc.workspace_id': workspace_id, 'svc.user_id': user_id }
  const client = new pg.Client(connectionConfig(service.testDatabase.address, 'svc_reader', scope))
  await client.connect()
  const { reader, taken } = explainedReader(client)
  await listById(reader, workspace_id, id)
  await client.end()
  const buffers = taken.reduce((sum, one) => sum + one.buffers, 0)
  assert.ok(buffers < 40, `${buffers} buffers`)
})
