import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { stripTypeScriptTypes } from 'node:module'
import { describe, it } from 'node:test'
import { fileURLToPath } from 'node:url'
import { isStream } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { createClient } from '@wbs/sdk'

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
      [...reached].some(url => url.endsWith('/table.ts')),
      'the walk did not get far',
    )
  })

  it('has a method for every operation that is no stream, events, and no other', () => {
    const answered = operations.filter(operation => !isStream(operation))
    const named = answered.map(({ name }) =>
      name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase()),
    )
    const methods = Object.keys(createClient({ base_url: 'http://localhost' }))
    assert.deepEqual(methods.sort(), [...named, 'events'].sort())
  })
})
