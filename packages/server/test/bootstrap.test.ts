import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import {
  appendFileSync,
  copyFileSync,
  existsSync,
  mkdirSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs'
import { dirname, join } from 'node:path'
import { describe, test } from 'node:test'
import { eventually } from './harness/eventually.ts'
import {
  begin,
  bootstrap,
  counting,
  environment,
  fixture,
  installByHand,
  listenTo,
  LOCKED,
  npmRuns,
  withProgram,
  writeEntry,
} from './bootstrap-fixture.ts'

const PRODUCTION = ['needed', 'ours']
const isLinux = process.platform === 'linux'
const ALL = [...PRODUCTION, 'tool']

describe('what the bootstrap installs', { timeout: 240_000 }, () => {
  test('on a fresh machine the production dependencies for start, said in one line that leaves stdout alone', async t => {
    const root = fixture(t)
    const ended = await bootstrap(root, ['start'])
    assert.deepEqual(ended, {
      code: 0,
      signal: null,
      out: 'ran []\n',
      err: 'Installing dependencies (first run)…\n',
    })
    assert.match(npmRuns(root).join(), /^install --no-save --omit=dev /)
  })

  test('the same for a file of the reader, which it runs with what is given', async t => {
    const root = fixture(t)
    writeFileSync(join(root, 'first.ts'), 'console.log("first", process.argv.slice(2) satisfies string[])')
    const { code, out } = await bootstrap(root, ['node', 'first.ts', 'a'])
    assert.deepEqual([code, out], [0, "first [ 'a' ]\n"])
    assert.match(npmRuns(root).join(), /^install --no-save --omit=dev /)
  })

  test('nothing the second time', async t => {
    const root = fixture(t)
    await bootstrap(root, ['start'])
    assert.equal((await bootstrap(root, ['start'])).err, '')
    assert.equal((await bootstrap(root, ['wbs'])).err, '')
    assert.equal(npmRuns(root).length, 1)
  })

  test('the rest when a command needs it, beside what may be in use, and never less again', async t => {
    const root = fixture(t)
    await bootstrap(root, ['start'])
    writeFileSync(join(root, 'node_modules/needed/in-use'), '')
    assert.equal((await bootstrap(root, ['test'])).err, 'Updating dependencies…\n')
    assert.match(npmRuns(root)[1]!, /--include=dev/)
    assert.ok(existsSync(join(root, 'node_modules/needed/in-use')))
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({ packages: { ...LOCKED, 'node_modules/new': { version: '1.0.0' } } }),
    )
    await bootstrap(root, ['start'])
    assert.match(npmRuns(root)[2]!, /--include=dev/)
  })

  describe('the large programs beside the rest, by tar', () => {
    test('from what npm has fetched before, less the headers', async t => {
      const root = fixture(t)
      const cache = withProgram(root)
      mkdirSync(dirname(cache), { recursive: true })
      copyFileSync(join(root, 'program.tgz'), cache)
      assert.equal(
        (await bootstrap(root, ['start'], { npm_config_cache: join(root, 'cache') })).out,
        'ran []\n',
      )
      assert.match(
        npmRuns(root).join(),
        /^install --no-save --omit=dev --omit=optional [^,]*--prefer-offline$/,
      )
      assert.equal(readFileSync(join(root, 'node_modules/@big/program/bin/program'), 'utf8'), 'runs')
      assert.ok(!existsSync(join(root, 'node_modules/@big/program/include')))
      assert.ok(!existsSync(join(root, 'node_modules/.wbs-programs')))
      assert.equal((await bootstrap(root, ['start'])).err, '')
    })

    test('else by npm pack', async t => {
      const root = fixture(t)
      withProgram(root)
      await bootstrap(root, ['start'])
      assert.match(npmRuns(root).toSorted()[1]!, /^pack @big\/program@4\.0\.0 /)
      assert.equal(npmRuns(root).length, 2)
      assert.equal(readFileSync(join(root, 'node_modules/@big/program/bin/program'), 'utf8'), 'runs')
    })

    test('not if it is another archive than the lock file names: then npm installs all', async t => {
      const root = fixture(t)
      withProgram(root)
      appendFileSync(join(root, 'program.tgz'), 'x')
      assert.equal((await bootstrap(root, ['start'])).out, 'ran []\n')
      assert.match(npmRuns(root).at(-1)!, /^install --no-save --omit=dev --include=optional /)
      assert.ok(!existsSync(join(root, 'node_modules/@big/program/bin')))
      assert.ok(existsSync(join(root, 'node_modules/@big/program')))
    })

    test('nor for the development dependencies', async t => {
      const root = fixture(t)
      withProgram(root)
      await bootstrap(root, ['test'])
      assert.match(npmRuns(root).join(), /^install --no-save --include=dev --include=optional [^,]*$/)
    })
  })

  for (const [what, names, asked, runs] of [
    ['all', ALL, 'test', 0],
    ['the production dependencies', PRODUCTION, 'start', 0],
    ['the production dependencies alone', PRODUCTION, 'test', 1],
    ['too little for the platform', ['needed', 'tool'], 'start', 1],
  ] as const) {
    test(`${runs === 0 ? 'nothing' : 'what is missing'} for ${asked} when somebody installed ${what}`, async t => {
      const root = fixture(t)
      installByHand(root, names)
      assert.equal((await bootstrap(root, [asked])).code, 0)
      assert.equal(npmRuns(root).length, runs)
    })
  }

  test('everything again when somebody removed packages behind our back or another version is locked', async t => {
    const root = fixture(t)
    await bootstrap(root, ['test'])
    installByHand(root, PRODUCTION) // as `npm prune` leaves it, with our stamp still there
    await bootstrap(root, ['test'])
    assert.equal(npmRuns(root).length, 2)
    writeFileSync(
      join(root, 'package-lock.json'),
      JSON.stringify({ packages: { ...LOCKED, 'node_modules/needed': { version: '1.0.1' } } }),
    )
    await bootstrap(root, ['test'])
    assert.equal(npmRuns(root).length, 3)
  })

  test('from nothing after an installation that was killed, whose packages may be half unpacked', async t => {
    const root = fixture(t)
    await bootstrap(root, ['start'])
    const { child, ended } = begin(root, ['test'], { FAKE_NPM: 'hang' })
    await eventually(() => npmRuns(root).length === 2)
    process.kill(-child.pid!, 'SIGKILL')
    await ended
    mkdirSync(join(root, 'node_modules/tool/half'), { recursive: true })
    assert.equal((await bootstrap(root, ['start'])).err, '', 'what was whole before serves on')
    assert.equal((await bootstrap(root, ['test'])).code, 0)
    assert.equal(existsSync(join(root, 'node_modules/tool/half')), false)
    assert.equal(existsSync(join(root, '.wbs-installing')), false)
  })

  test('one time when two processes need it at once', async t => {
    const root = fixture(t)
    const slow = { FAKE_NPM: 'slow' }
    const ended = await Promise.all([bootstrap(root, ['start'], slow), bootstrap(root, ['wbs'], slow)])
    assert.deepEqual(
      ended.map(({ code }) => code),
      [0, 0],
    )
    assert.equal(npmRuns(root).length, 1)
    assert.match(ended.map(({ err }) => err).join(''), /Waiting for another process/)
  })

  test('also when the lock of a dead process is in the way, whether or not it tells its owner', async t => {
    const root = fixture(t)
    const lock = join(root, '.wbs-installing')
    mkdirSync(lock)
    writeFileSync(join(lock, 'owner.json'), JSON.stringify({ pid: process.pid, since: 'long ago' }))
    assert.equal((await bootstrap(root, ['start'])).code, 0)
    rmSync(join(root, 'node_modules'), { recursive: true })
    mkdirSync(lock)
    utimesSync(lock, 1, 1)
    assert.equal((await bootstrap(root, ['start'])).code, 0)
    assert.equal(npmRuns(root).length, 2)
  })

  test('a failure of npm ends in one sentence, and is tried again the next time', async t => {
    const root = fixture(t)
    const failed = await bootstrap(root, ['start'], { FAKE_NPM: 'fail' })
    assert.equal(failed.code, 1)
    assert.match(failed.err, /\nThe dependencies could not be installed \(see npm's message above\)\.\n$/)
    assert.equal((await bootstrap(root, ['start'])).code, 0)
  })

  test('an interrupted installation ends by the signal and stops npm', async t => {
    const root = fixture(t)
    const { child, ended } = begin(root, ['start'], { FAKE_NPM: 'hang' })
    await eventually(() => npmRuns(root).length === 1)
    child.kill('SIGTERM')
    assert.equal((await ended).signal, 'SIGTERM')
    assert.equal(existsSync(join(root, '.wbs-installing')), false)
  })
})

describe('what the bootstrap runs', { timeout: 240_000 }, () => {
  test("is the command's entry with its arguments, less npm's dashes, ending with its code", async t => {
    const root = fixture(t)
    writeEntry(root, 'console.log(JSON.stringify([process.argv.slice(2), process.env.PATH]));process.exit(7)')
    const { code, out } = await bootstrap(root, ['start', '--', 'a', '--', '--b'])
    const [args, path]: [string[], string] = JSON.parse(out)
    assert.equal(code, 7)
    assert.deepEqual(args, ['a', '--', '--b'])
    assert.ok(path.startsWith(`${join(root, 'node_modules/.bin')}:`))
  })

  test('has what keeps the memory of the service small, and what its environment says of it goes first', async t => {
    const root = fixture(t)
    writeEntry(
      root,
      'console.log(process.env.MALLOC_ARENA_MAX, process.env.MALLOC_MMAP_THRESHOLD_, ...process.execArgv)',
    )
    const flags = '--max-semi-space-size=8 --max-old-space-size=384'
    assert.equal((await bootstrap(root, ['start'])).out, `1 131072 ${flags}\n`)
    assert.equal((await bootstrap(root, ['start'], { MALLOC_ARENA_MAX: '4' })).out, `4 131072 ${flags}\n`)
  })

  test('runs on the pinned Node, or on this one where that cannot run', { skip: !isLinux }, async t => {
    const root = fixture(t)
    await bootstrap(root, ['start'])
    const pinned = join(root, `node_modules/node-linux-${process.arch}/bin/node`)
    mkdirSync(dirname(pinned), { recursive: true })
    writeFileSync(pinned, `#!/bin/sh\necho pinned; exec ${process.execPath} "$@"`, { mode: 0o755 })
    assert.equal((await bootstrap(root, ['start'])).out, 'pinned\nran []\n')
    writeFileSync(pinned, '#!/lib/of-another-libc\n')
    assert.equal((await bootstrap(root, ['start'])).out, 'ran []\n')
  })

  test('is refused in one sentence where there is no such command', async t => {
    const { code, err } = await bootstrap(fixture(t), ['stop'])
    assert.deepEqual(
      [code, err],
      [
        1,
        'Unknown command; there are start, wbs, node, test, proof, check, generate, build, new, release, bench, mutants, sql.\n',
      ],
    )
  })

  test('has its death by a signal passed on', async t => {
    const root = fixture(t)
    writeEntry(root, "process.kill(process.pid, 'SIGKILL')")
    assert.equal((await bootstrap(root, ['start'])).signal, 'SIGKILL')
  })

  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) {
    test(`gets a ${signal} once however often it comes, and may end in its own time`, async t => {
      const root = fixture(t)
      writeEntry(root, counting(signal))
      const { child, ended, said } = begin(root, ['start'])
      await eventually(() => said.out === 'up\n')
      child.kill(signal)
      child.kill(signal)
      const { code, out } = await ended
      assert.deepEqual([code, out], [3, `up\n${signal} 1\n`])
    })
  }

  test('does not outlive npm, even one that was killed with its shell left behind', async t => {
    const root = fixture(t)
    writeEntry(root, counting('SIGTERM'))
    await bootstrap(root, ['test']) // installs
    const script = `"$0" "$1" start; true`
    const npm = `require('node:child_process').spawn('/bin/sh', ['-c', ${JSON.stringify(script)}, ...process.argv.slice(1)], { stdio: 'inherit' })`
    const options = ['-e', npm, process.execPath, join(root, 'scripts/bootstrap.cjs')]
    const { child, ended, said } = listenTo(
      spawn(process.execPath, options, {
        env: { ...environment(root), npm_lifecycle_event: 'start' },
        stdio: ['ignore', 'pipe', 'inherit'],
      }),
    )
    await eventually(() => said.out === 'up\n')
    child.kill('SIGKILL')
    assert.equal((await ended).out, 'up\nSIGTERM 1\n')
  })
})
