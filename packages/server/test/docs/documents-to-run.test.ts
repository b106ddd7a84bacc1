import assert from 'node:assert/strict'
import { test } from 'node:test'
import { documentsToRun } from './documents-to-run.ts'

const guides = Array.from({ length: 20 }, (_, n) => `docs/guides/${n}.md`)
const runnable = ['README.md', ...guides]
const drawnBy = (seed: number) => documentsToRun({ runnable, changed: [], seed })

test('the README and a tenth of the others are run', () => {
  const names = drawnBy(7)
  assert.equal(names.length, 3)
  assert.ok(names.includes('README.md'))
  assert.deepEqual(drawnBy(7), names)
})

test('seeds draw every document sooner or later', () => {
  const names = new Set(Array.from({ length: 200 }, (_, seed) => drawnBy(seed)).flat())
  assert.deepEqual([...names].sort(), [...runnable].sort())
})

test('what changed is run, besides a tenth of the rest', () => {
  const changed = ['docs/guides/3.md', 'docs/guides/4.md', 'packages/sdk/src/client.ts']
  const names = documentsToRun({ runnable, changed, seed: 7 })
  for (const name of ['README.md', 'docs/guides/3.md', 'docs/guides/4.md']) assert.ok(names.includes(name))
  assert.equal(names.length, 5)
})

test('everything is run where it is not known what changed', () => {
  assert.deepEqual(documentsToRun({ runnable, changed: null, seed: 7 }), runnable)
})
