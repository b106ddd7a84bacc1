import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { after, before, describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isStream } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { createClient } from '@wbs/sdk'
import { addBusiness } from '../../server/test/harness/businesses.ts'
import { startTestService, type TestService } from '../../server/test/harness/service.ts'

describe('the package', () => {
  it('needs nothing of Node.js, so that browsers can load it', () => {
    const reached = new Set<string>()
    const open = [import.meta.resolve('@wbs/sdk')]
    for (let url = open.pop(); url !== undefined; url = open.pop()) {
      if (reached.has(url)) continue
      reached.add(url)
      const code = stripTypeScriptTypes(readFileSync(fileURLToPath(url), 'utf8'))
      assert.doesNotMatch(code, /\bprocess\.|\brequire\(|\bBuffer\b/, url)
      for (const [, specifier = ''] of code.matchAll(
        /^\s*(?:import|export)\b(?:[^'";]*\bfrom)?\s*['"]([^'"]+)['"]/gm,
      )) {
        assert.doesNotMatch(specifier, /^node:|^(?:fs|path|crypto|http|url|util|events|stream|buffer)$/, url)
        open.push(specifier.startsWith('.') ? new URL(specifier, url).href : import.meta.resolve(specifier))
      }
    }
    assert.ok(
      [...reached].some(url => url.endsWith('/registry.ts')),
      'the walk did not get far',
    )
  })

  it('has a method for every operation that is no stream, and no other', () => {
    const answered = operations.filter(operation => !isStream(operation))
    const named = answered.map(({ name }) =>
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    )
    assert.deepEqual(Object.keys(createClient({ base_url: 'http://localhost' })).sort(), named.sort())
  })
})

describe('the example in the README', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('does what it says', async t => {
    const readme = readFileSync(new URL('../README.md', import.meta.url), 'utf8')
    const [, example = ''] = /```ts\n([\s\S]*?)```/.exec(readme) ?? []
    const bakery = await addBusiness(service, { name: 'Harbor Bakery', state: 'MA', city: 'Boston' })
    await addBusiness(service, { name: 'Butte Bakery', state: 'MT', city: 'Butte' })
    process.env['SVC_URL'] = service.base_url
    process.env['SVC_TOKEN'] = service.person('Olivia').token
    const printed = t.mock.method(console, 'log', () => {})

    const code = stripTypeScriptTypes(example).replace(
      "'@wbs/sdk'",
      JSON.stringify(import.meta.resolve('@wbs/sdk')),
    )
    await import(`data:text/javascript,${encodeURIComponent(code)}`)

    const said = printed.mock.calls.map(call => String(call.arguments[0]))
    assert.match(said[0] ?? '', /^Made Harbor Street Partners, [0-9a-f-]{36}$/)
    assert.equal(said[1], `${bakery} Harbor Bakery`)
    assert.match(said[2] ?? '', /^Not found, said request req_/)
    assert.equal(said.length, 3)
  })
})
