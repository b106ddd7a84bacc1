import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { fakeService } from './fake-service.ts'
import { run, type Run } from './terminal.ts'

const room = (title: string, more: object = {}) => ({
  room_id: 'rom_01K8ZQ4T9V2M6N3R7W5X0Y1ABC',
  business_id: null,
  title,
  purpose: null,
  status: 'active',
  revision: 3,
  created_at: '2026-06-01T12:00:00.000Z',
  updated_at: '2026-06-30T12:00:00.000Z',
  archived_at: null,
  access_level: 'edit',
  general_access: 'invited_only',
  general_access_level: null,
  participant_visibility: 'everyone',
  attachments: [
    { attachment_id: 'a', type: 'business', id: 'biz_1', label: 'Bakery', attached_at: '2026-06-01' },
  ],
  parent: null,
  sub_room_count: 0,
  ...more,
})

const page = (rooms: object[], has_more = false) => ({
  data: rooms,
  page: { cursor: has_more ? 'rom_1' : null, has_more },
  request_id: 'req_1',
})

async function shown(words: readonly string[], body: unknown, options: Run = {}) {
  const { access } = fakeService({ body })
  const ended = await run(words, { access, ...options })
  assert.equal(ended.code, 0, ended.stderr)
  return ended
}

const hostile = 'Deal \u001b[2J\u001b]0;owned\u0007\r\n\tnext\u202Etxt\u2066\u009b31m'

describe('a list', () => {
  it('is a table on a terminal: the headers bold, columns without values left out', async () => {
    const { stdout } = await shown(
      ['rooms', 'list'],
      page([room('Glacier'), room('東京 deal', { status: 'archived' })]),
      {
        terminal: 120,
      },
    )
    assert.deepEqual(stdout.split('\n'), [
      '\u001b[1mROOM ID                         TITLE      STATUS    ACCESS LEVEL  GENERAL ACCESS  UPDATED AT\u001b[22m',
      'rom_01K8ZQ4T9V2M6N3R7W5X0Y1ABC  Glacier    active    edit          invited_only    2026-06-30T12:00Z',
      'rom_01K8ZQ4T9V2M6N3R7W5X0Y1ABC  東京 deal  archived  edit          invited_only    2026-06-30T12:00Z',
      '',
    ])
  })

  it('fits the terminal: it shortens texts and drops the last columns, but never the ID', async () => {
    const { stdout } = await shown(
      ['rooms', 'list'],
      page([room('A title that is longer than the others are')]),
      {
        terminal: 50,
        env: { NO_COLOR: '1' },
      },
    )
    assert.deepEqual(stdout.split('\n'), [
      'ROOM ID                         TITLE',
      'rom_01K8ZQ4T9V2M6N3R7W5X0Y1ABC  A title that is l…',
      '',
    ])
  })

  it('is lines with tabs for a program, without headers, always with the same columns', async () => {
    const { stdout } = await shown(['rooms', 'list'], page([room('Glacier')]))
    assert.equal(
      stdout,
      'rom_01K8ZQ4T9V2M6N3R7W5X0Y1ABC\tGlacier\tactive\tedit\t\tinvited_only\t2026-06-30T12:00:00.000Z\n',
    )
  })

  it('has the fields as columns that were asked for', async () => {
    const { stdout } = await shown(['businesses', 'search', '--query', 'bakery', '--fields', 'name,city'], {
      ...page([{ id: 'biz_1', name: 'Bakery', city: 'Boston' }]),
    })
    assert.equal(stdout, 'Bakery\tBoston\n')
  })

  it('is the answer of the service with --json', async () => {
    const { stdout } = await shown(['rooms', 'list', '--json'], page([room('Glacier')]))
    assert.deepEqual(JSON.parse(stdout), page([room('Glacier')]))
  })

  it('says on a terminal that there is more, and nothing with --quiet', async () => {
    const more = page([room('Glacier')], true)
    assert.match((await shown(['rooms', 'list'], more, { terminal: 80 })).stderr, /There are more: .*--all/)
    assert.equal((await shown(['rooms', 'list', '--quiet'], more, { terminal: 80 })).stderr, '')
    assert.equal((await shown(['rooms', 'list'], more)).stderr, '')
  })

  it('that is empty prints nothing', async () => {
    for (const terminal of [undefined, 80])
      assert.equal((await shown(['rooms', 'list'], page([]), terminal ? { terminal } : {})).stdout, '')
  })
})

describe('one resource', () => {
  it('is shown by its values, with the way to each', async () => {
    const { stdout } = await shown(
      ['rooms', 'get', room('x').room_id],
      { room: room('Glacier'), request_id: 'req_1' },
      {
        terminal: 80,
        env: { NO_COLOR: '1' },
      },
    )
    assert.match(stdout, /^room_id: {19,} rom_01K8/)
    assert.match(stdout, /\nattachments\[0\]\.label: +Bakery\n/)
    assert.doesNotMatch(stdout, /purpose|request_id/)
  })

  it('is lines with a tab for a program, with empty values too', async () => {
    const { stdout } = await shown(['rooms', 'get', room('x').room_id], { room: room('Glacier') })
    assert.match(stdout, /\ntitle\tGlacier\npurpose\t\nstatus\tactive\n/)
  })
})

