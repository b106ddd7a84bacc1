import assert from 'node:assert/strict'
import { chmod } from 'node:fs/promises'
import { createServer, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, describe, it } from 'node:test'
import { apiVersion } from '@wbs/contract/system'
import { usedDataFolder, type DataFolder, type ServiceProcess } from '../../../server/test/harness/process.ts'
import { openTerminal, secretsOf, type Terminal } from '../login/terminal.ts'

interface Finding {
  check: string
  status: string
  message: string
  advice: string | null
}

describe('wbs doctor', () => {
  let data: DataFolder
  let url: string
  let sample: Awaited<ReturnType<ServiceProcess['quickstart']>>
  let terminal: Terminal
  const servers: Server[] = []
  before(async () => {
    data = await usedDataFolder()
    const service = await data.start({ SVC_SAMPLE_DATA: 'off' })
    url = service.base_url
    sample = await service.quickstart()
    terminal = await openTerminal()
    await terminal.signIn(url, 'owner', ['--workspace', sample.workspace_id])
  })
  after(async () => {
    for (const server of servers) server.close()
    await data.remove()
    await terminal.remove()
  })

  async function examine(args: readonly string[] = [], env: Record<string, string> = {}) {
    const { code, stdout, stderr } = await terminal.run(['doctor', '--json', ...args], { env })
    const findings = JSON.parse(stdout) as Finding[]
    return {
      code,
      stdout: stdout + stderr,
      findings,
      of: (check: string) => findings.find(one => one.check === check),
    }
  }

  /** A server that answers in place of the service. */
  async function standIn(listener: RequestListener): Promise<string> {
    const server = createServer(listener)
    servers.push(server)
    await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
    return `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  }
  const health = (more: object = {}) =>
    JSON.stringify({
      service: 'svc',
      environment: 'test',
      status: 'ok',
      schema_version: apiVersion,
      schema_hash: 'x',
      ...more,
    })

  it('finds nothing wrong where all is right, and shows no secret', async () => {
    const { code, stdout, findings } = await examine()
    assert.deepEqual(
      findings.map(({ check, status }) => [check, status]),
      [
        'node',
        'wbs',
        'profiles',
        'service',
        'version',
        'clock',
        'issuer',
        'credential',
        'workspace',
        'rate limits',
      ].map(check => [check, 'ok']),
    )
    assert.equal(code, 0)
    for (const secret of secretsOf(await terminal.stored())) assert.ok(!stdout.includes(secret))
    const { stdout: text } = await terminal.run(['doctor'])
    assert.match(
      text,
      /^ok {6}credential {3}The service knows you as Olivia Bennett .*\(profile default\)\.$/m,
    )
    assert.match(text, /\n\nNothing is wrong\.\n$/)
  })

  it('says that nothing listens, or that there is no such host', async () => {
    const closed = await standIn(() => {})
    await new Promise(resolve => servers.pop()?.close(resolve))
    const { code, of } = await examine(['--url', closed])
    assert.equal(code, 1)
    assert.equal(of('service')?.message, `${closed} cannot be reached: nothing listens there.`)
    assert.match(of('credential')?.message ?? '', /^The profile default is for /)
    const nowhere = await examine(['--url', 'https://wbs.invalid'])
    assert.match(nowhere.of('service')?.advice ?? '', /DNS/)
    const behind = await examine(['--url', 'https://wbs.invalid'], {
      HTTPS_PROXY: 'http://user:secret@proxy.example:3128',
    })
    assert.match(
      behind.of('service')?.advice ?? '',
      /^A proxy is set, proxy\.example:3128, .*NODE_USE_ENV_PROXY=1/,
    )
    assert.ok(!behind.stdout.includes('secret'))
  })

  it('says that something else answers in place of the service', async () => {
    const portal = await standIn((_, response) => response.end('<html>Sign in to the network</html>'))
    assert.match(
      (await examine(['--url', portal])).of('service')?.message ?? '',
      /is not the service: its status is 200\.$/,
    )
    const moved = await standIn((_, response) =>
      response.writeHead(301, { location: 'https://new.example/health' }).end(),
    )
    assert.match(
      (await examine(['--url', moved])).of('service')?.message ?? '',
      /sends requests on to https:\/\/new\.example/,
    )
  })

  it('says that the versions or the clocks differ', async () => {
    const date = new Date(Date.now() - 300_000).toUTCString()
    const other = await standIn((_, response) =>
      response.writeHead(200, { date }).end(health({ schema_version: '9.0.0\u001b[2J', status: 'degraded' })),
    )
    const { code, of } = await examine(['--url', other])
    assert.equal(code, 1)
    assert.equal(of('service')?.status, 'warning')
    assert.deepEqual(
      [of('version')?.status, of('version')?.message],
      ['warning', `The service has the interface 9.0.0 [2J; wbs knows ${apiVersion}.`],
    )
    assert.equal(of('clock')?.status, 'wrong')
    const [, ahead] = /is (\d+) s ahead of that of the service/.exec(of('clock')?.message ?? '') ?? []
    assert.ok(Number(ahead) >= 299, `${ahead} s`)
  })

  it('says that the service refuses the credential, or the Workspace', async () => {
    const refused = await examine([], { WBS_TOKEN: 'x', WBS_URL: url })
    assert.equal(refused.code, 1)
    assert.match(refused.of('credential')?.message ?? '', /\(unauthenticated\)/)
    assert.match(refused.of('credential')?.advice ?? '', /WBS_TOKEN/)
    const key = await examine([], { WBS_API_KEY: sample.api_key.secret, WBS_URL: url })
    assert.match(key.of('credential')?.message ?? '', /by an API key \(environment\)/)
    assert.equal(key.of('workspace')?.status, 'warning')
    const elsewhere = await examine(['--workspace', '01900000-0000-7000-8000-000000000000'])
    assert.equal(elsewhere.of('workspace')?.status, 'wrong')
  })

  it('says that few requests are left', async () => {
    const me = {
      user: { user_id: 'u', email: null, email_verified: false, name: 'Ann', is_anonymous: false },
      credential: { kind: 'access_token', key_id: null, scopes: [] },
      memberships: [],
    }
    const limited = await standIn((request, response) => {
      response.setHeader('content-type', 'application/json')
      if (request.url === '/health') return response.end(health())
      response.setHeader('ratelimit-policy', '"read";q=60;w=60, "address";q=600;w=60')
      response.setHeader('ratelimit', '"read";r=2;t=58, "address";r=599;t=1')
      return response.end(JSON.stringify({ data: me, request_id: 'req_00000000000000000000000000' }))
    })
    const { of } = await examine([], { WBS_TOKEN: 'x', WBS_URL: limited })
    assert.deepEqual(
      [of('rate limits')?.status, of('rate limits')?.message],
      ['warning', 'Requests left: 2 of 60 (read), 599 of 600 (address).'],
    )
  })

  it('says that the session has ended or its issuer is out of reach', async () => {
    const kept = await terminal.stored()
    const change = (to: Record<string, string | null>) =>
      terminal.store(({ profiles }) => void Object.assign(profiles.default?.credential ?? {}, to))
    await change({ issuer: 'http://127.0.0.1:1/identity', expires_at: new Date(0).toISOString() })
    const { code, of } = await examine()
    assert.equal(code, 1)
    assert.equal(of('issuer')?.status, 'wrong')
    assert.match(of('credential')?.message ?? '', /^The session of the profile default cannot be renewed/)
    await change({ issuer: kept.profiles.default?.credential.issuer ?? '', refresh_token: null })
    const ended = await examine()
    assert.equal(ended.of('issuer')?.status, 'warning')
    assert.match(ended.of('credential')?.advice ?? '', /^Sign in again: wbs login --profile default/)
    await terminal.store(stored => void Object.assign(stored, kept))
  })

  it('says that others can read the profiles', async () => {
    await chmod(terminal.file, 0o644)
    const { code, of } = await examine()
    await chmod(terminal.file, 0o600)
    assert.equal(code, 1)
    assert.match(of('profiles')?.message ?? '', /^Others can read or change /)
  })
})
