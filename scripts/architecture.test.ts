import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { judge } from './architecture/judge.ts'
import { layers } from './architecture/layers.ts'
import { readModule } from './architecture/module.ts'

/**
 * The findings in files, given as path and text. One file that every layer may import is added, so that the reader of
 * modules is exercised.
 */
function findingsIn(files: Record<string, string>): string[] {
  const seen = { 'packages/contract/src/seen.ts': `import './seen-too.ts'`, ...files }
  const modules = Object.entries(seen).map(([path, text]) => readModule(path, text))
  return judge(modules, layers).map(({ path, line, message }) => `${path}:${line} ${message}`)
}

const src = 'packages/server/src'
const inSlice = (text: string) =>
  findingsIn({ [`${src}/businesses/get-business.ts`]: text }).map(finding =>
    finding.replace(`${src}/businesses/get-business.ts:`, ''),
  )

describe('the table of layers', () => {
  it('lets the contract know nothing of the others', () => {
    assert.deepEqual(
      findingsIn({
        'packages/contract/src/ids.ts': `import { callerFor } from '../../server/src/call/run.ts'`,
      }),
      [`packages/contract/src/ids.ts:1 contract may not import callerFor of ${src}/call/run.ts`],
    )
    assert.equal(
      findingsIn({ 'packages/contract/src/ids.ts': `import { createClient } from '@wbs/sdk'` }).length,
      1,
    )
  })

  it('lets a slice use what an earlier one shows, and nothing else of it', () => {
    assert.deepEqual(
      inSlice(
        `import { workspace } from '../workspaces/workspace-store.ts'\nimport { mayEnter } from '../workspaces/workspace-access.ts'`,
      ),
      [],
    )
    assert.equal(inSlice(`import { presentWorkspace } from '../workspaces/workspace-view.ts'`).length, 1)
  })

  it('keeps a slice from what a later one shows', () => {
    assert.deepEqual(inSlice(`\nimport { openRoom } from '../rooms/room-store.ts'`), [
      `2 businesses may not import openRoom of ${src}/rooms/room-store.ts`,
    ])
  })

  it('gives a slice a transaction under way, as a type, and no pool', () => {
    assert.deepEqual(inSlice(`import type { Transaction } from '../database/connections/writer.ts'`), [])
    assert.deepEqual(inSlice(`import { type Transaction } from '../database/connections/writer.ts'`), [])
    assert.equal(inSlice(`import { Transaction } from '../database/connections/writer.ts'`).length, 1)
    assert.equal(
      inSlice(`import type { Transaction, WriterPool } from '../database/connections/writer.ts'`).length,
      1,
    )
  })

  it('keeps a slice from the path that runs it', () => {
    assert.deepEqual(inSlice(`import { implement } from '../call/implement.ts'`), [])
    assert.equal(inSlice(`import { callerFor } from '../call/run.ts'`).length, 1)
    assert.equal(inSlice(`import { standingIn } from '../call/authority/standing.ts'`).length, 1)
  })

  it('keeps transports from slices and from the database', () => {
    const path = `${src}/http/server.ts`
    assert.equal(
      findingsIn({
        [path]: `import { fold } from '../businesses/fold.ts'\nimport { read } from '../database/statement.ts'`,
      }).length,
      2,
    )
    assert.deepEqual(
      findingsIn({
        [path]: `import { callerFor } from '../call/run.ts'\nimport { newId } from '@wbs/contract/ids'\nimport Fastify from 'fastify'`,
      }),
      [],
    )
  })

  it('opens to the tool what needs no service', () => {
    assert.deepEqual(
      findingsIn({ 'packages/cli/src/wbs.ts': `import { readConfig } from '@wbs/server/config'` }),
      [],
    )
    assert.equal(
      findingsIn({ 'packages/cli/src/wbs.ts': `import { createApp } from '@wbs/server/app'` }).length,
      1,
    )
  })

  it('knows every file', () => {
    assert.match(findingsIn({ [`${src}/misc/thing.ts`]: '' }).join('\n'), /thing\.ts:1 is in no layer/)
  })
})

describe('an import is seen', () => {
  const forms = {
    'for its names': `import { callerFor } from '../call/run.ts'`,
    'for its effects': `import '../call/run.ts'`,
    'as a whole': `import * as call from '../call/run.ts'`,
    'passed on': `export { callerFor } from '../call/run.ts'`,
    'passed on as a whole': `export * from '../call/run.ts'`,
    'at run time': `const call = await import('../call/run.ts')`,
    'as a type': `import type { Call } from '../call/run.ts'`,
    'within a type': `let call: import('../call/run.ts').Call`,
    'from its package': `import { callerFor } from '@wbs/server/call/run'`,
  }
  for (const [how, text] of Object.entries(forms))
    it(how, () =>
      assert.match(inSlice(`${text}\nlet own`).join('\n'), /^1 businesses may not import .*call\/run\.ts$/),
    )

  it('not in a comment or a text', () => {
    assert.deepEqual(
      inSlice(`// import { callerFor } from '../call/run.ts'\nconst text = "import '../call/run.ts'"`),
      [],
    )
  })
})