describe('text of others', () => {
  it('cannot control the terminal, in a table, in a view or in JSON', async () => {
    const get = ['rooms', 'get', room('x').room_id]
    for (const terminal of [undefined, 120])
      for (const [words, body] of [
        [['rooms', 'list'], page([room(hostile)])],
        [['rooms', 'list', '--json'], page([room(hostile)])],
        [['rooms', 'list', '--all'], page([room(hostile)])],
        [['rooms', 'list', '--all', '--json'], page([room(hostile)])],
        [get, { room: room(hostile, { [hostile]: 1 }) }],
        [[...get, '--json'], { room: room(hostile) }],
      ] as const) {
        const { stdout } = await shown(words, body, { env: { NO_COLOR: '1' }, ...(terminal && { terminal }) })
        assert.doesNotMatch(stdout, /(?![\n\t])[\p{Cc}\p{Bidi_Control}]/u)
        assert.ok(stdout.includes('Deal'))
      }
  })

  it('cannot control the terminal beside an answer, or in a problem', async () => {
    const create = ['rooms', 'create', '--title', 'Glacier']
    const { stderr } = await shown(
      create,
      { room: room('Glacier'), action_receipt: { changed: [hostile] }, idempotent_replay: false },
      { terminal: 80 },
    )
    const conflict = {
      title: hostile,
      code: 'revision_conflict',
      status: hostile,
      detail: hostile,
      request_id: hostile,
      retryable: false,
      expected: hostile,
      current: hostile,
      changed_fields: [hostile],
    }
    const { access } = fakeService({ status: 409, body: conflict })
    const refused = await run(create, { access, terminal: 80 })
    for (const text of [stderr, refused.stderr]) {
      assert.doesNotMatch(text, /(?!\n)[\p{Cc}\p{Bidi_Control}]/u)
      assert.ok(text.includes('Deal'), text)
    }
  })

  it('stays what it is in JSON', async () => {
    const { stdout } = await shown(['rooms', 'list', '--json'], page([room(hostile)]))
    assert.equal((JSON.parse(stdout) as { data: { title: string }[] }).data[0]?.title, hostile)
  })
})

describe('a change', () => {
  const answer = (idempotent_replay: boolean) => ({
    room: room('Glacier'),
    action_receipt: { changed: ['title'] },
    request_id: 'req_1',
    original_request_id: 'req_1',
    idempotent_replay,
  })
  const create = ['rooms', 'create', '--title', 'Glacier']

  it('says on a terminal what it changed, and anywhere that it is a replay', async () => {
    const first = await shown(create, answer(false), { terminal: 80 })
    assert.equal(first.stderr, 'Done: wbs rooms create (changed: title)\n')
    assert.equal((await shown(create, answer(false))).stderr, '')
    assert.match((await shown(create, answer(true))).stderr, /answer to an earlier request/)
    assert.equal((await shown([...create, '--quiet'], answer(true))).stderr, '')
  })

  it('shows a secret on standard output alone, once', async () => {
    const key = { data: { key_id: 'k', name: 'x' }, secret: 'svc_secret', idempotent_replay: false }
    const { stdout, stderr } = await shown(
      ['api-keys', 'create', '--name', 'x', '--scopes', 'rooms:read', '--verbose'],
      key,
    )
    assert.match(stdout, /secret\tsvc_secret/)
    assert.match(stderr, /secret is shown this once/)
    assert.doesNotMatch(stderr, /svc_secret|a-token/)
  })

  it('tells with --verbose what was sent: no query, no secret', async () => {
    const { stderr } = await shown(['rooms', 'list', '--title', 'confidential', '--verbose'], page([]))
    assert.match(stderr, /^GET \/v1\/rooms: 200 after \d+ ms\n {2}svc-request-id: req_1\n$/)
  })
})

describe('content', () => {
  const content = Buffer.from([0, 255, 10, 13, 27])
  const words = ['files', 'download', 'fil_01K8ZQ4T9V2M6N3R7W5X0Y1ABC']
  const digestOf = (bytes: Uint8Array) => `sha-256=:${createHash('sha256').update(bytes).digest('base64')}:`
  const serving = (digest: string) =>
    fakeService({ body: content, headers: { 'content-type': 'application/pdf', 'repr-digest': digest } })
      .access
  let folder: string
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wbs-content-'))
  })
  after(() => rm(folder, { recursive: true }))

  it('goes to standard output as it is', async () => {
    const { bytes, code } = await run(words, { access: serving(digestOf(content)) })
    assert.equal(code, 0)
    assert.deepEqual(bytes, content)
  })

  it('goes to a file, which is replaced only with --force', async () => {
    const file = join(folder, 'plan.pdf')
    const access = serving(digestOf(content))
    const { code, stderr } = await run([...words, '--output', file], { access })
    assert.equal(code, 0)
    assert.match(stderr, /5 bytes .* saved to /)
    assert.deepEqual(await readFile(file), content)
    const again = await run([...words, '--output', file], { access })
    assert.equal(again.code, 1)
    assert.match(again.stderr, /exists\. --force replaces it/)
    assert.equal((await run([...words, '--output', file, '--force'], { access })).code, 0)
  })

  it('that was damaged on its way is refused, and no file is written', async () => {
    const before = await readdir(folder)
    const access = serving(digestOf(Buffer.from('other')))
    const { code, stderr } = await run([...words, '--output', join(folder, 'damaged.pdf')], { access })
    assert.equal(code, 1)
    assert.match(stderr, /damaged on its way/)
    assert.deepEqual(await readdir(folder), before)
  })
})
