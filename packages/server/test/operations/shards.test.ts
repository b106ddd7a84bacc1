import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { basename, join } from 'node:path'
import { describe, it } from 'node:test'
import { operations, operationsOf, slices } from './samples.ts'

const tests = join(import.meta.dirname, '..')

/** The suites with a file for each slice, which run in parallel, and the function that each file calls. */
const suites = { 'operations/every-operation': 'testEveryOperation', 'hostile/fuzz': 'fuzz' }

describe('the suites that walk the registry slice by slice', () => {
  it('have each operation in exactly one slice', () => {
    const met = slices.flatMap(slice => operationsOf(slice).map(({ name }) => name))
    assert.deepEqual(met.toSorted(), operations.map(({ name }) => name).toSorted())
  })

  for (const [folder, call] of Object.entries(suites))
    it(`${folder} has a file for each slice, which calls ${call} for it`, () => {
      const files = globSync(`${folder}/*.test.ts`, { cwd: tests })
      assert.deepEqual(files.map(file => basename(file, '.test.ts')).toSorted(), slices.toSorted())
      for (const file of files) {
        const lines = readFileSync(join(tests, file), 'utf8').trimEnd().split('\n')
        assert.equal(lines.at(-1), `${call}('${basename(file, '.test.ts')}')`, file)
      }
    })
})
