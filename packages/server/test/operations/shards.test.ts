import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { representativesOf, featuresOf } from './classes.ts'
import { operations, operationsOf, slices } from './samples.ts'

const folder = join(import.meta.dirname, 'every-operation')

describe('the tests of every operation', () => {
  it('have each operation in exactly one slice', () => {
    const met = slices.flatMap(slice => operationsOf(slice).map(({ name }) => name))
    assert.deepEqual(met.toSorted(), operations.map(({ name }) => name).toSorted())
  })

  it('have each slice in exactly one file, since files run in parallel', () => {
    const named = globSync('*.test.ts', { cwd: folder }).flatMap(file => {
      const call = readFileSync(join(folder, file), 'utf8').trimEnd().split('\n').at(-1) ?? ''
      const [, given = ''] = /^testEveryOperation\((.+)\)$/.exec(call) ?? assert.fail(`${file}: ${call}`)
      return given.split(', ').map(text => text.slice(1, -1))
    })
    assert.deepEqual(named.toSorted(), slices.toSorted())
  })
})

describe('the representatives of the operations', () => {
  for (const seed of [1, 2, 3])
    it(`have every feature that an operation has, and are few (seed ${seed})`, () => {
      const chosen = representativesOf(operations, seed)
      assert.deepEqual(new Set(chosen.flatMap(featuresOf)), new Set(operations.flatMap(featuresOf)))
      assert.ok(chosen.length < operations.length / 4, `${chosen.length} of ${operations.length}`)
    })

  it('are others with another seed', () => {
    const chosen = (seed: number) => representativesOf(operations, seed).map(({ name }) => name)
    assert.deepEqual(chosen(1), chosen(1))
    assert.notDeepEqual(chosen(1), chosen(2))
  })
})
