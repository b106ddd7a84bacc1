import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { describe, it, type TestContext } from 'node:test'
import { makeScratchFolder } from './test-run/scratch-folder.ts'

function make(t: TestContext, ...how: Parameters<typeof makeScratchFolder>): string {
  const folder = makeScratchFolder(...how)
  t.after(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

describe('the folder of a run of tests', () => {
  it('is in TMPDIR where that is set', t => {
    const chosen = make(t, tmpdir())
    assert.equal(dirname(make(t, chosen)), chosen)
  })

  it('is among the temporary files where memory has no room', t => {
    assert.equal(dirname(make(t, '', Infinity)), tmpdir())
  })

  it('can be made more than once, and a program in it can be run by anybody who comes through', t => {
    const [one, other] = [make(t, ''), make(t, '')]
    assert.notEqual(one, other)
    const program = join(one, 'program')
    writeFileSync(program, '#!/bin/sh\necho runs', { mode: 0o755 })
    assert.equal(execFileSync(program, { encoding: 'utf8' }), 'runs\n')
  })
})
