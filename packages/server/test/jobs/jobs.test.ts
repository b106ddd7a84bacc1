import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { after, afterEach, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { madeStatement } from '../../src/database/statement.ts'
import pg from 'pg'
import { jobRules, type JobData, type JobDraft } from '../../src/jobs/job-kinds.ts'
import { JobsNotOpen } from '../../src/jobs/jobs.ts'
import { eventually } from '../harness/eventually.ts'
import { requestOfJobs, startJobWorld, type JobNode, type JobWorld } from './job-node.ts'

describe('a job', () => {
  let world: JobWorld
  before(async () => void (world = await startJobWorld()))
  after(() => world.close())
  afterEach(() => world.clear())

  /** A node that records the jobs it ran. */
  function noting(): { node: JobNode; done: { data: JobData['mail_team_invitation']; id: string }[] } {
    const done: { data: JobData['mail_team_invitation']; id: string }[] = []
    return { done, node: world.node(async (data, { id }) => void done.push({ data, id })) }
  }

  it('runs once the change that sent it is committed, with the data that was sent', async () => {
    const { node, done } = noting()
    const data = await node.ask()
    await eventually(() => done.length > 0)
    assert.deepEqual(
      done.map(job => job.data),
      [data],
    )
    await eventually(async () => (await states()).join() === 'completed')
  })

  it('does not exist before its change is committed, and never if that is rolled back', async () => {
    const { node, done } = noting()
    await assert.rejects(
      node.ask(async tx => {
        await tx.run(
          madeStatement({
            name: 'job_count',
            text: 'select count(*) from svc_jobs.job where state < :state',
            access: 'write',
            connectionClass: 'default',
          }),
          { state: 'active' },
        )
        assert.deepEqual(await states(), [], 'others see it')
        throw new Error('taken back')
      }),
      /taken back/,
    )
    const data = await node.ask()
    await eventually(() => done.length > 0)
    await sleep(600)
    assert.deepEqual(
      done.map(job => job.data),
      [data],
    )
    assert.equal((await states()).length, 1)
  })

  it('runs on one of two nodes', async () => {
    const [one, other] = [noting(), noting()]
    const asked = await Promise.all(Array.from({ length: 20 }, () => one.node.ask()))
    await eventually(() => one.done.length + other.done.length >= 20)
    await sleep(600)
    const ids = [...one.done, ...other.done].map(job => job.data.invitation_id)
    assert.deepEqual(ids.sort(), asked.map(data => data.invitation_id).sort())
  })

  it('does not wait for the next poll behind others that were sent at once', async () => {
    const { node, done } = noting()
    await node.ask()
    await eventually(() => done.length > 0)
    await Promise.all(Array.from({ length: 60 }, () => node.ask()))
    const [start, before] = [performance.now(), done.length]
    await eventually(() => done.length === 61)
    const took = performance.now() - start
    // A job for each poll would take half a second for each.
    assert.ok(took < Math.max(5, 61 - before) * 400, `${took} ms`)
  })

  it('is sent and run on tables that a newer version of the service has migrated', async () => {
    await world.sql('update svc_jobs.version set version = version + 1')
    try {
      const { node, done } = noting()
      const data = await node.ask()
      await eventually(() => done.length > 0)
      assert.deepEqual(done[0]?.data, data)
      assert.deepEqual(
        node.logged.map(({ level }) => level),
        ['info'],
      )
    } finally {
      await world.sql('update svc_jobs.version set version = version - 1')
    }
  })

  it('sends no notification, since commits that notify wait for each other; nor do queues of the previous release', async () => {
    await world.sql('update svc_jobs.queue set notify = true')
    const listener = new pg.Client(world.testDatabase.address)
    await listener.connect()
    try {
      const told: unknown[] = []
      listener.on('notification', told.push.bind(told))
      await listener.query(
        `listen pgboss_${createHash('sha224').update('svc_jobs').digest('hex').slice(0, 24)}`,
      )
      const { node, done } = noting()
      await node.ask()
      await eventually(() => done.length > 0)
      await listener.query(`select 1`)
      assert.deepEqual(told, [])
    } finally {
      await listener.end()
    }
  })

  it('makes no transaction wait for its node: not until the jobs are open, nor for its queue', async () => {
    const { jobs } = world.node()
    const data = { workspace_id: crypto.randomUUID(), invitation_id: crypto.randomUUID(), token_number: 1 }
    const drafts: JobDraft[] = [{ kind: 'mail_team_invitation', data }]
    const sent: string[] = []
    const execute = async (text: string) => {
      sent.push(text)
      return { rows: [{ id: crypto.randomUUID() }] }
    }
    const refusal: unknown = await jobs.send(execute, drafts).catch((error: unknown) => error)
    assert.ok(refusal instanceof JobsNotOpen)
    assert.deepEqual(sent, [])
    await refusal.open()
    const sending = jobs.send(execute, drafts)
    // Nothing comes over a connection before these have run.
    for (let turn = 0; turn < 50; turn++) await Promise.resolve()
    assert.equal(sent.length, 1)
    await sending
  })

  it('waits for a node that does jobs, if those that ask for it do none', async () => {
    const asking = world.node()
    const data = await asking.ask()
    await asking.close()
    const { done } = noting()
    await eventually(() => done.length > 0)
    assert.deepEqual(done[0]?.data, data)
  })

  it('that fails is retried under the same id, and the log has neither its data nor the text of the error', async () => {
    const attempts: string[] = []
    const node = world.node(async (_data, { id }) => {
      attempts.push(id)
      if (attempts.length < 3)
        throw Object.assign(new Error('550 zoe@example.com is a secret'), { code: 'EENVELOPE' })
    })
    const data = await node.ask()
    await eventually(() => attempts.length === 3)
    assert.equal(new Set(attempts).size, 1)
    const failures = node.logged.filter(line => line.message.includes('will be retried'))
    assert.deepEqual(
      failures.map(({ level, details }) => [
        level,
        details.job_id,
        details.kind,
        details.reason,
        details.request_id,
      ]),
      [1, 2].map(() => ['warn', attempts[0], 'mail_team_invitation', 'EENVELOPE', requestOfJobs]),
    )
    const kept = JSON.stringify([node.logged, await world.sql('select output from svc_jobs.job')])
    for (const secret of ['zoe', '550 ', 'secret', data.invitation_id])
      assert.ok(!kept.includes(secret), secret)
  })

  it('that fails at every attempt is given up, which is logged as an error', async () => {
    const asking = world.node()
    await asking.ask()
    await asking.close()
    // Before anybody takes it, because a failing attempt would replace this row.
    const [job] = await world.sql<{ id: string; retry_limit: number }>(
      `update svc_jobs.job set retry_count = retry_limit where name = 'mail_team_invitation' returning id, retry_limit`,
    )
    const node = world.node(() => Promise.reject(new Error('never')))
    const line = await eventually(() =>
      node.logged.find(({ message }) => message === 'a job failed at every attempt'),
    )
    assert.equal(line.level, 'error')
    assert.deepEqual(line.details, {
      job_id: job?.id,
      kind: 'mail_team_invitation',
      request_id: requestOfJobs,
      attempts: (job?.retry_limit ?? 0) + 1,
    })
  })

  it('is tried for hours, with pauses that grow', () => {
    for (const { retries, firstPauseSeconds, longestPauseSeconds } of Object.values(jobRules)) {
      const pauses = Array.from({ length: retries }, (_, n) =>
        Math.min(longestPauseSeconds, firstPauseSeconds * 2 ** n),
      )
      const hours = (pauses.reduce((sum, pause) => sum + pause, 0) * 0.75) / 3600
      assert.ok(retries >= 5 && hours > 3 && hours < 48, `${hours} hours`)
    }
  })

  it('that a node took and died with is done by another, when the time of an attempt is over', async () => {
    const asking = world.node()
    const data = await asking.ask()
    await asking.close()
    await world.sql(`update svc_jobs.job set state = 'active', started_on = now()`)
    const { done } = noting()
    await eventually(() => done.length > 0)
    assert.deepEqual(done[0]?.data, data)
    const [job] = await world.sql<{ seconds: number }>(
      'select extract(epoch from now() - created_on)::float as seconds from svc_jobs.job',
    )
    assert.ok((job?.seconds ?? 0) > 6, 'it was taken from a node that may have been at it')
  })

  it('that runs while its node stops comes to its end, and no other is begun', async () => {
    const begun = Promise.withResolvers<void>()
    const held = Promise.withResolvers<void>()
    let ended = 0
    const node = world.node(async () => {
      begun.resolve()
      await held.promise
      ended++
    })
    await node.ask()
    await begun.promise
    await node.ask()
    const closed = node.close()
    await sleep(300)
    held.resolve()
    await closed
    assert.equal(ended, 1)
    assert.deepEqual((await states()).sort(), ['completed', 'created'])
  })

  it('that ends early because its node stops is done by another at once, and costs none of its retries', async () => {
    const begun = Promise.withResolvers<void>()
    const one = world.node(async (_data, { stopping }) => {
      begun.resolve()
      if (stopping && !stopping.aborted) await once(stopping, 'abort')
      throw stopping?.reason
    })
    const data = await one.ask()
    await begun.promise
    await one.close()
    const left = () =>
      world.sql<{ state: string; retries: number; due: boolean }>(
        `select state::text, retry_limit - retry_count as retries, start_after <= now() as due from svc_jobs.job`,
      )
    const { retries } = jobRules.mail_team_invitation
    assert.deepEqual(await left(), [{ state: 'retry', retries: retries + 1, due: true }])
    const { done } = noting()
    await eventually(() => done.length > 0)
    assert.deepEqual(done[0]?.data, data)
    assert.deepEqual((await left())[0]?.retries, retries)
    assert.deepEqual(
      one.logged.map(({ level, message }) => [level, message]),
      [['info', 'a job was given back, because the node stops']],
    )
  })

  it('that does not end in time is given back, and what its old attempt still does counts no more', async () => {
    const [begun, held] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const one = world.node(() => {
      begun.resolve()
      return held.promise
    })
    await one.ask()
    await begun.promise
    await one.jobs.close()
    assert.deepEqual(await states(), ['retry'])
    const { done } = noting()
    await eventually(() => done.length > 0)
    held.reject(new Error('It ends after all.'))
    await eventually(async () => (await states()).join() === 'completed')
  })

  it('cannot be sent once the jobs are closed', async () => {
    const node = world.node()
    await node.jobs.close()
    await assert.rejects(node.ask())
    assert.deepEqual(await states(), [])
  })

  const states = async () =>
    (
      await world.sql<{ state: string }>(
        `select state::text from svc_jobs.job where name <> 'given_up' order by created_on`,
      )
    ).map(({ state }) => state)
})
