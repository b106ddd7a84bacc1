import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { it } from 'node:test'
import { notDrawn } from '../../packages/server/test/harness/proof.ts'
import { copyTree } from '../mutants/tree.ts'
import { newNoun } from './noun.ts'
import { newOperation } from './operation.ts'

it(
  'npm run new writes what compiles and passes the linter, once the generated files are written',
  { skip: notDrawn() },
  t => {
    const root = mkdtempSync(join(tmpdir(), 'wbs-new-'))
    t.after(() => rmSync(root, { recursive: true }))
    copyTree(join(import.meta.dirname, '../..'), root)
    const said = [
      newNoun(root, 'workspaces/reminders'),
      newNoun(root, 'rooms/site-visits'),
      newOperation(root, 'workspaces/reminders/send-reminder', 'mutation'),
      newOperation(root, 'rooms/list-pins', 'query'),
    ].join('\n')
    const files = new Set(said.match(/packages\/\S+\.ts/g))
    assert.ok(files.size > 20)
    runIn(root, process.execPath, ['scripts/generate.ts'])
    runIn(root, 'node_modules/.bin/tsc', ['--noEmit'])
    runIn(root, 'node_modules/.bin/oxlint', ['--type-aware', ...files])
  },
)

/** Runs a program. Throws with what it printed if it fails. */
function runIn(cwd: string, program: string, options: string[]): void {
  const { status, stdout, stderr } = spawnSync(program, options, { cwd, encoding: 'utf8' })
  assert.equal(status, 0, `${program} ${options[0]}\n${stdout}${stderr}`)
}
