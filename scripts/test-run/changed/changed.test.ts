import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { type ImportGraph, namedModules, readImports } from './import-graph.ts'
import { proofFiles } from './proof-files.ts'
import { testsOf } from './tests-of.ts'
import { readTestCommand } from '../command-line.ts'
import { allTestFiles } from '../test-files.ts'

const server = (path: string) => `packages/server/${path}`
const graphOf = (
  modules: Record<string, readonly string[]>,
  texts: Record<string, string> = {},
): ImportGraph =>
  new Map(Object.entries(modules).map(([path, imports]) => [path, { imports, text: texts[path] ?? '' }]))

const [rooms, lists, operations, pure] = [
  server('test/rooms/a.test.ts'),
  server('test/lists/b.test.ts'),
  server('test/operations/c.test.ts'),
  server('test/rooms/room.test.ts'),
] as [string, string, string, string]
const all = [rooms, lists, operations, pure]
const slices = server('src/slices.ts')
const graph = graphOf(
  {
    [rooms]: [slices],
    [lists]: [slices],
    [operations]: [slices],
    [pure]: [server('src/rooms/room.ts')],
    [slices]: [server('src/rooms/handlers.ts'), server('src/lists/handlers.ts'), server('src/call/run.ts')],
    [server('src/rooms/handlers.ts')]: [server('src/rooms/room.ts')],
    [server('src/lists/handlers.ts')]: [server('src/lists/list.ts')],
    [server('src/rooms/room.ts')]: [],
    [server('src/lists/list.ts')]: [],
    [server('src/call/run.ts')]: [],
  },
  { [server('src/lists/list.ts')]: `read('rules.json')` },
)

describe('the tests of a change', () => {
  it('are those of its slice, those that import what changed, and those of all slices', () => {
    assert.deepEqual(testsOf([server('src/rooms/room.ts')], all, graph), [rooms, operations, pure])
    assert.deepEqual(testsOf([server('src/lists/list.ts')], all, graph), [lists, operations])
    assert.deepEqual(testsOf([pure], all, graph), [pure])
  })

  it('are all that start a service, if what all slices use has changed', () => {
    assert.deepEqual(testsOf([server('src/call/run.ts')], all, graph), [rooms, lists, operations])
  })

  it('include those of a module that names a file which is not a module', () => {
    assert.deepEqual(testsOf([server('src/lists/rules.json')], all, graph), [lists, operations])
    assert.deepEqual(testsOf(['docs/other.md'], all, graph), [])
  })

  it('are all of them, if what is installed has changed', () => {
    assert.deepEqual(testsOf(['package-lock.json'], all, graph), all)
  })

  it('follow the modules that a test starts as processes', () => {
    assert.deepEqual(namedModules('packages/cli/test/a.ts', `new URL('../src/wbs.ts', import.meta.url)`), [
      'packages/cli/src/wbs.ts',
    ])
  })
})

describe('in this project', () => {
  const real = readImports()
  const files = allTestFiles()

  it('a handler of Rooms has the tests of Rooms and those that walk the registry, and none of the SDK alone', () => {
    const chosen = testsOf([server('src/rooms/archive-room.ts')], files, real)
    assert.ok(chosen.includes(server('test/rooms/archive-room.test.ts')))
    assert.ok(chosen.some(file => file.startsWith(server('test/operations/'))))
    assert.ok(!chosen.includes('packages/sdk/test/requests.test.ts'))
    assert.ok(!chosen.some(file => file.startsWith(server('test/lists/'))), 'Lists do not import Rooms')
  })

  it('a migration has the tests that have a database', () => {
    const chosen = testsOf([server('src/database/migrations/0001_x.sql')], files, real)
    assert.ok(chosen.includes(server('test/rooms/archive-room.test.ts')))
  })

  it('a part has only the long proofs in its folders', () => {
    const proofs = proofFiles(files, real, [])
    const ofCrashes = proofFiles(files, real, ['crash'])
    for (const file of ofCrashes) assert.match(file, /\/crash\//)
    assert.deepEqual(
      ofCrashes,
      proofs.filter(file => file.includes('/crash/')),
    )
  })
})

describe('the arguments of npm test', () => {
  it('are paths, options of its own, and those of Node', () => {
    assert.deepEqual(readTestCommand(['a.test.ts', '--record-times', '--shuffle=4', '--test-only']), {
      paths: ['a.test.ts'],
      recordTimes: true,
      shuffle: 4,
      nodeOptions: ['--test-only'],
    })
  })

  it('name the commit since which something changed, or none', () => {
    for (const given of [['--changed', 'main'], ['--changed=main']])
      assert.equal(readTestCommand(given).changedSince, 'main')
    assert.equal(readTestCommand(['--changed']).changedSince, null)
    assert.equal(readTestCommand([]).changedSince, undefined)
  })

  it('refuse a seed that is no number', () => {
    assert.throws(() => readTestCommand(['--shuffle=x']), /must be a whole number, not x/)
  })
})
