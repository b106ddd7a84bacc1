import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { createSystemChange } from '../../../src/call/system-change.ts'
import { expireApproval } from '../../../src/connections/approvals/expire-approval.ts'
import { executeApproval } from '../../../src/connections/execution/execute-approval.ts'
import type { JobDraft } from '../../../src/jobs/job-kinds.ts'
import type { PluginOutcome } from '../../../src/plugins/plugin.ts'
import {
  makeApprovalWorld,
  type ApprovalWorld,
  type Scene,
  type Shown,
} from '../approvals/approval-fixture.ts'

let world: ApprovalWorld
before(async () => void (world = await makeApprovalWorld()))
after(() => world.close())

const typesOf = async (approval: Shown) => (await world.eventsAbout(approval)).map(({ type }) => type)
const key = ({ room_id, connection_id }: Scene) => ({ room_id, connection_id })

async function whileAnswering(
  outcome: PluginOutcome | (() => Promise<PluginOutcome>),
  work: () => Promise<unknown>,
) {
  world.app.answers(() => (typeof outcome === 'function' ? outcome() : outcome))
  await work()
  world.app.answers(() => ({ outcome: 'succeeded', output: null }))
}

describe('an approved action', () => {
  it('is not sent by a process that was halted after the judgment', async () => {
    const scene = await world.scene()
    const approved = await world.approved(scene)
    const { workspace_id, app, service } = world
    let milliseconds = 0
    const execute = executeApproval({
      plugins: new Map([[app.name, app]]),
      change: createSystemChange(service.database.writers, () => new Date(), {
        send: () => Promise.resolve(),
      }),
      elapsed: () => (milliseconds += 10_001),
    })
    await execute({ workspace_id, approval_id: approved.approval_id }, { id: randomUUID() })
    assert.deepEqual(world.sent(approved), [])
    const { status, result } = await world.now(scene, approved)
    assert.deepEqual([status, result?.code], ['failed', 'unreachable'])
  })

  it('keeps the output as the app wrote it, and no larger', async () => {
    const scene = await world.scene()
    const output = { z: 1, a: Array.from({ length: 9000 }, () => 1e308) }
    const approved = await world.approved(scene)
    await whileAnswering({ outcome: 'succeeded', output }, () => world.run('execute_approval', approved))
    const { result } = await world.now(scene, approved)
    assert.deepEqual(result?.output, output)
    assert.deepEqual(Object.keys(result?.output as object), ['z', 'a'])
    const [row] = await world.service.sql(
      'select octet_length(result::text) as bytes from approvals where id = $1',
      [approved.approval_id],
    )
    assert.ok(row?.['bytes'] < 66_000, String(row?.['bytes']))
  })

  it('is sent once with exactly the arguments that were approved, and its result is kept', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene, { arguments: { text: 'Paid', '10': 1, '9': [2] } })
    const approved = await world.approve(scene.sharer, pending)
    await whileAnswering({ outcome: 'succeeded', output: { id: 7, note: 'ok' } }, () =>
      world.run('execute_approval', approved),
    )
    const [call, ...others] = world.sent(approved)
    assert.deepEqual(others, [])
    assert.deepEqual(call?.arguments, { text: 'Paid', '10': 1, '9': [2] })
    assert.deepEqual([call?.operation, call?.idempotency_key], ['change', approved.approval_id])
    const executed = await world.now(scene, approved)
    assert.deepEqual([executed.status, executed.revision], ['executed', 3])
    assert.deepEqual(
      { ...executed.result, at: '' },
      {
        outcome: 'succeeded',
        code: null,
        detail: null,
        output: { id: 7, note: 'ok' },
        at: '',
      },
    )
    const [event] = await world.service.sql(
      `select actor, about, room_id, data from events where subject ->> 'id' = $1 and type = 'approval.executed'`,
      [approved.approval_id],
    )
    assert.deepEqual([event?.['actor'].type, event?.['actor'].user_id], ['system', null])
    assert.equal(event?.['room_id'], scene.room_id)
    await world.run('execute_approval', approved)
    await world.run('expire_approval', approved)
    assert.equal(world.sent(approved).length, 1)
    assert.deepEqual(await world.now(scene, approved), executed)
  })

  it('keeps nothing of arguments, outputs or notes in logs and jobs', async () => {
    const scene = await world.scene()
    const secret = 'canary-1f9b07'
    const pending = await world.pending(scene, { arguments: { text: secret }, note: secret })
    const approved = await world.approve(scene.sharer, pending, { note: secret })
    await whileAnswering({ outcome: 'succeeded', output: { secret } }, () =>
      world.run('execute_approval', approved),
    )
    assert.ok(!world.service.logged.join('\n').includes(secret))
    const jobs = await world.service.sql(`select from svc_jobs.job where data::text like '%' || $1 || '%'`, [
      secret,
    ])
    assert.deepEqual(jobs, [])
    const events = await world.service.sql(`select from events where data::text like '%' || $1 || '%'`, [
      secret,
    ])
    assert.deepEqual(events, [])
  })

  for (const outcome of ['refused', 'unreachable', 'invalid_answer', 'outcome_unknown'] as const)
    it(`fails with ${outcome}, and is not sent again`, async () => {
      const scene = await world.scene()
      const approved = await world.approved(scene)
      await whileAnswering({ outcome, detail: 'What happened.' }, () =>
        world.run('execute_approval', approved),
      )
      const { status, result } = await world.now(scene, approved)
      assert.deepEqual(
        [status, result?.outcome, result?.code, result?.detail],
        ['failed', 'failed', outcome, 'What happened.'],
      )
      const event = (await world.eventsAbout(approved)).at(-1)
      assert.deepEqual([event?.type, event?.data['code']], ['approval.failed', outcome])
      await world.run('execute_approval', approved)
      assert.equal(world.sent(approved).length, 1)
    })

  it('fails if the plugin throws or answers what is no JSON', async () => {
    const scene = await world.scene()
    const [one, two] = [await world.approved(scene), await world.approved(scene)]
    await whileAnswering(
      () => Promise.reject(new Error('Broken.')),
      () => world.run('execute_approval', one),
    )
    assert.equal((await world.now(scene, one)).result?.code, 'outcome_unknown')
    await whileAnswering({ outcome: 'succeeded', output: 'a\u0000b' }, () =>
      world.run('execute_approval', two),
    )
    assert.equal((await world.now(scene, two)).result?.code, 'invalid_answer')
  })

  it('makes the connection one with an error if the app refuses it; others wait for the reconnection', async () => {
    const scene = await world.scene()
    const [one, two, three] = [
      await world.approved(scene),
      await world.approved(scene),
      await world.pending(scene),
    ]
    const refusal = { outcome: 'access_refused', detail: 'The app refuses the connection.' } as const
    await whileAnswering(refusal, () => world.run('execute_approval', one))
    assert.equal((await world.now(scene, one)).result?.code, 'access_refused')
    assert.equal((await world.seen(scene, world.people.member))?.status, 'error')
    assert.equal((await world.eventsOf(scene.room_id)).filter(type => type === 'connection.failed').length, 1)
    await world.run('execute_approval', two)
    const held = await world.now(scene, two)
    assert.deepEqual([held.status, held.held_for, world.sent(two)], ['approved', 'resume', []])
    assert.equal((await world.approve(scene.sharer, three)).held_for, 'resume')
    await scene.sharer.reconnectConnection(key(scene))
    for (const waiting of [two, three]) {
      assert.equal((await world.now(scene, waiting)).held_for, null)
      await world.run('execute_approval', waiting)
      assert.equal((await world.now(scene, waiting)).status, 'executed')
    }
  })

  it('waits for the resumption if it was approved while the connection was paused', async () => {
    const scene = await world.scene()
    const pending = await world.pending(scene)
    await scene.sharer.pauseConnection(key(scene))
    const held = await world.approve(scene.manager, pending)
    assert.equal(held.held_for, 'resume')
    await world.run('execute_approval', held)
    assert.deepEqual(world.sent(held), [])
    await scene.sharer.resumeConnection(key(scene))
    assert.equal((await world.jobsFor('execute_approval', held)).length, 1)
    await world.run('execute_approval', held)
    const executed = await world.now(scene, held)
    assert.deepEqual([executed.status, executed.held_for], ['executed', null])
    assert.deepEqual(await typesOf(held), ['approval.requested', 'approval.approved', 'approval.executed'])
  })

  it('is held while the sharer has no edit access, and runs when a resumption finds that they have it', async () => {
    const scene = await world.scene()
    const approved = await world.approved(scene)
    await world.level(scene.room_id, world.people.admin, 'view')
    await world.run('execute_approval', approved)
    assert.equal((await world.now(scene, approved)).held_for, 'resume')
    await world.level(scene.room_id, world.people.admin, 'edit')
    await scene.manager.resumeConnection(key(scene))
    await world.run('execute_approval', approved)
    assert.equal((await world.now(scene, approved)).status, 'executed')
  })
})

