import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { scopes } from '@wbs/contract/scopes'
import type { Client } from '@wbs/sdk'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import { refused } from '../../harness/refused.ts'
import { teamOfFour, type TeamOfFour } from './team-of-four.ts'

let service: TestService
let workspace_id: string
let people: TeamOfFour['people']
let ids: TeamOfFour['ids']
before(async () => void (service = await startTestService()))
after(() => service.close())
beforeEach(async () => void ({ workspace_id, people, ids } = await teamOfFour(service)))

const as = (person: Person): Client => service.client({ access_token: person.token, workspace_id })
const keyOf = async (person: Person) => {
  const { key_id, secret } = await service.apiKey(workspace_id, person, scopes)
  return { key_id, client: service.client({ api_key: secret, workspace_id }) }
}
const audit = async () =>
  (
    await service.sql<{ type: string }>('select type from events where workspace_id = $1 order by position', [
      workspace_id,
    ])
  ).map(event => event.type)

describe('POST /v1/team/members/{membership_id}/remove', () => {
  it('ends all standing at once, and revokes the keys', async () => {
    const { client, key_id } = await keyOf(people.member)
    await client.listTeamMembers()
    const { data, action_receipt } = await as(people.admin).removeMembership({ membership_id: ids.member })
    assert.equal(data.status, 'removed')
    assert.equal(action_receipt.operation, 'remove_membership')
    await refused(as(people.member).listTeamMembers(), 'forbidden')
    await refused(client.listTeamMembers(), 'unauthenticated')
    assert.equal((await as(people.owner).getApiKey({ key_id })).data.status, 'revoked')
    assert.deepEqual(await audit(), ['workspace.created', 'member.removed', 'api_key.revoked'])
  })

  it('keeps the keys revoked when the member returns', async () => {
    const { client } = await keyOf(people.member)
    await as(people.admin).removeMembership({ membership_id: ids.member })
    const again = await service.join(workspace_id, people.member, 'member')
    assert.notEqual(again, ids.member)
    await as(people.member).listTeamMembers()
    await refused(client.listTeamMembers(), 'unauthenticated')
  })

  it('refuses a stale revision if one is given', async () => {
    await as(people.owner).updateMembership({
      membership_id: ids.member,
      expected_revision: 1,
      role: 'viewer',
    })
    await refused(
      as(people.owner).removeMembership({ membership_id: ids.member, expected_revision: 1 }),
      'revision_conflict',
    )
    await as(people.owner).removeMembership({ membership_id: ids.member, expected_revision: 2 })
  })

  it('replays with its key, and answers 404 with another', async () => {
    const options = { idempotency_key: randomUUID() }
    const first = await as(people.owner).removeMembership({ membership_id: ids.member }, options)
    const again = await as(people.owner).removeMembership({ membership_id: ids.member }, options)
    assert.deepEqual([again.idempotent_replay, again.data], [true, first.data])
    await refused(as(people.owner).removeMembership({ membership_id: ids.member }), 'not_found')
  })

  it('does not replay to a caller who has lost their standing', async () => {
    const options = { idempotency_key: randomUUID() }
    await as(people.admin).removeMembership({ membership_id: ids.member }, options)
    await as(people.owner).removeMembership({ membership_id: ids.admin })
    await refused(as(people.admin).removeMembership({ membership_id: ids.member }, options), 'forbidden')
  })

  it('lets only owners remove an owner, and nobody the last one', async () => {
    await refused(as(people.admin).removeMembership({ membership_id: ids.owner }), 'forbidden')
    const { current_status } = await refused(
      as(people.owner).removeMembership({ membership_id: ids.owner }),
      'state_conflict',
    )
    assert.equal(current_status, 'last_owner')
  })
})

describe('POST /v1/team/leave', () => {
  it('works for every role', async () => {
    for (const role of ['viewer', 'member', 'admin'] as const) {
      const { data } = await as(people[role]).leaveTeam()
      assert.deepEqual([data.id, data.status], [ids[role], 'removed'])
      await refused(as(people[role]).leaveTeam(), 'forbidden')
    }
    assert.deepEqual(await audit(), ['workspace.created', 'member.left', 'member.left', 'member.left'])
  })

  it('refuses the last owner', async () => {
    const { current_status } = await refused(as(people.owner).leaveTeam(), 'state_conflict')
    assert.equal(current_status, 'last_owner')
    assert.equal((await as(people.owner).getTeamMember({ membership_id: ids.owner })).data.status, 'active')
  })

  it('refuses API keys', async () => {
    const { client } = await keyOf(people.admin)
    await refused(client.leaveTeam(), 'forbidden')
  })
})

