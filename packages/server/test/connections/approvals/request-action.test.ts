import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { makeApprovalWorld, type ApprovalWorld } from './approval-fixture.ts'

let world: ApprovalWorld
before(async () => void (world = await makeApprovalWorld()))
after(() => world.close())

const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const daysAhead = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString()

describe('POST /v1/rooms/{room_id}/connections/{connection_id}/actions', () => {
  it('asks the sharer to approve exactly these arguments, with an event about them', async () => {
    const { requester, room_id, connection_id } = await world.scene()
    const { guest, admin } = world.people
    const { data, receipt } = await requester.requestApproval({
      room_id,
      connection_id,
      operation: 'change',
      arguments: { text: 'Paid', '10': [1.0, null], '9': 'é' },
      note: 'Please',
    })
    const { approval_id, created_at, updated_at, expires_at, ...rest } = data
    assert.deepEqual(rest, {
      room_id,
      connection_id,
      requested_by: { type: 'user', id: guest.user_id },
      asked_of_user_id: admin.user_id,
      operation: 'change',
      summary: 'Change something',
      note: 'Please',
      arguments: { '9': 'é', '10': [1, null], text: 'Paid' },
      arguments_sha256: sha256('{"10":[1,null],"9":"é","text":"Paid"}'),
      status: 'pending',
      held_for: null,
      decided_by: null,
      decided_at: null,
      decision_note: null,
      self_decided: false,
      result: null,
      revision: 1,
    })
    assert.equal(created_at, updated_at)
    const life = Date.parse(expires_at) - Date.parse(created_at)
    assert.ok(Math.abs(life - 7 * 86_400_000) < 5000, String(life))
    assert.equal(receipt.action, 'request_approval')
    assert.deepEqual(receipt.resource, { type: 'approval', id: approval_id })
    const [event] = await world.service.sql(
      `select type, actor, subject, about, room_id, data from events where subject ->> 'id' = $1`,
      [approval_id],
    )
    assert.equal(event?.['type'], 'approval.requested')
    assert.equal(event?.['about'].user_id, admin.user_id)
    assert.equal(event?.['actor'].user_id, guest.user_id)
    assert.deepEqual(event?.['data'], { connection_id, operation: 'change' })
    assert.deepEqual(await world.jobsFor('expire_approval', data), [expires_at])
    assert.equal((await world.jobsFor('mail_approval_requested', data)).length, 1)
    assert.deepEqual(await world.jobsFor('execute_approval', data), [])
    assert.deepEqual(world.sent(data), [])
  })

  it('shows the sharer in about=me what they are asked, and nobody else', async () => {
    const scene = await world.scene()
    const { approval_id } = await world.pending(scene)
    const mine = async (client: typeof scene.manager) =>
      (await client.listEvents({ about: 'me', room_id: scene.room_id })).data.map(({ subject }) => subject.id)
    assert.deepEqual(await mine(scene.sharer), [approval_id])
    assert.deepEqual(await mine(scene.requester), [])
    assert.deepEqual(await mine(scene.manager), [])
  })

  it('sends the sharer no mail about their own request', async () => {
    const { sharer, room_id, connection_id } = await world.scene()
    const asked = { room_id, connection_id, operation: 'change', arguments: {} }
    const { data } = await sharer.requestApproval(asked)
    assert.deepEqual(await world.jobsFor('mail_approval_requested', data), [])
  })

  it('needs edit access and a connection that the caller can see', async () => {
    const { manager, requester, room_id, connection_id } = await world.scene()
    const asked = { room_id, connection_id, operation: 'change', arguments: {} }
    const stranger = world.as(world.people.rival)
    await refused(stranger.requestApproval(asked), 'forbidden')
    await refused(world.as(world.people.owner).requestApproval(asked), 'not_found')
    await refused(requester.requestApproval({ ...asked, connection_id: randomUUID() }), 'not_found')
    const other = await world.scene()
    await refused(requester.requestApproval({ ...asked, connection_id: other.connection_id }), 'not_found')
    await world.level(room_id, world.people.guest, 'view')
    await refused(requester.requestApproval(asked), 'forbidden')
    // Whoever may not ask learns nothing of the state.
    await manager.stopConnection({ room_id, connection_id })
    await refused(requester.requestApproval(asked), 'forbidden')
  })

  it('refuses while the connection is not live, and in an archived Room', async () => {
    const { manager, requester, room_id, connection_id } = await world.scene()
    const asked = { room_id, connection_id, operation: 'change', arguments: {} }
    for (const status of ['paused', 'error', 'stopped'] as const) {
      await world.save({ room_id, connection_id }, status)
      assert.equal((await refused(requester.requestApproval(asked), 'state_conflict')).current_status, status)
    }
    await world.save({ room_id, connection_id }, 'live')
    await world.level(room_id, world.people.admin, 'view')
    assert.equal((await refused(requester.requestApproval(asked), 'state_conflict')).current_status, 'paused')
    await world.level(room_id, world.people.admin, 'edit')
    await manager.archiveRoom({ room_id, expected_revision: 1 })
    assert.equal(
      (await refused(requester.requestApproval(asked), 'state_conflict')).current_status,
      'archived',
    )
  })

  it('refuses what the connection or its plugin does not allow, with pointers', async () => {
    const { requester, room_id, connection_id } = await world.scene()
    const asked = { room_id, connection_id, operation: 'change', arguments: {} }
    const faultsOf = async (over: object) => {
      const problem = await refused(requester.requestApproval({ ...asked, ...over }), 'validation_error')
      return problem.errors.map(({ pointer, code }) => [pointer, code])
    }
    // `peek` is an operation of the plugin that was not allowed; `toString` is one of every object.
    for (const operation of ['peek', 'constructor', 'unknown'])
      assert.deepEqual(await faultsOf({ operation }), [['/operation', 'conflict']])
    assert.deepEqual(await faultsOf({ arguments: { wrong: 1 } }), [['/arguments/wrong', 'format']])
    const text = 'x'.repeat(64 * 1024 - '{"text":""}'.length)
    assert.deepEqual(await faultsOf({ arguments: { text: `${text}x` } }), [['/arguments', 'too_long']])
    await requester.requestApproval({ ...asked, arguments: { text } })
    for (const expires_at of [daysAhead(-1), daysAhead(0), daysAhead(30.01)])
      assert.deepEqual(await faultsOf({ expires_at }), [['/expires_at', 'out_of_range']])
    const expires_at = daysAhead(29.9)
    assert.equal((await requester.requestApproval({ ...asked, expires_at })).data.expires_at, expires_at)
  })

  it('refuses a number that is too large for JSON', async () => {
    const { room_id, connection_id } = await world.scene()
    const { status, body } = await world.service.request(
      `/v1/rooms/${room_id}/connections/${connection_id}/actions`,
      {
        method: 'POST',
        token: world.people.guest.token,
        headers: {
          'content-type': 'application/json',
          'svc-workspace-id': world.workspace_id,
          'idempotency-key': randomUUID(),
        },
        body: '{"operation":"change","arguments":{"amount":1e400}}',
      },
    )
    assert.equal(status, 400, JSON.stringify(body))
    assert.equal(body.code, 'validation_error')
  })

  it('keeps names and texts of any kind as they are', async () => {
    const { requester, room_id, connection_id } = await world.scene()
    const args = {
      'line\nbreak': 'Robert"); drop table approvals;--',
      '': '\u202egnp.exe',
      '😀': ['<script>', '\\u0041', { deep: [[[]]] }],
    }
    const { data } = await requester.requestApproval({
      room_id,
      connection_id,
      operation: 'change',
      arguments: args,
    })
    assert.deepEqual(data.arguments, args)
    assert.deepEqual((await requester.getApproval({ approval_id: data.approval_id })).data.arguments, args)
  })

  it('takes an API key with connections:use, in the name of its owner', async () => {
    const { room_id, connection_id } = await world.scene()
    const asked = { room_id, connection_id, operation: 'change', arguments: {} }
    const key = await world.key(world.people.member, ['connections:use'])
    const { data } = await key.requestApproval(asked)
    assert.equal(data.requested_by.id, world.people.member.user_id)
    const weak = await world.key(world.people.member, ['connections:read', 'approvals:read'])
    assert.equal(
      (await refused(weak.requestApproval(asked), 'forbidden')).required_permission,
      'connections:use',
    )
  })

  it('keeps at most 1,000 open requests in a Room', async () => {
    const scene = await world.scene()
    const first = await world.pending(scene)
    await world.service.sql(
      `insert into approvals (workspace_id, id, room_id, connection_id, requested_by, asked_of_user_id, operation, summary,
         arguments, arguments_sha256, expires_at, created_at, updated_at)
       select workspace_id, 'apr_0' || lpad(n::text, 25, '0'), room_id, connection_id, requested_by, asked_of_user_id, operation,
         summary, arguments, arguments_sha256, expires_at, created_at, updated_at
       from approvals, generate_series(1, 999) n where id = $1`,
      [first.approval_id],
    )
    await refused(world.pending(scene), 'limit_reached')
    await scene.requester.cancelApproval({ approval_id: first.approval_id, expected_revision: 1 })
    const last = await world.pending(scene)
    await refused(world.pending(scene), 'limit_reached')
    // What has expired does not count, although nobody has recorded that yet.
    await world.expireIn(last, -1)
    await world.pending(scene)
  })

  it('answers a repeated request with the first answer, and asks once', async () => {
    const { requester, room_id, connection_id } = await world.scene()
    const asked = { room_id, connection_id, operation: 'change', arguments: { text: 'Once' } }
    const idempotency_key = randomUUID()
    const ask = () => requester.requestApproval(asked, { idempotency_key })
    const answers = await Promise.all(Array.from({ length: 16 }, ask))
    assert.equal(new Set(answers.map(({ data }) => data.approval_id)).size, 1)
    assert.equal(answers.filter(answer => !answer.idempotent_replay).length, 1)
    assert.equal((await requester.listApprovals({ room_id })).data.length, 1)
    await world.level(room_id, world.people.guest, null)
    await refused(ask(), 'not_found')
  })
})