describe('an action that was sent and whose result was lost', () => {
  const sentBefore = ({ approval_id }: Shown, seconds: number) =>
    world.service.sql(
      `update approvals set sent_at = statement_timestamp() - make_interval(secs => $2) where id = $1`,
      [approval_id, seconds],
    )

  it('is looked at again within a minute, and then failed with outcome_unknown; it is never sent again', async () => {
    const scene = await world.scene()
    const approved = await world.approved(scene)
    await sentBefore(approved, 50)
    await assert.rejects(world.run('execute_approval', approved), /result is not there yet/)
    assert.equal((await world.now(scene, approved)).status, 'approved')
    await sentBefore(approved, 61)
    await Promise.all([1, 2, 3].map(() => world.run('execute_approval', approved)))
    const { status, result } = await world.now(scene, approved)
    assert.deepEqual([status, result?.code], ['failed', 'outcome_unknown'])
    assert.deepEqual(world.sent(approved), [])
    assert.deepEqual((await typesOf(approved)).filter(type => type === 'approval.failed').length, 1)
  })

  it('is looked at a minute after it was sent, whatever became of the process that sent it', async () => {
    const scene = await world.scene()
    const approved = await world.approved(scene)
    const { workspace_id, app, service } = world
    const sent: JobDraft[] = []
    const change = createSystemChange(service.database.writers, () => new Date(), {
      send: async (_execute, drafts) => void sent.push(...drafts),
    })
    const plugins = new Map([[app.name, app]])
    const execute = executeApproval({ plugins, change })
    const named = { workspace_id, approval_id: approved.approval_id }
    await execute(named, { id: randomUUID() })
    const [row] = await service.sql<{ sent_at: Date }>(`select sent_at from approvals where id = $1`, [
      approved.approval_id,
    ])
    const due = Number(row?.sent_at) + 60_000
    assert.deepEqual(
      sent.map(({ kind, data }) => [kind, data]),
      [['expire_approval', named]],
    )
    const late = Date.parse(sent[0]?.due ?? '') - due
    assert.ok(late >= 0 && late <= 2, `${late} ms after a minute`)
    await expireApproval({ change })(named, { id: randomUUID() })
    assert.deepEqual([sent.length, (await world.now(scene, approved)).status], [1, 'executed'])
  })

  it('is looked at once more if it was looked at too soon', async () => {
    const scene = await world.scene()
    const approved = await world.approved(scene)
    await sentBefore(approved, 50)
    const sent: JobDraft[] = []
    const change = createSystemChange(world.service.database.writers, () => new Date(), {
      send: async (_execute, drafts) => void sent.push(...drafts),
    })
    const named = { workspace_id: world.workspace_id, approval_id: approved.approval_id }
    await expireApproval({ change })(named, { id: randomUUID() })
    const inSeconds = (Date.parse(sent[0]?.due ?? '') - Date.now()) / 1000
    assert.ok(inSeconds > 5 && inSeconds < 11, `${inSeconds} s`)
  })

  it('is not canceled by a stop or by its expiry: it was sent', async () => {
    const scene = await world.scene()
    const approved = await world.approved(scene)
    await sentBefore(approved, 5)
    await scene.sharer.stopConnection(key(scene))
    await world.expireIn(approved, -1)
    await world.run('expire_approval', approved)
    assert.equal((await world.now(scene, approved)).status, 'approved')
    await sentBefore(approved, 61)
    await world.run('expire_approval', approved)
    assert.equal((await world.now(scene, approved)).result?.code, 'outcome_unknown')
  })

  it('keeps its first end, if the app answers after a minute', async () => {
    const scene = await world.scene()
    const approved = await world.approved(scene)
    const answer = Promise.withResolvers<PluginOutcome>()
    await whileAnswering(
      () => answer.promise,
      async () => {
        const running = world.run('execute_approval', approved)
        while (world.sent(approved).length === 0) await new Promise(resolve => setTimeout(resolve, 5))
        await sentBefore(approved, 61)
        await world.run('execute_approval', approved)
        answer.resolve({ outcome: 'succeeded', output: 'late' })
        await running
      },
    )
    const { status, result } = await world.now(scene, approved)
    assert.deepEqual([status, result?.code], ['failed', 'outcome_unknown'])
    assert.deepEqual((await typesOf(approved)).slice(2), ['approval.failed'])
  })
})
