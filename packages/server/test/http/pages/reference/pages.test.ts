import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { eventTypes } from '@wbs/contract/events'
import { openApiDocument } from '@wbs/contract/openapi'
import { methodOf, pathOf, scopesOf, type Operation } from '@wbs/contract/operation'
import { problems } from '@wbs/contract/problems'
import { operations } from '@wbs/contract/registry'
import { createReference } from '../../../../src/http/pages/reference-pages.ts'
import type { ApiDocument } from '../../../../src/http/pages/reference/document.ts'
import { idsIn, linksIn, textOf } from './page-text.ts'

const document = openApiDocument() as ApiDocument
const reference = createReference(() => document)
const pages = new Map(Array.from(reference.pages, ([path, render]) => [path, render()]))

function pageAt(path: string): string {
  const page = pages.get(path)
  assert.ok(page !== undefined, `there is no page ${path}`)
  return page
}

/** The text of the part of a page that is its own. */
function mainOf(path: string): string {
  const page = pageAt(path)
  return textOf(page.slice(page.indexOf('<main'), page.indexOf('</main>')))
}

describe('the page of an operation', () => {
  for (const operation of operations as readonly Operation[])
    it(`shows ${operation.name}: its path, its parameters, what it answers, and examples`, () => {
      const path = `docs/operations/${operation.name}`
      const text = mainOf(path)
      assert.ok(text.includes(`${methodOf(operation)} ${pathOf(operation)}`))
      assert.ok(text.includes(operation.summary))
      for (const name of Object.keys({ ...operation.input, ...operation.output }))
        assert.ok(text.includes(name), name)
      for (const scope of scopesOf(operation)) assert.ok(text.includes(scope))
      assert.ok(text.includes('curl "$BASE_URL'))
      assert.match(text, /\bclient\./)
      for (const code of operation.problems)
        assert.ok(linksIn(pageAt(path)).includes(`../../problems/${code}`), code)
    })

  it('has the recorded JSON of the request and of each answer', () => {
    let shown = 0
    for (const { post, put, patch, get } of Object.values(document.paths))
      for (const operation of [post, put, patch, get].filter(one => one !== undefined)) {
        const text = mainOf(`docs/operations/${operation.operationId}`)
        const answers = Object.entries(operation.responses).flatMap(([status, answer]) =>
          status < '300' && 'content' in answer ? [answer.content] : [],
        )
        for (const content of [operation.requestBody?.content, ...answers]) {
          const recorded = content?.['application/json']?.examples?.['recorded']?.value
          if (recorded === undefined) continue
          assert.ok(text.includes(JSON.stringify(recorded, null, 2).replaceAll(/\s+/g, ' ')))
          shown += 1
        }
      }
    assert.ok(shown > 200, `${shown} examples`)
  })

  it('says rules in words', () => {
    const search = mainOf('docs/operations/search_businesses')
    assert.match(search, /limit\s+integer, 1 to 100, 20 if not given/)
    assert.match(search, /status\s+one of active, closed, inactive, unknown/)
    assert.match(search, /fields\s+list of any of id, name, .*1 to 1000 items, comma-separated or repeated/)
    assert.match(mainOf('docs/operations/create_workspace'), /name required\s+text, 1 to 200 characters/)
    assert.match(mainOf('docs/schemas/Business'), /website_url may be absent\s+text, or null/)
  })

  it('says which fields need or exclude each other, and how many are needed', () => {
    assert.match(mainOf('docs/operations/update_room'), /At least one field besides the required\./)
    assert.match(mainOf('docs/operations/create_business'), /naics_vintage needs naics_code /)
    const holding = mainOf('docs/operations/set_holding')
    assert.match(holding, /subject needs ownership_percent not with removed /)
    assert.match(holding, /removed not with subject /)
    assert.match(
      mainOf('docs/operations/share_connection'),
      /At least one of source_connection_id and plugin\./,
    )
  })

  it('says who may call', () => {
    const who = (name: string) =>
      /Who may call(.*?\.) Re/.exec(mainOf(`docs/operations/${name}`))?.[1]?.trim()
    assert.equal(who('get_room'), 'Members of the Workspace with the permission. Guests of its Rooms too.')
    assert.equal(who('create_list'), 'Members of the Workspace with the permission. Guests may not.')
    assert.equal(who('health'), 'Everybody. A credential is ignored.')
    assert.match(who('create_valuation') ?? '', /People without an account too/)
    assert.match(mainOf('docs/operations/create_api_key'), /api_keys:manage, which no API key can have/)
  })

  it('leads to the operations before and after it', () => {
    const [first, second, third] = document.tags.flatMap(({ name }) =>
      operations.filter(({ tag }) => tag === name).map(operation => operation.name),
    )
    const links = linksIn(
      pageAt(`docs/operations/${second}`).split('aria-label="Previous and next"')[1] ?? '',
    )
    assert.deepEqual(links, [`../../docs/operations/${first}`, `../../docs/operations/${third}`])
  })
})

