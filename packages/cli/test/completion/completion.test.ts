import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { existsSync, writeFileSync } from 'node:fs'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { Argument, Command, Option } from 'commander'
import { bashScript } from '../../src/completion/bash-script.ts'
import { readCommandTree } from '../../src/completion/command-tree.ts'
import { fishScript } from '../../src/completion/fish-script.ts'
import { zshScript } from '../../src/completion/zsh-script.ts'
import { quoted } from '../../src/completion/quoted.ts'
import { operationCommands, wordsOf } from '../../src/operations/command/operation-command.ts'
import { runWbs } from '../run-wbs.ts'

type Shell = 'bash' | 'zsh' | 'fish'

/** What each shell offers for the last word of each line. */
const programs: Record<Shell, (script: string, lines: readonly (readonly string[])[]) => string> = {
  bash: (script, lines) =>
    [
      `source ${quoted(script)}`,
      ...lines.map(
        words =>
          `COMP_WORDS=(${words.map(quoted).join(' ')}); COMP_CWORD=${words.length - 1}; _wbs; printf '%s\\n' "\${COMPREPLY[@]}" ===`,
      ),
    ].join('\n'),
  // zsh completes only while somebody types, so what it would be told is printed.
  zsh: (script, lines) =>
    [
      'compdef() { }',
      '_describe() { local -a all; all=("${(@P)@[-1]}"); print -rl -- "${(@)all%%:*}" }',
      'compadd() { shift; print -rl -- "$@" }',
      '_files() { print -rl -- *(N) }',
      `source ${quoted(script)}`,
      ...lines.map(
        words =>
          `words=(${words.map(quoted).join(' ')}); CURRENT=${words.length}; PREFIX=${quoted(words.at(-1) ?? '')}; _wbs; print -r '==='`,
      ),
    ].join('\n'),
  fish: (script, lines) =>
    [
      `source ${quoted(script)}`,
      ...lines.map(words => `complete -C ${quoted(words.join(' '))}; echo ===`),
    ].join('\n'),
}
const flags: Record<Shell, string[]> = { bash: ['--norc'], zsh: ['-f'], fish: ['--no-config'] }
const isThere = (shell: Shell) => spawnSync(shell, ['--version']).status === 0

function offered(
  shell: Shell,
  script: string,
  lines: readonly (readonly string[])[],
  cwd: string,
): string[][] {
  const program = `${script}.test`
  writeFileSync(program, programs[shell](script, lines))
  const said = execFileSync(shell, [...flags[shell], program], { encoding: 'utf8', cwd })
  const groups = said.split('===\n').slice(0, -1)
  // Like the person's eye: what begins as the word that was typed, without what is said about it.
  return groups.map((group, at) =>
    group
      .split('\n')
      .map(line => line.split('\t')[0] ?? '')
      .filter(word => word !== '' && word.startsWith(lines[at]?.at(-1) ?? '')),
  )
}

function sampleTree(): Command {
  const root = new Command('wbs').version('1', '--version')
  const rooms = root.command('rooms').alias('room').description('Rooms')
  rooms
    .command('list')
    .description('List what isn\'t closed: $(touch hacked) `touch hacked` "x" \\ [y] %s. More.')
    .addOption(new Option('-s, --status <status>', 'its status').choices(['active', 'archived']))
    .option('--all', 'all pages')
    .option('--room <room_id>', 'the Room')
    .option('--output <file>', 'where it goes')
  rooms.command('secret', { hidden: true })
  root.command('send').argument('<path...>').option('--dry-run')
  root.command('shell').addArgument(new Argument('<shell>').choices(['bash', 'zsh']))
  return root
}

