import assert from 'node:assert/strict'
import { mkdir, rm, stat, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { createClient } from '@wbs/sdk'
import {
  dataFolder,
  failToStart,
  isAlive,
  postmasterOf,
  type DataFolder,
  type ServiceProcess,
} from '../harness/process.ts'
import { eventually } from '../http/eventually.ts'

const fast = { SVC_SAMPLE_DATA: 'off' }

describe('a first start', () => {
  let folder: DataFolder
  let service: ServiceProcess
  before(async () => {
    folder = await dataFolder()
    service = await folder.start()
  })
  after(() => folder.remove())

  it('prints the base URL, the reference page and a first curl, which finds real Businesses', async () => {
    const output = service.output()
    assert.ok(output.includes(`${service.base_url}/docs`))
    const url = /curl '(\S+)'/.exec(output)?.[1] ?? ''
    const answer = (await (await fetch(url)).json()) as { data: { name: string; state: string }[] }
    assert.equal(answer.data.length, 3)
    for (const business of answer.data) assert.match(business.name, /credit union/i)
  })

  it('has rate limits that nobody trips over who tries things out', async () => {
    const { headers } = await fetch(`${service.base_url}/v1/businesses?limit=1`)
    assert.equal(headers.get('ratelimit-policy'), '"search";q=600000;w=60')
  })

  it('writes the quickstart file for its owner alone', async () => {
    assert.equal((await stat(join(folder.path, 'quickstart.json'))).mode & 0o777, 0o600)
    const quickstart = await service.quickstart()
    assert.equal(quickstart.base_url, service.base_url)
    assert.equal(quickstart.docs_url, `${service.base_url}/docs`)
    assert.deepEqual(Object.keys(quickstart.users), [
      'owner',
      'admin',
      'member',
      'viewer',
      'outsider',
      'newcomer',
      'anonymous',
    ])
    for (const user of Object.values(quickstart.users))
      assert.deepEqual(Object.keys(user), ['user_id', 'email', 'name', 'access_token'])
    assert.deepEqual(Object.keys(quickstart.api_key), ['key_id', 'secret', 'scopes'])
  })

  it('gives tokens that the service takes, each for whom and where it says', async () => {
    const { users, workspace_id, other_workspace_id } = await service.quickstart()
    const roles: Record<string, Record<string, string>> = {
      owner: { [workspace_id]: 'owner' },
      admin: { [workspace_id]: 'admin' },
      member: { [workspace_id]: 'member' },
      viewer: { [workspace_id]: 'viewer' },
      outsider: { [other_workspace_id]: 'owner' },
      newcomer: {},
      anonymous: {},
    }
    for (const [key, user] of Object.entries(users)) {
      const { data } = await createClient({
        base_url: service.base_url,
        access_token: user.access_token,
      }).getMe()
      assert.equal(data.user.user_id, user.user_id)
      assert.equal(data.user.is_anonymous, key === 'anonymous')
      assert.deepEqual(
        Object.fromEntries(data.memberships.map(one => [one.workspace_id, one.role])),
        roles[key],
      )
    }
  })

  it('gives tokens that last a day', async () => {
    const { users } = await service.quickstart()
    const [, payload = ''] = (users.owner?.access_token ?? '').split('.')
    const { exp, iat } = JSON.parse(Buffer.from(payload, 'base64url').toString()) as {
      exp: number
      iat: number
    }
    assert.equal(exp - iat, 86_400)
  })

  it('gives an API key that reads the sample Workspace, and its Businesses', async () => {
    const { api_key, workspace_id } = await service.quickstart()
    const client = createClient({ base_url: service.base_url, api_key: api_key.secret, workspace_id })
    assert.ok((await client.listWorkspaceBusinesses({ workspace_id })).data.length > 0)
    assert.deepEqual((await client.getMe()).data.credential, {
      kind: 'api_key',
      key_id: api_key.key_id,
      scopes: api_key.scopes,
    })
  })
})

describe('a later start', () => {
  it('finds the Workspaces, the people and the key of the first, on another port too', async t => {
    const folder = await dataFolder(t)
    const first = await folder.start(fast)
    const before = await first.quickstart()
    assert.equal(await first.end('SIGINT'), 0)
    const second = await folder.start(fast)
    const now = await second.quickstart()
    assert.notEqual(now.base_url, before.base_url)
    assert.deepEqual(
      [now.workspace_id, now.other_workspace_id, now.api_key, ids(now.users)],
      [before.workspace_id, before.other_workspace_id, before.api_key, ids(before.users)],
    )
  })

  it('makes another key, and revokes the first, when the file with its secret is gone', async t => {
    const folder = await dataFolder(t)
    const first = await folder.start(fast)
    const { api_key: lost, workspace_id } = await first.quickstart()
    await first.end()
    await rm(join(folder.path, 'quickstart.json'))
    const second = await folder.start(fast)
    const { api_key } = await second.quickstart()
    assert.notEqual(api_key.key_id, lost.key_id)
    const old = createClient({ base_url: second.base_url, api_key: lost.secret, workspace_id })
    await assert.rejects(old.getMe(), { message: /401 unauthenticated/ })
  })

  it('works after kill -9, and finds what was acknowledged', async t => {
    const folder = await dataFolder(t)
    const first = await folder.start(fast)
    const { users } = await first.quickstart()
    const made = await createClient({
      base_url: first.base_url,
      access_token: users.newcomer?.access_token ?? '',
    }).createWorkspace({ name: 'Kept' })
    assert.equal(await first.end('SIGKILL'), 'SIGKILL')
    const second = await folder.start(fast)
    const token = (await second.quickstart()).users.newcomer?.access_token ?? ''
    const { data } = await createClient({ base_url: second.base_url, access_token: token }).listWorkspaces()
    assert.deepEqual(
      data.map(workspace => workspace.id),
      [made.workspace.id],
    )
  })
})

describe('an end', () => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const)
    it(`by ${signal} leaves nothing running`, async t => {
      const folder = await dataFolder(t)
      const service = await folder.start(fast)
      const postmaster = postmasterOf(folder.path)
      assert.ok(postmaster)
      process.kill(service.pid, signal) // a terminal and npm both pass it on
      assert.equal(await service.end(signal), 0)
      // It has ended by then; until the system takes note of that, its number is there.
      await eventually(() => !isAlive(postmaster))
    })
})

