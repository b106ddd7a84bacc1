import assert from 'node:assert/strict'
import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, describe, it, type TestContext } from 'node:test'
import pg from 'pg'
import PostalMime from 'postal-mime'
import { createClient } from '@wbs/sdk'
import { tokenIn } from '../harness/invitations.ts'
import { failToStart, usedDataFolder, type ServiceProcess } from '../harness/process.ts'
import { eventually } from '../harness/eventually.ts'
import { startMailServer, type TestMailServer } from './mail-server.ts'

/** The sample owner invites somebody. */
async function invite(service: ServiceProcess, email: string): Promise<void> {
  const { users, workspace_id } = await service.quickstart()
  const access_token = users.owner?.access_token ?? ''
  await createClient({ base_url: service.base_url, access_token, workspace_id }).createTeamInvitation({
    email,
    role: 'member',
  })
}

describe('the service as a process', () => {
  let server: TestMailServer
  before(async () => void (server = await startMailServer()))
  after(() => server.stop())

  async function start(test: TestContext, env: Record<string, string> = {}) {
    const folder = await usedDataFolder(test)
    return { folder, service: await folder.start({ SVC_SAMPLE_DATA: 'off', ...env }) }
  }
  const smtp = () => ({
    SMTP_URL: `smtp://127.0.0.1:${server.port}`,
    MAIL_FROM: 'no-reply@harbor.example',
  })

  it('without SMTP_URL keeps mail in the data folder, and says where without being asked to', async t => {
    const { folder, service } = await start(t)
    const { users } = await service.quickstart()
    const newcomer = users.newcomer ?? assert.fail()
    await invite(service, newcomer.email)
    const path = await eventually(() => /"file":"([^"]+\.eml)"/.exec(service.output())?.[1])
    assert.equal(dirname(path), `${folder.path}/mail`)
    assert.equal((await stat(path)).mode & 0o777, 0o600)
    const email = await PostalMime.parse(await readFile(path, 'utf8'))
    assert.equal(email.to?.[0]?.address, newcomer.email)
    const token = tokenIn(email.text ?? '')
    assert.ok(!service.output().includes(token) && !service.output().includes(newcomer.email))
    const client = createClient({ base_url: service.base_url, access_token: newcomer.access_token })
    assert.equal((await client.acceptInvitation({ token })).membership?.role, 'member')
  })

  it('killed between the change and its mail sends it after the next start', async t => {
    await server.stop()
    const { folder, service } = await start(t, smtp())
    await invite(service, 'killed@example.com')
    await service.end('SIGKILL')
    await server.start()
    await folder.start({ SVC_SAMPLE_DATA: 'off', ...smtp() })
    // An attempt may have begun or failed before the kill. The test does not wait for its timeout.
    const admin = new pg.Client({ host: `${folder.path}/postgres`, user: 'svc', database: 'postgres' })
    await admin.connect()
    await admin.query(
      `update svc_jobs.job set start_after = now(), state = 'retry' where state in ('retry', 'active')`,
    )
    await admin.end()
    await eventually(() => server.taken.some(({ to }) => to.includes('killed@example.com')))
  })

  it('told to stop while it hands over a message waits for that, and sends it once', async t => {
    const { promise, resolve } = Promise.withResolvers<void>()
    server.hold = promise
    const before = server.connections
    const { folder, service } = await start(t, smtp())
    await invite(service, 'stopping@example.com')
    await eventually(() => server.connections > before)
    const ended = service.end('SIGTERM')
    setTimeout(resolve, 500)
    assert.equal(await ended, 0)
    server.hold = null
    const again = await folder.start({ SVC_SAMPLE_DATA: 'off', ...smtp() })
    await invite(again, 'after@example.com')
    await eventually(() => server.taken.some(({ to }) => to.includes('after@example.com')))
    assert.equal(server.taken.filter(({ to }) => to.includes('stopping@example.com')).length, 1)
  })

  it('does not start with settings of mail that are not right', async () => {
    for (const env of [{ SMTP_URL: 'smtp://127.0.0.1' }, { SMTP_URL: 'mail', MAIL_FROM: 'a@b.example' }]) {
      const { code, output } = await failToStart(env)
      assert.equal(code, 1)
      assert.match(output, /^(?:MAIL_FROM|SMTP_URL) must [^\n]+\n$/)
    }
  })
})
