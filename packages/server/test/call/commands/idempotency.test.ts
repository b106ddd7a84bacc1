import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { bodyOf, creation, never, noteEdit, once, type Command } from './commands.ts'
import { refusal, somebody, startTwoNodes, type TwoNodes } from '../node.ts'

describe('an Idempotency-Key', () => {
  let world: TwoNodes
  before(async () => void (world = await startTwoNodes()))
  after(() => world.close())

  const kinds: [string, () => Promise<Command>][] = [
    ['creating a Workspace', () => creation(world)],
    ['editing a note in one', () => noteEdit(world)],
  ]
  for (const [kind, make] of kinds)
    describe(`of ${kind}`, () => {
      it('sent again is answered as the first time, under a fresh request_id, and nothing is done', async () => {
        const command = await make()
        const first = await command.ask()
        const again = await command.ask()
        assert.equal(first.replay, false)
        assert.equal(bodyOf(first).idempotent_replay, false)
        assert.equal(bodyOf(first).original_request_id, bodyOf(first).request_id)
        assert.equal(again.replay, true)
        assert.equal(again.status, first.status)
        assert.notEqual(bodyOf(again).request_id, bodyOf(first).request_id)
        assert.deepEqual(withoutSecrets(again.body), {
          ...withoutSecrets(first.body),
          request_id: bodyOf(again).request_id,
          idempotent_replay: true,
        })
        assert.deepEqual(await command.traces(), once)
      })

      it('is known on every node', async () => {
        const command = await make()
        const first = await command.ask()
        const again = await command.ask({ node: world.nodes[1] })
        assert.equal(bodyOf(again).original_request_id, bodyOf(first).request_id)
        assert.deepEqual(await command.traces(), once)
      })

      it('used for another body is refused, says by which request it was used, and nothing is done', async () => {
        const command = await make()
        const first = await command.ask()
        const problem = await refusal(command.ask({ body: command.other }))
        assert.equal(problem.status, 422)
        assert.equal(problem.code, 'idempotency_key_reused')
        assert.deepEqual(problem.members, { original_request_id: bodyOf(first).request_id })
        assert.deepEqual(await command.traces(), once)
      })

      it('that is new does the same thing anew', async () => {
        const command = await make()
        await command.ask()
        const again = await command.ask({
          key: randomUUID(),
          ...('note_id' in command && { body: { expected_revision: 2, text: 'as it is' } }),
        })
        assert.equal(again.replay, false)
        assert.deepEqual(await command.traces(), { effects: 2, receipts: 2, events: 2, commands: 2 })
      })

      it('is its own in other letters: case counts', async () => {
        const command = await make()
        await command.ask({ key: 'the-key-in-letters' })
        const problem = await refusal(command.ask({ key: 'the-key-in-letters', body: command.other }))
        assert.equal(problem.code, 'idempotency_key_reused')
        const other = 'note_id' in command ? { expected_revision: 2, text: 'another' } : command.other
        assert.equal((await command.ask({ key: 'THE-KEY-IN-LETTERS', body: other })).replay, false)
      })
    })

  it('used for another operation is refused, and nothing is done', async () => {
    const note = await noteEdit(world)
    const creating = await creation(world)
    // The only scope that both can have: a user whose id is that of the Workspace.
    const twin = { ...creating.owner, user_id: note.workspace_id }
    await world.join(note.workspace_id, twin)
    await note.ask({ caller: twin })
    const problem = await refusal(creating.ask({ caller: twin, key: note.key }))
    assert.equal(problem.code, 'idempotency_key_reused')
    assert.deepEqual(await creating.traces(), never)
  })

  it('used for another path is refused, and nothing is done', async () => {
    const first = await noteEdit(world)
    const { workspace_id, probe, owner, key } = first
    await world.sql(
      `update workspaces set metadata = jsonb_set(metadata, '{notes,second}', '{"text": "as it was"}') where id = $1`,
      [workspace_id],
    )
    await first.ask()
    const problem = await refusal(
      world.nodes[0].call(probe.implementation, {
        caller: owner,
        key,
        workspace_id,
        path: { note_id: 'second' },
        body: { expected_revision: 1, text: 'as it is' },
      }),
    )
    assert.equal(problem.code, 'idempotency_key_reused')
    assert.equal(probe.runs, 1)
  })

  it('ignores the order of keys at any depth, and nothing else', async () => {
    const command = await noteEdit(world)
    const { probe } = command
    await command.ask({ body: { expected_revision: 1, text: 'é', labels: { a: '1', b: '2' } } })
    const turned = { labels: { b: '2', a: '1' }, text: 'é', expected_revision: 1 }
    assert.equal((await command.ask({ body: turned })).replay, true)
    for (const other of [
      { ...turned, text: 'e\u0301' },
      { ...turned, text: 'é ' },
      { ...turned, labels: { b: '2' } },
      { ...turned, labels: { a: '2', b: '1' } },
      { expected_revision: 1, text: 'é' },
    ])
      assert.equal((await refusal(command.ask({ body: other }))).code, 'idempotency_key_reused')
    assert.equal(probe.runs, 1)
  })

  it('is answered with the first result although the revision has changed since, and a new key is not', async () => {
    const command = await noteEdit(world)
    const first = await command.ask()
    await command.ask({ key: randomUUID(), body: { expected_revision: 2, text: 'later' } })
    const again = await command.ask()
    assert.deepEqual({ ...bodyOf(again).note, edit_token: '' }, { ...bodyOf(first).note, edit_token: '' })
    assert.equal((await refusal(command.ask({ key: randomUUID() }))).code, 'revision_conflict')
  })

  it('is answered with the first result although the state now forbids it, and a new key is not', async () => {
    const command = await noteEdit(world)
    await command.ask()
    await inNote(command, { archived: true })
    assert.equal((await command.ask()).replay, true)
    const problem = await refusal(
      command.ask({ key: randomUUID(), body: { expected_revision: 2, text: 'x' } }),
    )
    assert.equal(problem.code, 'state_conflict')
  })

  it('of a request that was refused is free, for the same body and for another', async () => {
    const command = await noteEdit(world)
    await inNote(command, { archived: true })
    assert.equal((await refusal(command.ask())).code, 'state_conflict')
    assert.deepEqual(await command.traces(), never)
    await inNote(command, { archived: false })
    const stale = { expected_revision: 7, text: 'as it is' }
    assert.equal((await refusal(command.ask({ body: stale }))).code, 'revision_conflict')
    assert.deepEqual(await command.traces(), never)
    assert.equal((await command.ask()).replay, false)
    assert.deepEqual(await command.traces(), once)
  })

  it('of a request that failed is free', async () => {
    const command = await noteEdit(world)
    command.probe.meanwhile = async () => {
      throw new Error('the disk is full')
    }
    await assert.rejects(command.ask(), /the disk is full/)
    assert.deepEqual(await command.traces(), never)
    command.probe.meanwhile = async () => {}
    assert.equal((await command.ask()).replay, false)
    assert.deepEqual(await command.traces(), once)
  })

  it('of a user who has left gets no replay', async () => {
    const command = await noteEdit(world)
    const member = somebody('Max')
    await world.join(command.workspace_id, member)
    await command.ask({ caller: member })
    await world.sql(`update memberships set status = 'removed' where user_id = $1`, [member.user_id])
    for (const body of [undefined, command.other])
      assert.equal((await refusal(command.ask({ caller: member, ...(body && { body }) }))).code, 'forbidden')
  })

  it('of a user who lost the permission gets no replay', async () => {
    const command = await noteEdit(world)
    const member = somebody('Max')
    await world.join(command.workspace_id, member)
    await command.ask({ caller: member })
    await world.sql(`update memberships set permissions = '{"rooms:write": false}' where user_id = $1`, [
      member.user_id,
    ])
    const problem = await refusal(command.ask({ caller: member }))
    assert.deepEqual(problem.members, { required_permission: 'rooms:write' })
  })

  it('for a resource that the user cannot see any more gets neither a replay nor idempotency_key_reused', async () => {
    const command = await noteEdit(world)
    await command.ask()
    await inNote(command, { hidden_from: [command.owner.user_id] })
    for (const body of [undefined, command.other])
      assert.equal((await refusal(command.ask(body && { body }))).code, 'not_found')
  })

  it('for a Workspace that its founder has left gets no replay', async () => {
    const command = await creation(world)
    await command.ask()
    await world.sql(`update memberships set status = 'removed' where user_id = $1`, [command.owner.user_id])
    assert.equal((await refusal(command.ask())).code, 'forbidden')
  })

  it('of a revoked API key gets no replay', async () => {
    const command = await noteEdit(world)
    const caller = await world.apiKey(command.workspace_id, command.owner)
    await command.ask({ caller })
    assert.equal((await command.ask({ caller })).replay, true)
    await world.sql(`update api_keys set revoked_at = now() where workspace_id = $1`, [command.workspace_id])
    assert.equal((await refusal(command.ask({ caller }))).code, 'unauthenticated')
  })

  it("is each principal's own: another user, and a key of the same user", async () => {
    const command = await noteEdit(world)
    const member = somebody('Max')
    await world.join(command.workspace_id, member)
    const asKey = await world.apiKey(command.workspace_id, command.owner)
    await command.ask()
    await command.ask({ caller: member, body: { expected_revision: 2, text: 'by Max' } })
    await command.ask({ caller: asKey, body: { expected_revision: 3, text: 'by a key' } })
    assert.deepEqual(await command.traces(), { effects: 3, receipts: 3, events: 3, commands: 3 })
    const creating = await creation(world)
    const other = await creation(world)
    await creating.ask()
    assert.equal((await other.ask({ key: creating.key, body: { name: 'Hers' } })).replay, false)
  })

  it("is each Workspace's own", async () => {
    const here = await noteEdit(world)
    const there = await noteEdit(world, here.owner)
    await here.ask()
    assert.equal((await there.ask({ key: here.key, body: there.other })).replay, false)
  })

  it('is free again after 30 days, and that of a new Workspace never', async () => {
    const note = await noteEdit(world)
    const creating = await creation(world)
    await note.ask()
    await creating.ask()
    const [lives] = await world.sql(
      `select (select round(extract(epoch from expires_at - created_at)) = 30 * 24 * 3600 from commands where scope_id = $1) as a_month,
              (select expires_at is null from commands where scope_id = $2) as for_ever`,
      [note.workspace_id, creating.owner.user_id],
    )
    assert.deepEqual(lives, { a_month: true, for_ever: true })
    await world.sql(`update commands set created_at = created_at - interval '31 days', expires_at = expires_at - interval '31 days'
      where scope_id in ('${note.workspace_id}', '${creating.owner.user_id}')`)
    const anew = await note.ask({ body: { expected_revision: 2, text: 'a month later' } })
    assert.equal(anew.replay, false)
    assert.equal((await note.ask({ body: { expected_revision: 2, text: 'a month later' } })).replay, true)
    assert.deepEqual(await note.traces(), { effects: 2, receipts: 2, events: 2, commands: 1 })
    assert.equal((await creating.ask()).replay, true)
    assert.equal((await refusal(creating.ask({ body: creating.other }))).code, 'idempotency_key_reused')
  })

  it('is answered before its last day is over', async () => {
    const note = await noteEdit(world)
    await note.ask()
    await world.sql(`update commands set expires_at = now() + interval '1 minute' where scope_id = $1`, [
      note.workspace_id,
    ])
    assert.equal((await note.ask()).replay, true)
  })

  async function inNote(command: { workspace_id: string; note_id: string }, facts: object): Promise<void> {
    await world.sql(
      `update workspaces set metadata = jsonb_set(metadata, array['notes', $2], metadata #> array['notes', $2] || $3::jsonb) where id = $1`,
      [command.workspace_id, command.note_id, JSON.stringify(facts)],
    )
  }
})

/** The body of a replay: everything but the secrets. */
const withoutSecrets = (body: object): object =>
  JSON.parse(JSON.stringify(body, (key, value: unknown) => (key === 'edit_token' ? null : value)))
