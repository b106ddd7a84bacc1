import assert from 'node:assert/strict'
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { notePassed, passedBefore } from './passed-before.ts'

it('a gate is known to pass until one of its files changes', t => {
  const folder = mkdtempSync(join(tmpdir(), 'wbs-check-'))
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  const [cache, rules, document] = ['cache', 'rules', 'document'].map(name => join(folder, name)) as [
    string,
    string,
    string,
  ]
  for (const path of [rules, document]) writeFileSync(path, 'as it was')
  const inputs = [document, rules]
  assert.equal(passedBefore('A gate (of one)', inputs, cache), false)
  notePassed('A gate (of one)', inputs, cache)
  assert.equal(passedBefore('A gate (of one)', inputs, cache), true)
  assert.equal(passedBefore('A gate (of another)', inputs, cache), false)
  writeFileSync(rules, 'as it is')
  assert.equal(passedBefore('A gate (of one)', inputs, cache), false)
  notePassed('A gate without files', [], cache)
  assert.equal(passedBefore('A gate without files', [], cache), false)
})
