import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { createHash, randomBytes } from 'node:crypto'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { createServer, type AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '@wbs/sdk'
import { usedDataFolder, type DataFolder, type ServiceProcess } from '../../server/test/harness/process.ts'
import { runInOneProcess } from './one-process/run-in-one-process.ts'

const wbs = new URL('../src/wbs.ts', import.meta.url).pathname
const mebibyte = 1024 * 1024

/** A port on which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer()
  await new Promise<void>(resolve => server.listen(0, '127.0.0.1', resolve))
  const { port } = server.address() as AddressInfo
  await new Promise(resolve => server.close(resolve))
  return port
}

describe('wbs upload', () => {
  let data: DataFolder
  let service: ServiceProcess
  let folder: string
  let client: Client
  before(async () => {
    data = await usedDataFolder()
    service = await data.start({ SVC_SAMPLE_DATA: 'off' })
    const { base_url, workspace_id, users } = await service.quickstart()
    client = createClient({ base_url, workspace_id, access_token: users.owner?.access_token ?? '' })
    folder = await mkdtemp(join(tmpdir(), 'wbs-upload-'))
  })
  after(async () => {
    await data.remove()
    await rm(folder, { recursive: true, force: true })
  })

  function environment(env: Record<string, string>): NodeJS.ProcessEnv {
    const { DATABASE_URL: _url, SVC_DATA_DIR: _folder, ...inherited } = process.env
    return { ...inherited, XDG_CONFIG_HOME: folder, ...env }
  }
  function start(args: readonly string[], env: Record<string, string> = { SVC_DATA_DIR: data.path }) {
    const child = spawn(process.execPath, [wbs, 'upload', ...args], { cwd: folder, env: environment(env) })
    const said = { stdout: '', stderr: '' }
    child.stdout.on('data', (text: Buffer) => (said.stdout += text))
    child.stderr.on('data', (text: Buffer) => (said.stderr += text))
    const ended = new Promise<{ code: number | null; stdout: string; stderr: string }>(resolve =>
      child.on('close', code => resolve({ code, ...said })),
    )
    return { child, ended }
  }
  /** Runs it in one process for all such runs. */
  const runWith = (args: readonly string[], env: Record<string, string>) =>
    runInOneProcess({ args: ['upload', ...args], env: environment(env), cwd: folder, stdin: '' })
  const run = (...args: string[]) => runWith(args, { SVC_DATA_DIR: data.path })

  async function write(path: string, content: string | Uint8Array): Promise<void> {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }

  /** Writes small files in folders and one of 9 MiB, which has two parts. */
  async function writeDeal(name: string, small: number): Promise<Map<string, string>> {
    const paths = Array.from({ length: small }, (_, at) => `Year ${at % 4}/Month ${at % 3}/Ünïcode ${at}.txt`)
    for (const path of paths) await write(`${name}/${path}`, `${path} ${randomBytes(200).toString('hex')}\n`)
    await write(`${name}/Plans/scan.bin`, randomBytes(9 * mebibyte))
    return hashes(name, [...paths, 'Plans/scan.bin'])
  }

  async function hashes(name: string, paths: readonly string[]): Promise<Map<string, string>> {
    const entries = paths.map(async path => {
      const content = await readFile(join(folder, name, path))
      return [path, createHash('sha256').update(content).digest('hex')] as const
    })
    return new Map((await Promise.all(entries)).toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  async function newRoom(): Promise<string> {
    return (await client.createRoom({ title: 'Data room' })).room.room_id
  }

  /** The SHA-256 of what the Room has at each place. Each place must have one File, which is ready. */
  async function inRoom(room_id: string): Promise<Map<string, string>> {
    const found: [string, string][] = []
    for await (const { index_path, status, file } of client.listRoomFiles.each({ room_id })) {
      assert.deepEqual([status, file.current_version.processing_status], ['active', 'ready'], index_path)
      found.push([index_path, file.current_version.sha256 ?? ''])
    }
    assert.equal(new Set(found.map(([place]) => place)).size, found.length)
    return new Map(found.toSorted(([a], [b]) => (a < b ? -1 : 1)))
  }

  const numbers = (stdout: string) =>
    Object.fromEntries(
      [...stdout.matchAll(/^ {2}(new|new versions|continued|unchanged|failed|not done) +(\d+)$/gm)].map(
        ([, what = '', number]) => [what, Number(number)],
      ),
    )
  const all = { new: 0, 'new versions': 0, continued: 0, unchanged: 0, failed: 0 }

  describe('with a folder', () => {
    let room: string
    let expected: Map<string, string>
    before(async () => {
      room = await newRoom()
      expected = await writeDeal('deal', 24)
      await write('deal/.DS_Store', 'x')
      await symlink('/etc/passwd', join(folder, 'deal/link.txt'))
    })

    it('says what it would do, and sends nothing, if that is asked for', async () => {
      const { code, stdout } = await run('deal', '--room', room, '--dry-run')
      assert.deepEqual([code, numbers(stdout)], [0, { ...all, new: 25 }])
      assert.ok(stdout.includes('  Plans/scan.bin: new\n'), stdout)
      assert.equal((await inRoom(room)).size, 0)
    })

    it('brings every file to its place in the Room, and says what it skips', async () => {
      const { code, stdout, stderr } = await start(['deal', '--room', room]).ended
      assert.equal(code, 0, stdout + stderr)
      assert.deepEqual(numbers(stdout), { ...all, new: 25 })
      assert.match(stdout, /^25 files, 9\.4 MB sent in [\d.]+ s\n/)
      assert.match(stdout, /^ {2}deal\/\.DS_Store: its name begins with a dot$/m)
      assert.match(stdout, /^ {2}deal\/link\.txt: it is a symbolic link$/m)
      assert.deepEqual(await inRoom(room), expected)
    })

    it('sends nothing a second time', async () => {
      const { code, stdout } = await run('deal', '--room', room)
      assert.deepEqual([code, numbers(stdout)], [0, { ...all, unchanged: 25 }])
      assert.match(stdout, /^25 files, 0 B sent/)
    })

    it('adds a version where a file has changed', async () => {
      const changed = 'Year 1/Month 1/Ünïcode 1.txt'
      await write(`deal/${changed}`, 'Corrected.\n')
      const { code, stdout } = await run('deal', '--room', room, '--json')
      const summary = JSON.parse(stdout) as {
        results: { index_path: string; result: string }[]
        sent_bytes: number
      }
      assert.equal(code, 0)
      assert.deepEqual(
        summary.results.filter(({ result }) => result !== 'unchanged'),
        [{ path: `deal/${changed}`, index_path: changed, result: 'new_version' }],
      )
      assert.equal(summary.sent_bytes, 'Corrected.\n'.length)
      expected = await hashes('deal', [...expected.keys()])
      assert.deepEqual(await inRoom(room), expected)
    })

    it('puts files below the place that --under names', async () => {
      const { code } = await run(
        'deal/Plans',
        'deal/Year 0/Month 0/Ünïcode 0.txt',
        '--room',
        room,
        '--under',
        '/A/B/',
      )
      assert.equal(code, 0)
      const places = [...(await inRoom(room)).keys()].filter(place => place.startsWith('A/'))
      assert.deepEqual(places, ['A/B/scan.bin', 'A/B/Ünïcode 0.txt'].sort())
    })
  })

  it('ends with the same Files when it is run again after SIGKILL, and after SIGINT', async () => {
    const room = await newRoom()
    const expected = await writeDeal('broken-off', 36)
    let before = 0
    for (const [signal, code] of [
      ['SIGKILL', null],
      ['SIGINT', 130],
    ] as const) {
      const { child, ended } = start(['broken-off', '--room', room])
      while ((await client.listRoomFiles({ room_id: room, limit: 100 })).data.length < before + 5)
        await sleep(10)
      child.kill(signal)
      const { code: ending, stderr } = await ended
      assert.equal(ending, code, stderr)
      if (signal === 'SIGINT') assert.match(stderr, /^Interrupted\. Run the same command again/m)
      before = (await client.listRoomFiles({ room_id: room, limit: 100 })).data.length
      assert.ok(before < 37, `after ${signal}`)
    }
    const last = await start(['broken-off', '--room', room]).ended
    assert.equal(last.code, 0, last.stdout + last.stderr)
    assert.ok((numbers(last.stdout)['new'] ?? 37) < 37)
    assert.deepEqual(await inRoom(room), expected)
  })

  it('sends only the missing parts of an upload that was begun', async () => {
    const room = await newRoom()
    const content = randomBytes(9 * mebibyte)
    await write('large/scan.bin', content)
    const { upload } = await client.createFileUpload({
      name: 'scan.bin',
      content_type: 'application/octet-stream',
      size_bytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      room_id: room,
    })
    const { upload_id, part_size_bytes } = upload
    const { parts } = await client.createPartUrls({ upload_id, part_numbers: [1] })
    for (const { url, headers } of parts)
      assert.ok((await fetch(url, { method: 'PUT', headers, body: content.subarray(0, part_size_bytes) })).ok)
    const { stdout } = await run('large', '--room', room, '--json')
    const summary = JSON.parse(stdout) as { results: { result: string }[]; sent_bytes: number }
    assert.deepEqual(
      [summary.results.map(({ result }) => result), summary.sent_bytes],
      [['continued'], content.length - part_size_bytes],
    )
    assert.deepEqual(await inRoom(room), await hashes('large', ['scan.bin']))
  })

  it('uploads the others and ends with 1 where a file cannot be uploaded, and says why', async () => {
    const room = await newRoom()
    await write('odd/good.txt', 'Good.\n')
    await write('odd/empty.txt', '')
    await write('odd/empty.pdf', '')
    await write('odd/a\\b.txt', 'x')
    await write('odd/bell\u0007.txt', 'x')
    await write('odd/no.pdf', randomBytes(100))
    const { code, stdout } = await run('odd', 'odd/good.txt', 'large/scan.bin', '--room', room)
    assert.equal(code, 1)
    assert.deepEqual(numbers(stdout), { ...all, new: 3, failed: 4 })
    const failures = stdout.slice(stdout.indexOf('Failed:'))
    for (const line of [
      'odd/a\\b.txt: its path has a control character or a backslash',
      'odd/bell?.txt: its path has a control character or a backslash',
      'odd/empty.pdf: empty.pdf is empty. Only text can be empty; application/pdf must have content',
      'odd/no.pdf: the content is not of the type that was announced',
    ])
      assert.ok(failures.includes(`  ${line}\n`) || failures.endsWith(`  ${line}\n`), `${line}\n${stdout}`)
    const again = await run('odd', '--room', room)
    assert.match(again.stdout, /odd\/no\.pdf: the service did not accept it before: type_mismatch/)
    assert.deepEqual(numbers(again.stdout), { ...all, unchanged: 2, failed: 4 })
  })

  it('ends with one plain sentence where nothing can be uploaded', async () => {
    await write('one.txt', 'One.\n')
    const room = await newRoom()
    const { api_key, base_url, workspace_id } = await service.quickstart()
    const nowhere = `http://127.0.0.1:${await closedPort()}`
    const key = { WBS_API_KEY: api_key.secret, WBS_WORKSPACE: workspace_id }
    for (const [args, env, message] of [
      [['one.txt'], {}, /^There is no credential: sign in with wbs login, or set WBS_TOKEN/],
      [['one.txt', '--url', 'http://127.0.0.2:1'], { SVC_DATA_DIR: data.path }, /^There is no credential/],
      [['one.txt'], { WBS_TOKEN: 'a', WBS_API_KEY: 'b' }, /^Set WBS_TOKEN or WBS_API_KEY, not both/],
      [['one.txt'], { WBS_TOKEN: 'a' }, /^Name the Workspace by --workspace/],
      [['one.txt'], { ...key, WBS_URL: 'ftp://x' }, /^--url or WBS_URL must be the address/],
      [['one.txt'], { ...key, WBS_URL: nowhere }, /cannot be read at http:.*: nothing listens there/],
      [['one.txt'], { ...key, WBS_API_KEY: 'wrong', WBS_URL: base_url }, /unauthenticated/],
      [['none.txt'], { SVC_DATA_DIR: data.path }, /^none\.txt cannot be read: there is no such file/],
      [['/dev/null'], { SVC_DATA_DIR: data.path }, /^\/dev\/null is neither a file nor a folder/],
      [
        ['one.txt', '--room', `${room.slice(0, -1)}_`],
        { SVC_DATA_DIR: data.path },
        /^The Room .* cannot be read/,
      ],
    ] as [string[], Record<string, string>, RegExp][]) {
      const { code, stdout, stderr } = await runWith(['--room', room, ...args], env)
      assert.deepEqual([code, stdout], [1, ''], message.source)
      assert.match(stderr, message)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
    }
  })
})