describe('the path of every operation', () => {
  const at = (path: string, text: string) =>
    findingsIn({ [`${src}/${path}`]: text }).map(finding => finding.replace(/^.*?:(\d+) /, '$1 '))

  it('adds the routes; a slice and another file of the transport add none', () => {
    const route = `export const add = server => {\n  server.route({ method: 'GET', url: '/v1/x' })\n}`
    assert.match(at('http/more.ts', route).join(), /^2 adds a route/)
    assert.match(at('rooms/routes.ts', `server.get('/v1/x', () => 'x')`).join(), /^1 adds a route/)
    assert.deepEqual(at('http/pages/page.ts', `server.get('/page', () => 'x')`), [])
  })

  it('has the requests and headers; a slice imports no transport, not even as a type', () => {
    assert.match(
      at('rooms/reply.ts', `import type { FastifyReply } from 'fastify'`).join(),
      /^1 imports a transport/,
    )
    assert.match(at('call/reply.ts', `import { request } from 'node:http'`).join(), /^1 imports a transport/)
  })

  it('runs what implement made, in a transaction of its own', () => {
    assert.match(
      at('rooms/own.ts', `export const own = { operation: getRoom, handle: async () => ({}) }`).join(),
      /^1 makes an implementation/,
    )
    assert.match(
      at('rooms/own.ts', `const own = writers =>\n  writers.transaction(scope, work)`).join(),
      /^2 opens a transaction/,
    )
  })

  it('answers problems; a slice catches none', () => {
    const caught = `try {\n  await work()\n} catch (error) {\n  if (!(error instanceof Problem)) throw error\n}`
    assert.match(at('rooms/own.ts', caught).join(), /^4 catches a problem/)
    assert.deepEqual(at('call/own.ts', caught), [])
  })

  it('is called from one place', () => {
    assert.match(
      at('http/more.ts', `import { addOperation } from './operation-route.ts'`).join(),
      /^1 calls addOperation, which only .*http\/server\.ts calls/,
    )
    assert.match(
      at('http/more.ts', `import { run } from '../call/run.ts'`).join(),
      /^1 calls run, which only/,
    )
    assert.deepEqual(at('http/server.ts', `import { addOperation } from './operation-route.ts'`), [])
  })
})

