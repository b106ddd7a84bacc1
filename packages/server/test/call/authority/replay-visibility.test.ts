import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import type { Mutation } from '@wbs/contract/operation'
import type { ResourceType } from '@wbs/contract/receipts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { mutations, performanceOf } from '../../operations/performing.ts'
import { samples } from '../../operations/samples.ts'
import { makeWorld, restore, type World } from '../../operations/world.ts'
import type { WireAnswer } from '../../operations/wire.ts'

interface Resource {
  workspace_id: string
  type: ResourceType
  id: string
}

describe('a stored answer is replayed only to callers who can see the resource of its receipt', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startTestService()
    world = await makeWorld(service)
  })
  after(() => service.close())

  for (const operation of mutations)
    it(operation.name, async () => {
      const key = randomUUID()
      const { caller, ask } = await performanceOf(world, operation, key)
      const first = await ask()
      assert.equal(first.status, operation.status, JSON.stringify(first.body))
      const { replay } = samples[operation.name]
      if (replay !== 'refused') assertReplay(await ask(), first)
      if (!replay) {
        const undo = await hide[(await resourceOf(key)).type](await resourceOf(key), caller)
        assertNotTold(await ask(), operation)
        await undo()
        assertReplay(await ask(), first)
      } else if (replay === 'refused') assertNotTold(await ask(), operation)
      await restore(world)
    })

  async function resourceOf(key: string): Promise<Resource> {
    const [resource] = await service.sql(
      `select r.workspace_id, r.resource_type as type, r.resource_id as id from receipts r
       join commands c on c.command_id = r.command_id where c.idempotency_key = $1`,
      [key],
    )
    return resource as unknown as Resource
  }

  /** How to hide the resource of a receipt from a caller, and to show it again. A new type of resource needs an entry here. */
  const hide: Record<ResourceType, (of: Resource, caller: Person) => Promise<() => Promise<unknown>>> = {
    workspace: removeMember,
    membership: removeMember,
    api_key: removeMember,
    team_invitation: removeMember,
    business: ({ workspace_id, id }) =>
      both(
        `update workspace_businesses set removed_at = case when $3 then now() end where workspace_id = $1 and business_id = $2`,
        [workspace_id, id],
        `update businesses set publication_status = case when $2 then 'withdrawn' else 'published' end
         where id = $1 and publication_status in ('published', 'withdrawn')`,
        [id],
      ),
    business_link: ({ workspace_id, id }) =>
      both(
        `update workspace_businesses set workspace_id = case when $3 then $4::uuid else $1 end
         where business_id = $2 and workspace_id in ($1, $4)`,
        [workspace_id, id],
        'select $1::text, $2::boolean',
        [id],
        [world.second_workspace_id],
      ),
    observation: ({ workspace_id }) =>
      both(
        `update workspace_businesses set removed_at = case when $3 then now() end where workspace_id = $1 and business_id = $2`,
        [workspace_id, world.published_id],
      ),
    // Whoever has standing and lists:read sees every List.
    list: removeMember,
    list_column: removeMember,
    // Whoever has standing and valuations:read sees these.
    valuation: removeMember,
    portfolio: removeMember,
    asset: removeMember,
    benchmark_set: removeMember,
    room: hideRoom,
    async participant(of, caller) {
      const [row] = await service.sql('select room_id from room_participants where id = $1', [of.id])
      return hideRoom({ ...of, id: row?.['room_id'] }, caller)
    },
    async approval(of, caller) {
      const [row] = await service.sql('select room_id from approvals where id = $1', [of.id])
      return hideRoom({ ...of, id: row?.['room_id'] }, caller)
    },
    file: hideFile,
    async room_file(of, caller) {
      const [row] = await service.sql('select file_id from room_files where id = $1', [of.id])
      return hideFile({ ...of, id: row?.['file_id'] }, caller)
    },
    async room_file_permission(of, caller) {
      const [row] = await service.sql(
        `select rf.file_id from room_file_permissions p join room_files rf on rf.id = p.room_file_id where p.id::text = $1`,
        [of.id],
      )
      return hideFile({ ...of, id: row?.['file_id'] }, caller)
    },
    async goal(of, caller) {
      const [row] = await service.sql('select room_id from goals where id = $1', [of.id])
      return row?.['room_id'] ? hideRoom({ ...of, id: row['room_id'] }, caller) : removeMember(of, caller)
    },
    async task(of, caller) {
      const [row] = await service.sql('select room_id from tasks where id = $1', [of.id])
      return hideRoom({ ...of, id: row?.['room_id'] }, caller)
    },
    async connection(of, caller) {
      const [row] = await service.sql('select room_id from room_connections where id::text = $1', [of.id])
      return hideRoom({ ...of, id: row?.['room_id'] }, caller)
    },
  }

  /** Runs a statement with true as its last value, and undoes it with false. */
  async function both(
    one: string,
    values: unknown[],
    other = 'select $1::boolean',
    others: unknown[] = [],
    rest: unknown[] = [],
  ): Promise<() => Promise<unknown>> {
    const run = async (hidden: boolean) => {
      await service.sql(one, [...values, hidden, ...rest])
      await service.sql(other, [...others, hidden])
    }
    await run(true)
    return () => run(false)
  }

  /** A File is seen by who created it, and in its Rooms. */
  async function hideFile({ workspace_id, id, type }: Resource, caller: Person) {
    const rooms = await service.sql('select room_id from room_files where file_id = $1', [id])
    const shown = [
      await both(
        `update files set membership_id = case when not $3 then (
           select m.id from memberships m where m.workspace_id = $1 and m.user_id = files.created_by and m.status = 'active') end
         where workspace_id = $1 and id = $2`,
        [workspace_id, id],
      ),
    ]
    for (const { room_id } of rooms) shown.push(await hideRoom({ workspace_id, type, id: room_id }, caller))
    return () => Promise.all(shown.map(show => show()))
  }

  async function removeMember({ workspace_id }: Resource, caller: Person) {
    return both(
      `update memberships set status = case when $3 then 'removed' else 'active' end where workspace_id = $1 and user_id = $2`,
      [workspace_id, caller.user_id],
    )
  }

  async function hideRoom({ workspace_id, id }: Resource, caller: Person) {
    return both(
      `update room_participants set status = case when $4 then 'revoked' else 'active' end
       where workspace_id = $1 and room_id = $2 and user_id = $3`,
      [workspace_id, id, caller.user_id],
      `update rooms set general_access = case when $3 then 'invited_only' else 'workspace' end,
         general_access_level = case when $3 then null else 'edit' end::access_level
       where workspace_id = $1 and id = $2`,
      [workspace_id, id],
    )
  }

  function assertReplay(answer: WireAnswer, first: WireAnswer): void {
    assert.equal(answer.status, first.status, JSON.stringify(answer.body))
    assert.equal((answer.body as { idempotent_replay: boolean }).idempotent_replay, true)
  }

  function assertNotTold({ status, body }: WireAnswer, { output }: Mutation): void {
    assert.ok(status === 403 || status === 404, `${status} ${JSON.stringify(body)}`)
    for (const name of Object.keys(output)) assert.ok(!(name in (body as object)), name)
  }
})