describe('POST /v1/team/transfer-ownership', () => {
  it('makes another member the owner and the caller an admin', async () => {
    const { data, former_owner, action_receipt } = await as(people.owner).transferOwnership({
      membership_id: ids.viewer,
      expected_revision: 1,
    })
    assert.deepEqual([data.id, data.role, data.revision], [ids.viewer, 'owner', 2])
    assert.deepEqual([former_owner.id, former_owner.role], [ids.owner, 'admin'])
    assert.equal(action_receipt.operation, 'transfer_ownership')
    assert.equal((await people.owner.client.getMe()).data.memberships[0]?.role, 'admin')
    assert.deepEqual(await audit(), ['workspace.created', 'ownership.transferred'])
  })

  it('requires an owner in person, another member, and the present revision', async () => {
    const transfer = { membership_id: ids.viewer, expected_revision: 1 }
    await refused(as(people.admin).transferOwnership(transfer), 'forbidden')
    await refused((await keyOf(people.owner)).client.transferOwnership(transfer), 'forbidden')
    const { errors } = await refused(
      as(people.owner).transferOwnership({ ...transfer, membership_id: ids.owner }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => [one.pointer, one.code]),
      [['/membership_id', 'conflict']],
    )
    await refused(
      as(people.owner).transferOwnership({ ...transfer, expected_revision: 2 }),
      'revision_conflict',
    )
    await refused(
      as(people.owner).transferOwnership({ ...transfer, membership_id: randomUUID() }),
      'not_found',
    )
  })
})

describe('with 64 concurrent changes of memberships', () => {
  it('the Workspace keeps an owner, every revision is counted, and no request fails', async () => {
    const { owner } = people
    const team = await Promise.all(
      Array.from({ length: 12 }, async (_, i) => {
        const person = service.person(`Racer ${i}`)
        return { person, id: await service.join(workspace_id, person, i < 6 ? 'owner' : 'admin') }
      }),
    )
    const all = [{ person: owner, id: ids.owner }, ...team]
    const pick = <T>(list: readonly T[]): T => list[Math.floor(Math.random() * list.length)] as T
    const tell = new Map<string, number>()
    async function oneChange(): Promise<void> {
      const actor = as(pick(all).person)
      const membership_id = pick(all).id
      const expected_revision = Math.floor(Math.random() * 6) + 1
      const change = pick([
        () =>
          actor.updateMembership({
            membership_id,
            expected_revision,
            role: pick(['owner', 'admin', 'viewer'] as const),
          }),
        () => actor.removeMembership({ membership_id }),
        () => actor.leaveTeam(),
        () => actor.transferOwnership({ membership_id, expected_revision }),
      ])
      const outcome = await change().then(
        () => 'done',
        (error: { problem?: { code: string } }) => error.problem?.code ?? 'a fault',
      )
      tell.set(outcome, (tell.get(outcome) ?? 0) + 1)
    }
    for (let round = 0; round < 3; round++) await Promise.all(Array.from({ length: 64 }, oneChange))
    const [{ owners, uncounted }] = (await service.sql(
      `select count(*) filter (where role = 'owner' and status = 'active')::int as owners,
              count(*) filter (where revision <> 1 + (
                select count(*) from events e where e.workspace_id = m.workspace_id
                and (e.subject ->> 'id' = m.id::text or e.data -> 'former_owner' ->> 'membership_id' = m.id::text)
              ))::int as uncounted
       from memberships m where workspace_id = $1`,
      [workspace_id],
    )) as [{ owners: number; uncounted: number }]
    assert.ok(owners >= 1, 'nobody owns the Workspace')
    assert.equal(uncounted, 0)
    assert.ok((tell.get('done') ?? 0) > 0)
    const expectedOutcomes = [
      'done',
      'forbidden',
      'not_found',
      'state_conflict',
      'revision_conflict',
      'validation_error',
    ]
    assert.deepEqual(
      [...tell.keys()].filter(outcome => !expectedOutcomes.includes(outcome)),
      [],
    )
  })

  it('only one of two owners who demote each other at the same time succeeds', async () => {
    for (let round = 0; round < 10; round++) {
      const [one, other] = [service.person('One'), service.person('Other')]
      const id = await service.workspace(`Duel ${round}`, one)
      const otherId = await service.join(id, other, 'owner')
      const here = (person: Person) => service.client({ access_token: person.token, workspace_id: id })
      const [first] = (await here(one).listTeamMembers()).data
      const results = await Promise.allSettled([
        here(one).updateMembership({ membership_id: otherId, expected_revision: 1, role: 'viewer' }),
        here(other).updateMembership({
          membership_id: first?.id as string,
          expected_revision: 1,
          role: 'viewer',
        }),
      ])
      assert.equal(results.filter(result => result.status === 'fulfilled').length, 1)
    }
  })
})