describe('an operation that requires no approval', () => {
  const look = { operation: 'look', arguments: { path: '/orders' } }

  it('runs at once, and the answer has its result', async () => {
    const scene = await world.scene()
    const { room_id, connection_id, requester } = scene
    const { data } = await requester.requestApproval({ room_id, connection_id, ...look })
    assert.equal(data.status, 'executed')
    assert.deepEqual(data.result?.output, { operation: 'look', arguments: { path: '/orders' } })
    assert.equal(data.revision, 2)
    assert.deepEqual([data.decided_by, data.decided_at, data.self_decided], [null, null, false])
    assert.equal(world.sent(data).length, 1)
    const events = await world.eventsAbout(data)
    assert.deepEqual(
      events.map(({ type, data }) => [type, data['required']]),
      [
        ['approval.approved', false],
        ['approval.executed', undefined],
      ],
    )
    const [due] = await world.jobsFor('execute_approval', data)
    assert.ok(Date.parse(String(due)) - Date.parse(data.created_at) > 25_000, 'the job is a safety net')
    await world.run('execute_approval', data)
    assert.equal(world.sent(data).length, 1)
  })

  it('answers a replay as it is now, and 16 duplicates of a request with the same result', async () => {
    const { requester, room_id, connection_id } = await world.scene()
    const idempotency_key = randomUUID()
    const ask = () => requester.requestApproval({ room_id, connection_id, ...look }, { idempotency_key })
    const answers = await Promise.all(Array.from({ length: 16 }, ask))
    const [{ data }] = answers as [(typeof answers)[number]]
    for (const answer of answers) assert.deepEqual(answer.data, data)
    assert.equal(data.status, 'executed')
    assert.equal(world.sent(data).length, 1)
    const again = await ask()
    assert.ok(again.idempotent_replay)
    assert.deepEqual(again.data, data)
  })

  it('answers with the failure if the app refuses', async () => {
    const { requester, room_id, connection_id } = await world.scene()
    world.app.answers(() => ({ outcome: 'refused', detail: 'The app refused it.' }))
    const { data } = await requester.requestApproval({ room_id, connection_id, ...look })
    world.app.answers(call => ({ outcome: 'succeeded', output: call.arguments }))
    assert.equal(data.status, 'failed')
    const { at: _, ...result } = data.result ?? { at: '' }
    assert.deepEqual(result, {
      outcome: 'failed',
      code: 'refused',
      detail: 'The app refused it.',
      output: null,
    })
  })

  it('answers that the action is approved if it cannot be carried out at once, and the log says why, without values', async () => {
    const { requester, room_id, connection_id } = await world.scene()
    await world.service.sql(`
      create function svc.refuse_to_send() returns trigger language plpgsql as
        $$ begin raise exception 'The canary is %', new.arguments; end $$`)
    await world.service.sql(`
      create trigger refuse_to_send before update of sent_at on svc.approvals
        for each row execute function svc.refuse_to_send()`)
    try {
      const { data, request_id } = await requester.requestApproval({
        room_id,
        connection_id,
        operation: 'look',
        arguments: { text: 'canary' },
      })
      assert.equal(data.status, 'approved')
      const logged = world.service.logged.filter(line => line.includes('its answer not finished'))
      assert.equal(logged.length, 1)
      const line = JSON.parse(logged[0] ?? '')
      assert.deepEqual([line.request_id, line.operation], [request_id, 'request_approval'])
      assert.equal(line.fault.code, 'P0001')
      assert.ok(!logged[0]?.includes('canary'))
    } finally {
      await world.service.sql('drop function svc.refuse_to_send cascade')
    }
  })
})
