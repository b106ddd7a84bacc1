import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from '@wbs/contract/openapi'
import { methodOf, pathOf, scopesOf, type Operation } from '@wbs/contract/operation'
import { problems } from '@wbs/contract/problems'
import { operations } from '@wbs/contract/registry'
import { components } from '@wbs/contract/schema'
import { referencePage } from '../../../src/http/pages/reference-page.ts'

const page = referencePage(openApiDocument())
const text = textOf(page)
const ids = [...page.matchAll(/ id="([^"]*)"/g)].map(match => match[1] ?? '')
const links = [...page.matchAll(/ href="([^"]*)"/g)].map(match => match[1] ?? '')

/** The visible text, without tags and with entities decoded. */
function textOf(html: string): string {
  return html
    .replaceAll(/<[^>]*>/g, '')
    .replaceAll(/&(?:#(\d+)|amp);/g, (_, code = '38') => String.fromCodePoint(Number(code)))
    .replaceAll(/\s+/g, ' ')
}

const count = (pattern: RegExp): number => page.match(pattern)?.length ?? 0

/** The part of the page from an element's id to the end of its article. */
function articleOf(id: string): string {
  const start = page.indexOf(`<article id="${id}"`)
  assert.notEqual(start, -1, `there is no article ${id}`)
  return textOf(page.slice(start, page.indexOf('</article>', start)))
}

describe('the reference page', () => {
  for (const operation of operations as readonly Operation[])
    it(`shows ${operation.name}: its path, its parameters and what it answers`, () => {
      const article = articleOf(`operation-${operation.name}`)
      assert.ok(article.includes(`${methodOf(operation)} ${pathOf(operation)}`))
      assert.ok(article.includes(operation.summary))
      for (const name of Object.keys({ ...operation.input, ...operation.output }))
        assert.ok(article.includes(name), name)
      for (const scope of scopesOf(operation)) assert.ok(article.includes(scope))
      assert.ok(links.includes(`#operation-${operation.name}`))
    })

  it('shows every schema with its fields, and every problem code', () => {
    for (const [name, schema] of components) {
      const article = articleOf(`schema-${name}`)
      for (const field of Object.keys('properties' in schema ? (schema.properties as object) : {}))
        assert.ok(article.includes(field), `${name}.${field}`)
    }
    for (const [code, { title }] of Object.entries(problems))
      assert.ok(text.includes(code) && text.includes(title), code)
  })

  it('says rules in words', () => {
    const search = articleOf('operation-search_businesses')
    assert.match(search, /limit\s+integer, 1 to 100, 20 if not given/)
    assert.match(search, /status\s+one of active, closed, inactive, unknown/)
    assert.match(search, /fields\s+list of any of id, name, .*1 to 1000 items, comma-separated or repeated/)
    assert.match(articleOf('operation-create_workspace'), /name required\s+text, 1 to 200 characters/)
    assert.match(articleOf('schema-Business'), /website_url may be absent\s+text, or null/)
  })

  it('has ids that are unique and links that lead somewhere', () => {
    assert.deepEqual(
      ids.filter((id, at) => ids.indexOf(id) !== at),
      [],
    )
    assert.deepEqual(
      links.filter(link => link !== 'openapi.json' && !ids.includes(link.replace('#', ''))),
      [],
    )
  })

  it('goes down by one level of heading at a time', () => {
    const levels = [...page.matchAll(/<h([1-6])/g)].map(match => Number(match[1]))
    assert.equal(levels[0], 1)
    assert.equal(levels.filter(level => level === 1).length, 1)
    for (const [at, level] of levels.entries())
      assert.ok(level <= (levels[at - 1] ?? 0) + 1, `heading ${at} skips a level`)
  })

  it('gives every table a caption and scopes for its headings', () => {
    assert.ok(count(/<table>/g) > operations.length)
    assert.equal(count(/<caption>/g), count(/<table>/g))
    assert.equal(count(/<th[ >]/g), count(/<th scope="(?:row|col)">/g))
  })

  it('needs no script and loads no external resources', () => {
    assert.doesNotMatch(
      page,
      /<(?:script|link|iframe|img|object|embed|base|form)\b|\bsrc=|\bstyle=|url\(|@import|\son\w+=/i,
    )
    assert.deepEqual(
      links.filter(link => /^(?:\w+:|\/\/)/.test(link)),
      [],
    )
  })

  it('escapes whatever the document says', () => {
    const hostile = referencePage(poisoned(openApiDocument()) as object)
    assert.ok(textOf(hostile).includes(poison), 'the poison is not printed at all')
    assert.doesNotMatch(hostile, /<(?:script|img)\b|<\/style>(?!\s*<\/head>)/i)
    assert.doesNotMatch(hostile, /\sonclick="/)
  })
})

const poison = `</style><script>alert(1)</script><img src=x onerror=alert(1)>" onclick="alert(1)' &amp; <b>`

/** The document with hostile text in every string that may vary, and in the names of its schemas and fields. */
function poisoned(value: unknown, key = ''): unknown {
  const structural = ['in', '$ref', 'type', 'operationId']
  if (typeof value === 'string') return structural.includes(key) ? value : `${value}${poison}`
  if (Array.isArray(value)) return value.map(item => poisoned(item, key))
  if (typeof value !== 'object' || value === null) return value
  const named = key === 'properties' || key === 'schemas'
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [named ? `${name}${poison}` : name, poisoned(inner, name)]),
  )
}
