import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { fakeService } from './fake-service.ts'
import { run, type Run } from './terminal.ts'

const room = 'rom_01K8ZQ4T9V2M6N3R7W5X0Y1ABC'
const list = 'list_01K8ZQ4T9V2M6N3R7W5X0Y1ABC'

/** Runs a command that must be refused before anything is sent. */
async function refused(words: readonly string[], options: Run = {}): Promise<string> {
  const { access, sent } = fakeService({ body: {} })
  const { code, stdout, stderr } = await run(words, { access, ...options })
  assert.equal(code, 2, stderr)
  assert.equal(stdout, '')
  assert.deepEqual(sent, [])
  return stderr
}

describe('a mistake on the command line', () => {
  it('is told before anything is sent, with what would be right', async () => {
    for (const [words, expected] of [
      [['rooms', 'update', room, '--titel', 'x'], /unknown option '--titel'[\s\S]*Did you mean --title\?/],
      [['rooms', 'updat', room], /unknown command 'updat'[\s\S]*Did you mean update\?/],
      [['roms', 'list'], /unknown command 'roms'[\s\S]*Did you mean [^\n]*rooms/],
      [['rooms', 'get'], /<room_id>: room_id is required/],
      [['rooms', 'get', 'nonsense'], /<room_id>: .*Expected: The ID of a Room/],
      [['rooms', 'get', room, 'surplus'], /too many arguments/],
      [
        ['rooms', 'update', room, '--title', 'x'],
        /--expected-revision: .*required\. --latest takes the one of now/,
      ],
      [
        ['rooms', 'update', room, '--expected-revision', 'three', '--title', 'x'],
        /--expected-revision: .*whole number/,
      ],
      [['rooms', 'update', room, '--expected-revision', '1'], /at least one of title/],
      [
        ['rooms', 'list', '--status', 'activ'],
        /--status: It must be active or archived\. Did you mean active\?/,
      ],
      [['rooms', 'list', '--limit', '0'], /--limit: .*at least 1/],
      [['rooms', 'list', '--limit', '5', '--all'], /--limit: Give --all or --limit/],
      [['events', 'list', '--types', 'room.created,room.closed'], /--types: It must be .*/],
      [['tasks', 'create', '--title', 'x', '--due-at', 'tomorrow'], /--due-at: /],
      [['lists', 'create', '--name', 'x', '--definition', '{'], /--definition: It must be JSON/],
      [
        ['lists', 'create', '--name', 'x', '--definition', '{"rule":{"value":1e-400}}'],
        /--definition: At \/rule\/value: The number would change/,
      ],
      [
        ['rooms', 'update', room, '--expected-revision', '9007199254740993', '--title', 'x'],
        /--expected-revision: The number would change/,
      ],
      [
        ['list-columns', 'create', list, '--name', 'x', '--value-type', 'nummer', '--expected-version', '1'],
        /Did you mean number\?/,
      ],
      [['rooms', 'create', '--title', 'x', '--idempotency-key', 'short'], /--idempotency-key: .*8 to 200/],
      [['rooms', 'create', '--title', 'x', '--input', '/does/not/exist'], /--input: .*cannot be read/],
    ] as const)
      assert.match(await refused(words), expected, words.join(' '))
  })

  it('is told together with all others', async () => {
    const stderr = await refused([
      'rooms',
      'update',
      'x',
      '--expected-revision',
      'a',
      '--general-access',
      'all',
    ])
    for (const where of ['<room_id>', '--expected-revision', '--general-access'])
      assert.ok(stderr.includes(where))
    assert.doesNotMatch(stderr, /at least one of/)
  })

  it('is JSON on standard error with --json', async () => {
    const { code, errors } = JSON.parse(await refused(['rooms', 'list', '--status', 'activ', '--json'])) as {
      code: string
      errors: object[]
    }
    assert.equal(code, 'usage')
    assert.deepEqual(errors, [
      { where: '--status', detail: 'It must be active or archived.', suggestion: 'active' },
    ])
    const unknown = JSON.parse(await refused(['rooms', 'list', '--titel', 'x', '--json'])) as {
      detail: string
    }
    assert.match(unknown.detail, /unknown option '--titel'/)
  })

  it('is told for input in a file, by the name of the flag', async () => {
    const given = JSON.stringify({ title: 'x', purpos: 'y' })
    const stderr = await refused(['rooms', 'create', '--input', '-'], { stdin: given })
    assert.match(stderr, /purpos: .*no parameter with this name.*Did you mean purpose\?/)
    assert.match(
      await refused(['rooms', 'create', '--input', '-'], { stdin: '{' }),
      /--input: It must be JSON/,
    )
    assert.match(await refused(['rooms', 'create', '--input', '-'], { stdin: '[]' }), /JSON object/)
    assert.match(
      await refused(['rooms', 'create', '--input', '-'], { stdin: '{"title":[9007199254740993]}' }),
      /--input \/title\/0: The number would change/,
    )
    const twice = ['files', 'create-text', '--name', 'a.md', '--content-file', '-', '--input', '-']
    assert.match(await refused(twice), /--input reads standard input already/)
  })

  it('is told where no Workspace is known', async () => {
    const { access, sent } = fakeService({ body: {} })
    const { workspace_id: _, ...others } = access
    const { code, stderr } = await run(['rooms', 'list'], { access: others })
    assert.equal(code, 2)
    assert.match(stderr, /--workspace: Name the Workspace/)
    assert.deepEqual(sent, [])
  })

  it('is told where a flag and its file are given', async () => {
    const words = ['invitations', 'accept', '--token', 'secret', '--token-file', '-']
    assert.match(await refused(words), /Give --token or --token-file, not both/)
  })

  it('refuses to write content of any kind to a terminal', async () => {
    const words = ['files', 'download', 'fil_01K8ZQ4T9V2M6N3R7W5X0Y1ABC']
    assert.match(await refused(words, { terminal: 80 }), /--output: Name a file/)
  })
})

