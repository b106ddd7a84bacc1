import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { openApiDocument } from '@wbs/contract/openapi'
import { createReference } from '../../../../src/http/pages/reference-pages.ts'
import type { ApiDocument } from '../../../../src/http/pages/reference/document.ts'
import { textOf } from './page-text.ts'

const poison = `</style><script>alert(1)</script><img src=x onerror=alert(1)>" onclick="alert(1)' &amp; <b>\0`
const printed = poison.replace('\0', '')

/** The document with hostile text in every string that may vary, and in the names of its fields. */
function poisoned(value: unknown, key = ''): unknown {
  const structural = ['in', '$ref', 'type', 'operationId']
  if (typeof value === 'string') return structural.includes(key) ? value : `${value}${poison}`
  if (Array.isArray(value)) return value.map(item => poisoned(item, key))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([name, inner]) => [
      key === 'properties' ? `${name}${poison}` : name,
      poisoned(inner, name),
    ]),
  )
}

describe('a reference of a hostile document', () => {
  const reference = createReference(() => poisoned(openApiDocument()) as ApiDocument)
  const assertHarmless = (page: string) => {
    assert.doesNotMatch(
      page.replace(/<script src="(?:\.\.\/)*docs\/reference\.js"/, ''),
      /<(?:script|img|style)\b/i,
    )
    assert.doesNotMatch(page, /<[^>]*\sonclick="[^>]*>/)
    assert.ok(!page.includes('\0'))
  }

  it('has the hostile text as text on every page', () => {
    for (const [path, render] of reference.pages) {
      const page = render()
      assert.ok(textOf(page).includes(printed), `${path} does not print it at all`)
      assertHarmless(page)
    }
  })

  it('has it as text among what a search found', () => {
    const page = reference.search('title')
    assert.ok(textOf(page).includes(printed))
    assertHarmless(page)
  })

  it('has a hostile query as text, in the field and beside it', () => {
    const page = reference.search(poison)
    assert.ok(textOf(page).includes(` for ${printed}.`))
    assertHarmless(page)
  })
})
