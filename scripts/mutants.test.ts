import assert from 'node:assert/strict'
import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, it } from 'node:test'
import { mutantsBySlice } from './mutants/faults.ts'
import { faultsOf, planted, selected, testsOf, type Mutant } from './mutants/mutant.ts'
import { verdictOn } from './mutants/verdict.ts'

const root = join(import.meta.dirname, '..')
const read = (path: string) => (existsSync(join(root, path)) ? readFileSync(join(root, path), 'utf8') : null)

const mutant: Mutant = {
  name: 'A limit is one too high.',
  file: 'limit.ts',
  text: 'count >= most',
  replacement: 'count > most',
  caughtBy: ['limit.test.ts'],
}

describe('the mutants', () => {
  const all = selected(mutantsBySlice, [])

  it('can all be planted: their text occurs once, and their tests exist', () => {
    const faults = all.flatMap(planned => faultsOf(planned, read).map(fault => `${planned.name} ${fault}`))
    assert.deepEqual(faults, [])
  })

  it('have names that differ, and slices with tests', () => {
    assert.equal(new Set(all.map(({ name }) => name)).size, all.length)
    assert.deepEqual(
      Object.keys(mutantsBySlice).filter(slice => !existsSync(join(root, testsOf(slice)))),
      [],
    )
  })

  it('are selected by slice or by a part of the name', () => {
    assert.deepEqual([...new Set(selected(mutantsBySlice, ['goals']).map(({ slice }) => slice))], ['goals'])
    assert.equal(selected({ rooms: [mutant], goals: [] }, ['one too high']).length, 1)
    assert.equal(selected({ rooms: [mutant], goals: [] }, ['goals']).length, 0)
  })
})

describe('a mutant', () => {
  it('is planted as it is written, whatever signs it has', () => {
    const changed = planted({ ...mutant, replacement: "$& $' $1" }, 'if (count >= most) refuse()')
    assert.equal(changed, "if ($& $' $1) refuse()")
  })

  it('says why it cannot be planted any more', () => {
    const reading = (source: string | null) => (path: string) => (path === 'limit.ts' ? source : null)
    const noTest = 'there is no test limit.test.ts'
    assert.deepEqual(faultsOf(mutant, reading(null)), ['there is no file limit.ts', noTest])
    assert.deepEqual(faultsOf(mutant, reading('')), ['the text occurs 0 times: count >= most', noTest])
    assert.deepEqual(faultsOf(mutant, reading('count >= most, count >= most')), [
      'the text occurs 2 times: count >= most',
      noTest,
    ])
    assert.deepEqual(
      faultsOf({ ...mutant, replacement: mutant.text }, () => mutant.text),
      ['the replacement changes nothing'],
    )
  })
})

describe('the verdict on a run of tests', () => {
  const failure = '\n✖ limit.test.ts:3:1  a limit › refuses the eleventh\n  Expected 429, got 200\n'
  const verdict = (output: string, exitCode: number | null, isTimedOut = false) =>
    verdictOn({ output, exitCode, isTimedOut }, ['limit.test.ts'])

  it('names the first test that failed', () => {
    const by = 'limit.test.ts:3:1  a limit › refuses the eleventh'
    assert.deepEqual(verdict(`${failure}\n✖ other.test.ts:1:1  another\n`, 1), { is: 'failed', by })
    assert.deepEqual(verdict(failure, null), { is: 'failed', by }, 'ended soon after its failure')
  })

  it('is that the fault survived if all tests passed', () => {
    assert.deepEqual(verdict('✔ limit.test.ts  3 passed (0.1 s)\n', 0), { is: 'passed' })
  })

  it('tells a run that does not end, and code that cannot run at all, from a fault that a test found', () => {
    assert.deepEqual(verdict('', null, true), { is: 'timed out', by: 'limit.test.ts' })
    assert.equal(verdict('✖ a.test.ts:1:1  a\n  test timed out after 300000ms\n', 1).is, 'timed out')
    assert.equal(verdict(`${failure}  SyntaxError: Unexpected token\n`, 1).is, 'broken')
    assert.equal(verdict(`${failure}  SyntaxError: Unexpected end of JSON input\n`, 1).is, 'failed')
    assert.equal(verdict(`${failure}  error: syntax error at or near "and"\n`, 1).is, 'broken')
  })
})