describe('a value on the command line', () => {
  const sentBody = async (words: readonly string[], stdin = '') => {
    const { access, sent } = fakeService({ body: {} })
    const { code, stderr } = await run([...words, '--json'], { access, stdin })
    assert.equal(code, 0, stderr)
    return sent[0]?.body
  }

  it('is read by its schema: numbers, booleans, lists, null and JSON', async () => {
    const task = ['tasks', 'create', '--title', '  Sign  ']
    assert.deepEqual(await sentBody([...task, '--due-at', 'null', '--requires-evidence']), {
      title: '  Sign  ',
      due_at: null,
      requires_evidence: true,
    })
    assert.deepEqual(await sentBody([...task, '--no-requires-evidence']), {
      title: '  Sign  ',
      requires_evidence: false,
    })
    const key = ['api-keys', 'create', '--name', 'x']
    assert.deepEqual(
      await sentBody([...key, '--scopes', 'rooms:read,files:read', '--scopes', 'events:read']),
      {
        name: 'x',
        scopes: ['rooms:read', 'files:read', 'events:read'],
      },
    )
    const file = ['files', 'create-text', '--name', 'a.md', '--content', '-x']
    assert.deepEqual(await sentBody([...file, '--tags', 'a, b', '--tags', 'c']), {
      name: 'a.md',
      content: '-x',
      tags: ['a, b', 'c'],
    })
  })

  it('wins over the input in a file or on standard input', async () => {
    const input = JSON.stringify({ title: 'From the file', purpose: null })
    assert.deepEqual(await sentBody(['rooms', 'create', '--input', '-', '--title', 'By flag'], input), {
      title: 'By flag',
      purpose: null,
    })
  })

  it('is read from standard input: text, a secret without its line break, content as Base64', async () => {
    const text = ['files', 'create-text', '--name', 'a.md', '--content-file', '-']
    assert.deepEqual(await sentBody(text, '# A\n'), { name: 'a.md', content: '# A\n' })
    assert.deepEqual(await sentBody(['invitations', 'accept', '--token-file', '-'], 'secret\n'), {
      token: 'secret',
    })
    const upload = ['uploads', 'upload-content', 'upl_01K8ZQ4T9V2M6N3R7W5X0Y1ABC', '--content-file', '-']
    assert.deepEqual(await sentBody(upload, 'Profit'), { content: Buffer.from('Profit').toString('base64') })
  })

  it('null as the whole input is what the operation declares', async () => {
    const holding = ['holdings', 'set', 'pfl_01K8ZQ4T9V2M6N3R7W5X0Y1ABC', 'bakery', '--input', '-']
    assert.deepEqual(await sentBody(holding, 'null'), { removed: true })
  })
})
