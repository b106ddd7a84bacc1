import assert from 'node:assert/strict'
import { rm, stat } from 'node:fs/promises'
import { networkInterfaces } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { createClient } from '@wbs/sdk'
import {
  dataFolder,
  isAlive,
  postmasterOf,
  usedDataFolder,
  type DataFolder,
  type ServiceProcess,
} from '../harness/process.ts'
import { quickstartIn, startHere } from './start-here.ts'
import { eventually } from '../harness/eventually.ts'

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

  it('has rate limits that nobody reaches who tries things out', async () => {
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

  it('leaves nothing running when it is ended by SIGTERM', () => leavesNothing(folder, service, 'SIGTERM'))
})

describe('a later start', () => {
  let folder: DataFolder
  let service: ServiceProcess
  before(async () => void (folder = await usedDataFolder()))
  after(() => folder.remove())

  it('finds the Workspaces, the people and the key of the first, on another port too', async () => {
    const before = await quickstartIn(folder)
    service = await folder.start(fast)
    const now = await service.quickstart()
    assert.notEqual(now.base_url, before.base_url)
    assert.deepEqual(
      [now.workspace_id, now.other_workspace_id, now.api_key, ids(now.users)],
      [before.workspace_id, before.other_workspace_id, before.api_key, ids(before.users)],
    )
  })

  it('leaves nothing running when it is ended by SIGINT', () => leavesNothing(folder, service, 'SIGINT'))

  it('makes another key, and revokes the first, when the file with its secret is gone', async () => {
    const { api_key: lost, workspace_id } = await quickstartIn(folder)
    await rm(join(folder.path, 'quickstart.json'))
    service = await folder.start(fast)
    const { api_key } = await service.quickstart()
    assert.notEqual(api_key.key_id, lost.key_id)
    const old = createClient({ base_url: service.base_url, api_key: lost.secret, workspace_id })
    await assert.rejects(old.getMe(), { message: /401 unauthenticated/ })
  })

  it('works after kill -9, and finds what was acknowledged', async () => {
    const { users } = await service.quickstart()
    const made = await createClient({
      base_url: service.base_url,
      access_token: users.newcomer?.access_token ?? '',
    }).createWorkspace({ name: 'Kept' })
    assert.equal(await service.end('SIGKILL'), 'SIGKILL')
    service = await folder.start(fast)
    const token = (await service.quickstart()).users.newcomer?.access_token ?? ''
    const { data } = await createClient({ base_url: service.base_url, access_token: token }).listWorkspaces()
    assert.deepEqual(
      data.map(workspace => workspace.id),
      [made.workspace.id],
    )
  })
})

async function leavesNothing(
  folder: DataFolder,
  service: ServiceProcess,
  signal: NodeJS.Signals,
): Promise<void> {
  const postmaster = postmasterOf(folder.path)
  assert.ok(postmaster)
  process.kill(service.pid, signal) // a terminal and npm both pass it on
  assert.equal(await service.end(signal), 0)
  // It has ended by then; its process id exists until the system has deleted it.
  await eventually(() => !isAlive(postmaster))
}

describe('the development identity', () => {
  let folder: DataFolder
  before(async () => void (folder = await usedDataFolder()))
  after(() => folder.remove())

  const elsewhere = Object.values(networkInterfaces())
    .flat()
    .find(one => one?.family === 'IPv4' && !one.internal)
  const everywhere = elsewhere?.address ?? '0.0.0.0'

  async function takesTokens({ base_url }: { base_url: string }): Promise<void> {
    const { users } = await quickstartIn(folder)
    const client = createClient({ base_url, access_token: users.owner?.access_token ?? '' })
    assert.equal((await client.getMe()).data.user.user_id, users.owner?.user_id)
  }

  it(`on ${everywhere}, where that is allowed, gives tokens that the service takes, until SIGHUP ends it`, async () => {
    const service = await folder.start({ ...fast, HOST: everywhere, SVC_DEVELOPMENT_IDENTITY: 'network' })
    await takesTokens(service)
    await leavesNothing(folder, service, 'SIGHUP')
  })

  it('on ::ffff:127.0.0.1, where that is allowed, gives tokens that the service takes', async () => {
    const service = await startHere(folder, {
      ...fast,
      HOST: '::ffff:127.0.0.1',
      SVC_DEVELOPMENT_IDENTITY: 'network',
    })
    try {
      await takesTokens(service)
    } finally {
      await service.close()
    }
  })

  it('is off with issuers, which any host may be used with', async () => {
    const service = await startHere(folder, {
      ...fast,
      HOST: '0.0.0.0',
      OIDC_ISSUERS: 'https://issuer.example',
      OIDC_AUDIENCE: 'here',
    })
    try {
      assert.equal((await fetch(`${service.base_url}/health`)).status, 200)
    } finally {
      await service.close()
    }
  })
})

const ids = (users: Record<string, { user_id: string }>) =>
  Object.fromEntries(Object.entries(users).map(([key, user]) => [key, user.user_id]))