describe('the rules of the house', () => {
  it('tell an import cycle once, types included, from where it begins', () => {
    const cycle = findingsIn({
      [`${src}/call/a.ts`]: `let first\nimport { b } from './b.ts'`,
      [`${src}/call/b.ts`]: `import type { C } from './c.ts'`,
      [`${src}/call/c.ts`]: `import { a } from './a.ts'\nimport { d } from './d.ts'`,
      [`${src}/call/d.ts`]: '',
    })
    assert.deepEqual(cycle, [
      `${src}/call/a.ts:2 is in an import cycle: server/src/call/a.ts → server/src/call/b.ts → server/src/call/c.ts → server/src/call/a.ts`,
    ])
  })

  it('leave the environment to config.ts', () => {
    assert.match(inSlice(`\nconst port = process.env.PORT`).join('\n'), /^2 reads the environment/)
    assert.match(inSlice(`import { env } from 'node:process'`).join('\n'), /^1 reads the environment/)
    assert.match(inSlice(`const { env } = process`).join('\n'), /^1 reads the environment/)
    assert.deepEqual(findingsIn({ [`${src}/config.ts`]: `const { PORT } = process.env` }), [])
    assert.deepEqual(
      findingsIn({
        [`${src}/main.ts`]: `import { readConfig } from './config.ts'\nconst config = readConfig(process.env)`,
      }),
      [],
    )
    assert.deepEqual(
      findingsIn({ 'packages/server/test/config.test.ts': `const { PORT } = process.env` }),
      [],
    )
  })

  it('leave the clock to the context of a handler', () => {
    assert.match(inSlice(`const at = new Date()`).join('\n'), /^1 reads the clock/)
    assert.match(inSlice(`\nconst at = Date.now()`).join('\n'), /^2 reads the clock/)
    assert.deepEqual(inSlice(`const at = new Date(0)`), [])
    assert.deepEqual(findingsIn({ [`${src}/app.ts`]: `const at = new Date()` }), [])
  })

  it('wait for nothing but PostgreSQL where they have a transaction', () => {
    const waiting = [
      `const handle = async (input, { tx }) => {\n  await blobs.put(input)\n  tx.save(insert, [])\n}`,
      `async function handle(input, context) {\n  await store(blobs)\n  await context.tx.run(insert, [])\n}`,
      `export const handle = blobs => implement(op, async (input, { tx }) => {\n  await all.map(one => askStore(one))\n})`,
      `await change(id, job, async tx => {\n  await mailer.send(message)\n})`,
    ]
    for (const text of waiting)
      assert.match(inSlice(text).join('\n'), /^2 uses something other than PostgreSQL/, text)
    const beforeOrAfter = [
      `const handle = blobs => implement(op, async (input, { tx, prepared }) => {}, { prepare: input => blobs.put(input) })`,
      `async function job() {\n  await change(id, job, async tx => {})\n  await mailer.send(message)\n}`,
      `const read = async (input, { read }) => blobs.open(input)`,
    ]
    for (const text of beforeOrAfter) assert.deepEqual(inSlice(text), [], text)
  })

  it('name folders for what is in them', () => {
    for (const folder of ['utils', 'helpers', 'common'])
      assert.match(
        findingsIn({ [`${src}/call/${folder}/x.ts`]: 'let x' }).join('\n'),
        new RegExp(`folder named ${folder}`),
      )
  })

  it('have no index and no file that only passes on, but where a package begins', () => {
    assert.match(findingsIn({ [`${src}/call/index.ts`]: 'let x' }).join('\n'), /is an index/)
    assert.match(
      findingsIn({
        [`${src}/call/all.ts`]: `export { run } from './run.ts'\nexport * from './settle.ts'`,
      }).join('\n'),
      /only passes on/,
    )
    assert.deepEqual(
      findingsIn({ 'packages/sdk/src/index.ts': `export { createClient } from './client.ts'` }),
      [],
    )
  })

  it('tell a cycle of folders, even if no file is in a cycle', () => {
    const cycle = findingsIn({
      [`${src}/call/input/a.ts`]: `import { b } from '../b.ts'`,
      [`${src}/call/b.ts`]: '',
      [`${src}/call/c.ts`]: `let first\nimport { d } from './input/d.ts'`,
      [`${src}/call/input/d.ts`]: '',
      [`${src}/call/commands/e.ts`]: `import { f } from '../input/f.ts'`,
      [`${src}/call/input/f.ts`]: `let first\nimport { g } from '../commands/g.ts'`,
      [`${src}/call/commands/g.ts`]: '',
    })
    assert.deepEqual(cycle, [
      `${src}/call/input/f.ts:2 is in an import cycle: server/src/call/input → server/src/call/commands → server/src/call/input`,
    ])
  })

  it('keep files short, and tests a little longer', () => {
    assert.deepEqual(findingsIn({ 'bench/load.ts': 'let x\n'.repeat(300) }), [])
    assert.match(findingsIn({ 'bench/load.ts': 'let x\n'.repeat(301) }).join('\n'), /has 301 lines/)
    assert.deepEqual(findingsIn({ 'packages/sdk/test/a.test.ts': 'let x\n'.repeat(400) }), [])
    assert.match(findingsIn({ 'packages/sdk/test/a.ts': 'let x\n'.repeat(401) }).join('\n'), /401 lines/)
    assert.deepEqual(findingsIn({ 'packages/sdk/src/generated/a.ts': 'let x\n'.repeat(9000) }), [])
  })

  it('keep folders small', () => {
    const files = (count: number) =>
      Object.fromEntries(Array.from({ length: count }, (_, at) => [`bench/of-${at}.ts`, 'let x']))
    assert.deepEqual(findingsIn(files(20)), [])
    assert.match(findingsIn(files(21)).join('\n'), /^bench:1 has 21 files/)
  })

  it('are not taken for kept where nothing was seen', () => {
    assert.match(judge([], layers)[0]?.message ?? '', /no import was seen/)
    assert.match(
      judge([readModule('packages/contract/src/ids.ts', 'let x')], layers)[0]?.message ?? '',
      /no import was seen/,
    )
  })
})

describe('English that is hard to read', () => {
  it('is found in comments, with what to write instead', () => {
    for (const [comment, wording] of [
      ['/** The participation, or that by which they see it. */', 'that by which'],
      ['// Finds rows by what they hold.', 'by what'],
      ['// Says whether that lasts.', 'whether that'],
      ['// The person for whom it is.', 'for whom'],
      ['// The person whom it is for.', 'whom it is for'],
      ['// Put aside until later.', 'aside'],
      ['// Where it landed.', 'landed'],
    ])
      assert.match(inSlice(`${comment}\nlet a = 1`).join(), RegExp(`^1 says "${wording}"; `))
    assert.deepEqual(inSlice('// The person whom the event concerns.\nlet a = 1'), [])
  })

  it('is found in names: a variable says what it is', () => {
    const finding = 'has a variable `one`; say what it is'
    assert.deepEqual(inSlice('const one = 1\nlet b = [].map(one => one)\nfunction f(one: string) {}'), [
      `1 ${finding}`,
      `2 ${finding}`,
      `3 ${finding}`,
    ])
    assert.deepEqual(inSlice('const a = reader.one(statement)\nconst b = { one: 1 }'), [])
    assert.deepEqual(findingsIn({ 'packages/server/test/a.test.ts': '[].map(one => one)' }), [])
  })
})
