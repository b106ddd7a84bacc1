import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import type { ClientSettings } from '@wbs/sdk'
import { addBusiness } from '../../../server/test/harness/businesses.ts'
import { startTestService, type Person, type TestService } from '../../../server/test/harness/service.ts'
import { runWbs } from '../run-wbs.ts'
import { run } from './terminal.ts'

let service: TestService
let owner: Person
let workspace_id: string
let access: ClientSettings
let folder: string
before(async () => {
  service = await startTestService()
  owner = service.person('Olivia')
  workspace_id = await service.workspace('Harbor', owner)
  access = { base_url: service.base_url, access_token: owner.token, workspace_id }
  folder = await mkdtemp(join(tmpdir(), 'wbs-operations-'))
  for (let number = 1; number <= 105; number++)
    await owner.client.createRoom({ title: `Room ${number}` }, { workspace_id })
})
after(async () => {
  await rm(folder, { recursive: true })
  await service.close()
})

/** Runs a command on the service, and gives what it printed as JSON. */
async function done<Answer>(...words: string[]): Promise<Answer> {
  const { code, stdout, stderr } = await run([...words, '--json'], { access })
  assert.equal(code, 0, `${words.join(' ')}: ${stderr}`)
  return JSON.parse(stdout) as Answer
}

interface RoomAnswer {
  room: { room_id: string; title: string; purpose: string | null; revision: number }
  idempotent_replay: boolean
}
interface RoomList {
  data: { room_id: string; title: string }[]
}

const roomNamed = async (title: string): Promise<string> =>
  (await done<RoomAnswer>('rooms', 'create', '--title', title)).room.room_id

describe('a list of several pages', () => {
  it('is shown whole with --all, as one JSON document or as lines', async () => {
    const { data } = await done<RoomList>('rooms', 'list', '--all')
    assert.equal(new Set(data.map(({ room_id }) => room_id)).size, data.length)
    assert.ok(data.length >= 105)
    const { stdout } = await run(['rooms', 'list', '--all'], { access })
    assert.equal(stdout.trimEnd().split('\n').length, data.length)
  })

  it('is shown up to --limit, from one page or from several', async () => {
    for (const limit of [1, 100, 101])
      assert.equal((await done<RoomList>('rooms', 'list', '--limit', String(limit))).data.length, limit)
    assert.equal((await done<RoomList>('rooms', 'list')).data.length, 20)
  })

  it('goes on from a cursor', async () => {
    const first = await done<RoomList & { page: { cursor: string } }>('rooms', 'list', '--limit', '2')
    const next = await done<RoomList>('rooms', 'list', '--limit', '2', '--cursor', first.page.cursor)
    assert.equal(new Set([...first.data, ...next.data].map(({ room_id }) => room_id)).size, 4)
  })
})

describe('a change', () => {
  it('is made once for an Idempotency-Key, and a replay is told', async () => {
    const words = ['rooms', 'create', '--title', 'Once', '--idempotency-key', 'once-and-no-more']
    const first = await done<RoomAnswer>(...words)
    const { stdout, stderr } = await run([...words, '--json'], { access })
    const second = JSON.parse(stdout) as RoomAnswer
    assert.deepEqual([first.idempotent_replay, second.idempotent_replay], [false, true])
    assert.equal(second.room.room_id, first.room.room_id)
    assert.match(stderr, /answer to an earlier request/)
    const other = await run([...words.slice(0, 3), 'Other', ...words.slice(4)], { access })
    assert.equal(other.code, 7)
    assert.match(other.stderr, /idempotency_key_reused/)
  })

  it('without a key of the user is made each time', async () => {
    assert.notEqual(await roomNamed('Twice'), await roomNamed('Twice'))
  })

  it('expects the revision that was read, or with --latest the one of now', async () => {
    const room_id = await roomNamed('Revised')
    const update = ['rooms', 'update', room_id, '--title']
    await done('rooms', 'update', room_id, '--title', 'Second', '--expected-revision', '1')
    const stale = await run([...update, 'Third', '--expected-revision', '1'], { access })
    assert.equal(stale.code, 6)
    assert.match(stale.stderr, /Now it is 2; you expected 1/)
    const { room } = await done<RoomAnswer>(...update, 'Third', '--latest')
    assert.deepEqual([room.title, room.revision], ['Third', 3])
  })

  it('with --latest works for a List, whose version its columns share', async () => {
    const definition = '{"schema_version":"svc.list.v1","subject_type":"business","rule":{"kind":"all"}}'
    const { data } = await done<{ data: { id: string } }>(
      'lists',
      'create',
      '--name',
      'All',
      '--definition',
      definition,
    )
    const column = ['list-columns', 'create', data.id, '--value-type', 'number', '--latest']
    await done(...column, '--name', 'Owner age')
    await done(...column, '--name', 'Staff')
  })

  it('removes a value with null', async () => {
    const created = await done<RoomAnswer>('rooms', 'create', '--title', 'Purposeful', '--purpose', 'Sell it')
    const { room_id } = created.room
    const { room } = await done<RoomAnswer>('rooms', 'update', room_id, '--purpose', 'null', '--latest')
    assert.deepEqual([created.room.purpose, room.purpose], ['Sell it', null])
  })

  it('of the Workspace needs no argument, unless it is about another one', async () => {
    const { data } = await done<{ data: { id: string } }>('workspaces', 'get')
    assert.equal(data.id, workspace_id)
    const business_id = await addBusiness(service, { name: 'Corner Bakery' })
    await done('workspace-businesses', 'link', '--business-id', business_id)
    await done('workspace-businesses', 'unlink', business_id)
    const { code } = await run(['workspaces', 'get', crypto.randomUUID()], { access })
    assert.equal(code, 4)
  })
})