describe('the development identity', () => {
  const elsewhere = Object.values(networkInterfaces())
    .flat()
    .find(one => one?.family === 'IPv4' && !one.internal)
  for (const HOST of [elsewhere?.address ?? '0.0.0.0', '::ffff:127.0.0.1'])
    it(`on ${HOST}, where that is allowed, gives tokens that the service takes`, async t => {
      const folder = await dataFolder(t)
      const service = await folder.start({ ...fast, HOST, SVC_DEVELOPMENT_IDENTITY: 'network' })
      const { users } = await service.quickstart()
      const client = createClient({
        base_url: service.base_url,
        access_token: users.owner?.access_token ?? '',
      })
      assert.equal((await client.getMe()).data.user.user_id, users.owner?.user_id)
    })

  it('is off with issuers, which any host may be used with', async t => {
    const folder = await dataFolder(t)
    const service = await folder.start({
      HOST: '0.0.0.0',
      OIDC_ISSUERS: 'https://issuer.example',
      OIDC_AUDIENCE: 'here',
    })
    assert.equal((await fetch(`${service.base_url}/health`)).status, 200)
  })
})

describe('what stops a start is said in one sentence', () => {
  it('a port in use', async t => {
    const folder = await dataFolder(t)
    const taken = createServer()
    await new Promise<void>(resolve => taken.listen(0, '127.0.0.1', resolve))
    const { port } = taken.address() as AddressInfo
    const { code, output } = await failToStart({ SVC_DATA_DIR: folder.path, PORT: String(port) })
    assert.equal(code, 1)
    assert.match(output, new RegExp(`^Port ${port} on 127\\.0\\.0\\.1 is in use[^\\n]*\\n$`))
    assert.equal(postmasterOf(folder.path), null)
    taken.close()
  })

  it('another service on the same data folder', async t => {
    const folder = await dataFolder(t)
    const first = await folder.start(fast)
    const { code, output } = await failToStart({ ...fast, SVC_DATA_DIR: folder.path })
    assert.equal(code, 1)
    assert.match(output, /^Another service is running on the data folder [^\n]*\n$/)
    assert.equal((await fetch(`${first.base_url}/ready`)).status, 200)
  })

  it('a data folder of a newer version', async t => {
    const folder = await dataFolder(t)
    const first = await folder.start(fast)
    const client = new pg.Client({ host: join(folder.path, 'postgres'), user: 'svc', database: 'postgres' })
    await client.connect()
    await client.query(`insert into svc.migrations (name, timestamp) values ('9999_from_the_future', '2030')`)
    await client.end()
    await first.end()
    const { code, output } = await failToStart({ ...fast, SVC_DATA_DIR: folder.path })
    assert.equal(code, 1)
    assert.match(
      output,
      /^The database was upgraded by a newer version of the service[^\n]* or restore the backup [^\n]*\n$/,
    )
    assert.equal(postmasterOf(folder.path), null)
  })

  for (const [setting, env, said] of [
    ['a port that is none', { PORT: '80x' }, /^PORT must be/],
    [
      'an issuer without an audience',
      { OIDC_ISSUERS: 'https://issuer.example' },
      /^OIDC_AUDIENCE must be set/,
    ],
    [
      'an issuer over plain http',
      { OIDC_ISSUERS: 'http://issuer.example', OIDC_AUDIENCE: 'a' },
      /^OIDC_ISSUERS: /,
    ],
    ['a secret that is short', { SVC_SECRET: 'short' }, /^SVC_SECRET must/],
    ['an environment that is none', { SVC_ENVIRONMENT: 'staging' }, /^SVC_ENVIRONMENT must/],
    ['rate limits below nothing', { RATE_LIMIT_SCALE: '-1' }, /^RATE_LIMIT_SCALE must/],
    ['rate limits that are no number', { RATE_LIMIT_SCALE: 'off' }, /^RATE_LIMIT_SCALE must/],
    ['a proxy by name', { SVC_TRUSTED_PROXIES: '10.0.0.1, proxy.internal' }, /^SVC_TRUSTED_PROXIES must/],
    ['a network that is too long', { SVC_TRUSTED_PROXIES: '10.0.0.0/33' }, /^SVC_TRUSTED_PROXIES must/],
    ['a trust in everybody', { SVC_TRUSTED_PROXIES: '::/0' }, /^SVC_TRUSTED_PROXIES must/],
    [
      'a host of another machine',
      { HOST: '203.0.113.1', SVC_DEVELOPMENT_IDENTITY: 'network' },
      /^HOST 203\.0\.113\.1 is not/,
    ],
    [
      'the development identity on every network',
      { HOST: '0.0.0.0' },
      /^HOST 0\.0\.0\.0 can be reached from a network.* or SVC_DEVELOPMENT_IDENTITY=network /,
    ],
    [
      'the development identity on every network of either kind',
      { HOST: '::' },
      /^HOST :: can be reached from a network.* or SVC_DEVELOPMENT_IDENTITY=network /,
    ],
    [
      'a reach of the development identity that is none',
      { SVC_DEVELOPMENT_IDENTITY: 'everywhere' },
      /^SVC_DEVELOPMENT_IDENTITY must/,
    ],
    ['a level of the log that is none', { LOG_LEVEL: 'loud' }, /^LOG_LEVEL must be one of fatal, /],
    ['a level of the log in capitals', { LOG_LEVEL: 'INFO' }, /^LOG_LEVEL must be one of fatal, /],
    ['a port in another notation', { PORT: '8e3' }, /^PORT must be/],
    ['a host that is no name', { HOST: 'not a host' }, /^HOST not a host is not/],
    ['a database without a scheme', { DATABASE_URL: 'db.example/svc' }, /^DATABASE_URL must be the URL of/],
    ['a word for a database', { DATABASE_URL: 'nonsense' }, /^DATABASE_URL must be the URL of/],
    ['a database of another kind', { DATABASE_URL: 'mysql://me@db.example/x' }, /^DATABASE_URL must be the/],
    ['a database with half a URL', { DATABASE_URL: 'postgres://[::1/x' }, /^DATABASE_URL must be the URL/],
    [
      'a database whose password is not encoded',
      { DATABASE_URL: 'postgres://me:sec%e9ret@127.0.0.1:9/x' },
      /^The PostgreSQL that DATABASE_URL names cannot be connected to: (?!.*sec)/,
    ],
    [
      'a database whose certificate is not there',
      { DATABASE_URL: 'postgres://me@127.0.0.1:9/x?sslrootcert=/nowhere/ca.pem' },
      /^The PostgreSQL that DATABASE_URL names cannot be connected to: .*\/nowhere\/ca\.pem/,
    ],
    [
      'a data folder that cannot be made',
      { SVC_DATA_DIR: '/proc/nowhere' },
      /^The data folder \/proc\/nowhere/,
    ],
    [
      'a data folder below a file',
      { SVC_DATA_DIR: '/etc/passwd/data' },
      /^The data folder \/etc\/passwd\/data cannot be used, since .* a file where a folder belongs; set SVC_DATA_DIR /,
    ],
    [
      'a data folder that is a file',
      { SVC_DATA_DIR: '/etc/passwd' },
      /^The data folder \/etc\/passwd cannot be used, since \/etc\/passwd is a file where a folder belongs; set /,
    ],
    [
      'a data folder that may not be written',
      { SVC_DATA_DIR: '/sys' },
      /^The data folder \/sys cannot be used/,
    ],
    [
      'a database that is not there',
      { DATABASE_URL: 'postgresql://nobody@127.0.0.1:9/nothing' },
      /DATABASE_URL/,
    ],
  ] as const)
    it(setting, async t => {
      const folder = await dataFolder(t)
      const { code, output } = await failToStart({ SVC_DATA_DIR: folder.path, ...env })
      assert.equal(code, 1)
      assert.match(output, said)
      assert.equal(output.trim().split('\n').length, 1, output)
    })

  for (const [what, name, said] of [
    ['mail', 'mail', /^The data folder .* since .*\/mail is a file where a folder belongs; set SVC_DATA_DIR/],
    ['the database', 'postgres', /^The data folder .*\/postgres\S* is, or lies below, a file where a folder/],
    ['the key of the development identity', 'identity-keys.json', /^The file \S+ does not hold a private/],
  ] as const)
    it(`something else where ${what} is kept`, async t => {
      const folder = await dataFolder(t)
      await writeFile(join(folder.path, name), 'something else')
      const { code, output } = await failToStart({ ...fast, SVC_DATA_DIR: folder.path })
      assert.equal(code, 1)
      assert.match(output, said)
      assert.equal(output.trim().split('\n').length, 1, output)
      assert.equal(postmasterOf(folder.path), null)
    })

  for (const name of ['quickstart.json', 'identity-keys.json', 'postgres.log', 'postgres.lock'])
    it(`a folder where the file ${name} belongs`, async t => {
      const folder = await dataFolder(t)
      await mkdir(join(folder.path, name, 'in'), { recursive: true })
      const { code, output } = await failToStart({ ...fast, SVC_DATA_DIR: folder.path })
      assert.equal(code, 1)
      assert.match(output, new RegExp(`^The (data folder|lock file|file) .*/${name} [^\\n]*\\n$`))
      assert.equal(postmasterOf(folder.path), null)
    })
})

const ids = (users: Record<string, { user_id: string }>) =>
  Object.fromEntries(Object.entries(users).map(([key, user]) => [key, user.user_id]))