describe('the reference', () => {
  it('shows every schema with its fields', () => {
    for (const [name, { properties = {} }] of Object.entries(document.components.schemas)) {
      const text = mainOf(`docs/schemas/${name}`)
      for (const field of Object.keys(properties)) assert.ok(text.includes(field), `${name}.${field}`)
    }
  })

  it('says which schema an event of each type has', () => {
    const text = mainOf('docs/schemas/Event')
    const types = Object.entries(eventTypes).flatMap(([type, { feed }]) => (feed === 'audit' ? [] : [type]))
    for (const type of types) assert.match(text, new RegExp(`${type}: \\w+Event`))
    assert.ok(linksIn(pageAt('docs/schemas/Event')).some(link => link.endsWith('/RoomUpdatedEvent')))
  })

  it('explains every problem, with an example and the operations that answer it', () => {
    const list = mainOf('docs/problems')
    for (const [code, { title, status }] of Object.entries(problems)) {
      assert.ok(list.includes(code) && list.includes(title), code)
      assert.ok(mainOf(`problems/${code}`).includes(`${title}. The status is ${status}.`))
      assert.ok(mainOf(`problems/${code}`).includes(`"code": "${code}"`))
    }
    const links = linksIn(pageAt('problems/revision_conflict'))
    assert.ok(links.includes('../docs/operations/update_room'))
    assert.ok(!links.includes('../docs/operations/create_room'))
    assert.match(mainOf('problems/unavailable'), /Operations that answer it All operations\./)
  })

  it('has a page for each tag that lists its operations, and names of its own for all of them', () => {
    for (const { name } of document.tags) {
      const links = linksIn(pageAt(`docs/${name.toLowerCase().replaceAll(' ', '-')}`))
      for (const operation of operations.filter(({ tag }) => tag === name))
        assert.ok(links.includes(`../docs/operations/${operation.name}`), operation.name)
    }
    assert.equal(pages.size, new Set([...pages.keys()].map(path => path.toLowerCase())).size)
  })

  it('has links that lead to a page, and to an element on it', () => {
    const files = ['docs/reference.css', 'docs/reference.js', 'docs/search', 'openapi.json', '']
    for (const [path, page] of pages)
      for (const link of linksIn(page)) {
        const { pathname, hash, host } = new URL(link, `http://service/${path}`)
        const target = pathname.slice(1)
        assert.equal(host, 'service', link)
        assert.ok(pages.has(target) || files.includes(target), `${path} links to ${link}`)
        if (hash)
          assert.ok(idsIn(pageAt(target)).includes(decodeURIComponent(hash.slice(1))), `${path}: ${link}`)
      }
  })

  it('has the ids of the single page of earlier versions on its first page', () => {
    const ids = idsIn(pageAt('docs'))
    for (const { name } of operations) assert.ok(ids.includes(`operation-${name}`), name)
    for (const id of ['start', 'tag-rooms', 'tag-room-files']) assert.ok(ids.includes(id), id)
  })

  it('marks the current page in the contents', () => {
    for (const path of [
      'docs',
      'docs/rooms',
      'docs/operations/get_room',
      'docs/guide/limits',
      'docs/problems',
    ])
      assert.equal(pageAt(path).match(/aria-current="page"/g)?.length, 1, path)
  })

  it('has on each page unique ids, one main heading, and no level of headings left out', () => {
    for (const [path, page] of pages) {
      const ids = idsIn(page)
      assert.equal(new Set(ids).size, ids.length, path)
      const levels = Array.from(page.matchAll(/<h([1-6])/g), match => Number(match[1]))
      assert.equal(levels[0], 1, path)
      assert.equal(levels.filter(level => level === 1).length, 1, path)
      for (const [at, level] of levels.entries()) assert.ok(level <= (levels[at - 1] ?? 0) + 1, path)
    }
  })

  it('gives every table a caption and scopes for its headings', () => {
    for (const [path, page] of pages) {
      const count = (pattern: RegExp) => page.match(pattern)?.length ?? 0
      assert.equal(count(/<caption>/g), count(/<table>/g), path)
      assert.equal(count(/<th[ >]/g), count(/<th scope="(?:row|col)">/g), path)
    }
  })

  it('has no script or style of its own in a page, and loads files of the service alone', () => {
    for (const [path, page] of pages) {
      assert.doesNotMatch(page, /<(?:style|iframe|img|object|embed|base)\b|\sstyle=|\son\w+=/i, path)
      assert.equal(page.match(/<script\b/g)?.length, 1, path)
      assert.match(page, /<script src="(?:\.\.\/)*docs\/reference\.js" data-root="(?:\.\.\/)*"><\/script>/)
      assert.ok(!page.includes('\0'), path)
    }
  })

  it('takes at most 8 MB if all pages have been read', () => {
    const bytes = [...pages.values()].reduce((sum, page) => sum + Buffer.byteLength(page), 0)
    assert.ok(bytes < 8_000_000, `${bytes} bytes`)
    for (const [path, page] of pages) assert.ok(Buffer.byteLength(page) < 100_000, path)
  })
})