describe('a visitor', () => {
  it('runs commands that are open to everybody without a credential', async () => {
    const base = { base_url: service.base_url }
    assert.equal((await run(['health'], { access: base })).code, 0)
    assert.equal((await run(['businesses', 'search', '--query', 'bakery'], { access: base })).code, 0)
    assert.equal((await run(['rooms', 'list'], { access: { ...base, workspace_id } })).code, 3)
  })
})

describe('the process', () => {
  const environment = (): Record<string, string> => ({
    WBS_URL: service.base_url,
    WBS_TOKEN: owner.token,
    WBS_WORKSPACE: workspace_id,
    WBS_API_KEY: '',
    WBS_PROFILE: '',
  })

  it('reads the environment, prints tabs into a pipe, and ends with the exit code', async () => {
    const listed = await runWbs(environment(), ['room', 'ls', '--limit', '2'])
    assert.equal(listed.code, 0, listed.stderr)
    assert.equal(listed.stdout.split('\n').length, 3)
    assert.doesNotMatch(listed.stdout, /(?![\n\t])\p{Cc}/u)
    const absent = await runWbs(environment(), ['rooms', 'view', 'rom_01K8ZQ4T9V2M6N3R7W5X0Y1ABC'])
    assert.deepEqual([absent.code, absent.stdout], [5, ''])
    const wrong = await runWbs(environment(), ['rooms', 'list', '--statsu', 'active'])
    assert.equal(wrong.code, 2)
    assert.match(wrong.stderr, /Did you mean --status\?/)
  })

  it('reads input from standard input, and keeps content whole', async () => {
    const input = JSON.stringify({ name: 'notes.md', content: '# Notes\r\nÄ\u0001' })
    const created = await runWbs(environment(), ['files', 'create-text', '--input', '-', '--json'], child => {
      child.stdin?.end(input)
    })
    assert.equal(created.code, 0, created.stderr)
    const { file } = JSON.parse(created.stdout) as { file: { file_id: string } }
    const target = join(folder, 'notes.md')
    const saved = await runWbs(environment(), ['files', 'download', file.file_id, '--output', target])
    assert.equal(saved.code, 0, saved.stderr)
    assert.equal(await readFile(target, 'utf8'), '# Notes\r\nÄ\u0001')
  })

  it('ends with 130 when it is interrupted, and says how a change can be repeated', async () => {
    const silent = createServer()
    await new Promise<void>(resolve => silent.listen(0, '127.0.0.1', resolve))
    const { port } = silent.address() as AddressInfo
    try {
      const env = { ...environment(), WBS_URL: `http://127.0.0.1:${port}` }
      const ended = await runWbs(env, ['rooms', 'create', '--title', 'x'], child => {
        silent.once('request', () => child.kill('SIGINT'))
      })
      assert.equal(ended.code, 130, ended.stderr)
      assert.match(ended.stderr, /Interrupted\.[\s\S]*--idempotency-key [0-9a-f-]{36}/)
    } finally {
      silent.closeAllConnections()
      silent.close()
    }
  })

  it('stops quietly when the reader of a pipe has enough', async () => {
    const script = `"${process.execPath}" "${new URL('../../src/wbs.ts', import.meta.url).pathname}" rooms list --all | head -1`
    const { stdout, stderr } = await new Promise<{ stdout: string; stderr: string }>((resolve, reject) => {
      execFile('sh', ['-c', script], { env: { ...process.env, ...environment() } }, (error, out, err) =>
        error ? reject(error) : resolve({ stdout: out, stderr: err }),
      )
    })
    assert.match(stdout, /^rom_[^\n]+\n$/)
    assert.equal(stderr, '')
  })
})