describe('the completion of a shell', () => {
  let folder: string
  const script = (shell: Shell) => join(folder, `wbs.${shell}`)
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wbs-completion-'))
    const places = readCommandTree(sampleTree())
    await writeFile(script('bash'), bashScript(places))
    await writeFile(script('zsh'), zshScript(places))
    await writeFile(script('fish'), fishScript(places))
    await mkdir(join(folder, 'files'))
    await mkdir(join(folder, 'empty'))
    await writeFile(join(folder, 'files', 'a file.txt'), '')
  })
  after(() => rm(folder, { recursive: true }))

  const shells: Shell[] = ['bash', 'zsh', 'fish']
  for (const shell of shells)
    it(`${shell}: commands, flags, their values and files, by the place in the line`, t => {
      if (!isThere(shell)) return t.skip(`there is no ${shell}`)
      const lines = [
        ['wbs', ''],
        ['wbs', 'r'],
        ['wbs', 'rooms', ''],
        ['wbs', 'room', 'list', '--'],
        ['wbs', 'rooms', 'list', '--all', '--status', ''],
        ['wbs', 'rooms', 'list', '-s', 'ar'],
        ['wbs', 'rooms', 'list', '--room', ''],
        ['wbs', 'shell', 'b'],
        ['wbs', 'send', 'a'],
        ['wbs', 'rooms', 'list', '--output', 'a'],
        ['wbs', '--v'],
      ]
      const answers = offered(shell, script(shell), lines, join(folder, 'files')).map(words =>
        words.toSorted(),
      )
      const [commands, begun, verbs, flagsOfList, values, byShort, unknown, choice, files, output, version] =
        answers
      assert.deepEqual(
        commands?.filter(word => !word.startsWith('-')),
        ['rooms', 'send', 'shell'],
      )
      assert.deepEqual(begun, ['rooms'])
      assert.deepEqual(
        verbs?.filter(word => !word.startsWith('-')),
        ['list'],
      )
      assert.deepEqual(flagsOfList, ['--all', '--help', '--output', '--room', '--status'])
      assert.deepEqual(values, ['active', 'archived'])
      assert.deepEqual(byShort, ['archived'])
      assert.deepEqual(unknown, [])
      assert.deepEqual(choice, ['bash'])
      for (const found of [files, output])
        assert.deepEqual(
          found?.map(name => name.replaceAll('\\', '')),
          ['a file.txt'],
        )
      assert.deepEqual(version, ['--version'])
      assert.equal(existsSync(join(folder, 'files', 'hacked')), false)
    })

  it('bash: a value after =', () => {
    assert.deepEqual(
      offered('bash', script('bash'), [['wbs', 'rooms', 'list', '--status', '=', 'ac']], folder),
      [['active']],
    )
  })

  it('is written for no other shell', async () => {
    const { code, stderr } = await runWbs({}, ['completion', 'powershell'])
    assert.equal(code === 0, false)
    assert.match(stderr, /Allowed choices are bash, zsh, fish/)
  })

  it('knows every command and flag that wbs itself explains', async () => {
    const { stdout } = await runWbs({}, ['completion', 'bash'])
    await writeFile(script('bash'), stdout)
    const found: string[][] = []
    for (let places: string[][] = [[]]; places.length > 0;) {
      const lines = places.map(place => ['wbs', ...place, ''])
      const below = offered('bash', script('bash'), lines, join(folder, 'empty'))
      found.push(...places)
      places = places.flatMap((place, at) =>
        (below[at] ?? [])
          .filter(word => /^[a-z]/.test(word) && !place.includes('completion'))
          .map(word => [...place, word]),
      )
    }
    const paths = found.map(place => place.join(' '))
    const operations = operationCommands().map(wordsOf)
    for (const path of [
      ...operations,
      'login',
      'auth status',
      'profiles use',
      'lists export',
      'events follow',
    ])
      assert.ok(paths.includes(path), path)
    for (const path of ['login', 'lists export', 'tasks create']) {
      const words = path.split(' ')
      const help = await runWbs({}, [...words, '--help'])
      const explained = [...help.stdout.matchAll(/^ {2}(?:-\w, )?(--[\w-]+)/gm)].map(([, flag = '']) => flag)
      const [flagsThere] = offered('bash', script('bash'), [['wbs', ...words, '--']], folder)
      assert.deepEqual(flagsThere?.toSorted(), explained.toSorted(), path)
    }
    const value = ['wbs', 'tasks', 'create', '--priority', 'u']
    assert.deepEqual(offered('bash', script('bash'), [value], folder), [['urgent']])
  })
})
