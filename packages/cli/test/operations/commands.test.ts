import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { describe, it } from 'node:test'
import { inputParts, isStream } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { operationCommands, wordsOf } from '../../src/operations/command/operation-command.ts'
import { exampleWords } from '../../src/operations/help/example-line.ts'
import { runWbsQuickly } from '../run-wbs.ts'
import { fakeService } from './fake-service.ts'
import { run } from './terminal.ts'

const commands = operationCommands()
const commonFlags = [
  'json',
  'workspace',
  'profile',
  'url',
  'verbose',
  'quiet',
  'input',
  'output',
  'force',
  'all',
]

describe('the commands of operations', () => {
  it('are one for each operation but the streams, each with a name of its own', () => {
    const named = operations.filter(op => !isStream(op)).map(({ name }) => name)
    assert.deepEqual(commands.map(({ op }) => op.name).toSorted(), named.toSorted())
    const words = commands.map(wordsOf)
    assert.equal(new Set(words).size, words.length)
    for (const name of words) assert.match(name, /^[a-z]+(?:-[a-z]+)*(?: [a-z]+(?:-[a-z]+)*)?$/)
  })

  it('are listed by `wbs reference`, which docs/api/commands.md is', async () => {
    const file = new URL('../../../../docs/api/commands.md', import.meta.url)
    const { code, stdout } = await runWbsQuickly({}, ['reference'])
    assert.deepEqual([code, stdout], [0, await readFile(file, 'utf8')])
  })

  it('are named as somebody would guess', () => {
    const byName = new Map(commands.map(command => [command.op.name, wordsOf(command)]))
    const expected = {
      list_rooms: 'rooms list',
      update_room: 'rooms update',
      get_room_access: 'rooms access',
      list_participants: 'participants list',
      resend_invitation: 'participants resend',
      list_room_files: 'room-files list',
      create_text_file: 'files create-text',
      download_file: 'files download',
      update_membership: 'team-members update',
      transfer_ownership: 'team transfer-ownership',
      attach_room_resource: 'attachments attach',
      set_list_entry_value: 'list-entry-values set',
      health: 'health',
    }
    for (const [name, words] of Object.entries(expected)) assert.equal(byName.get(name), words, name)
  })

  it('do not clash with commands and flags that are there for something else', () => {
    const others = ['upload', 'import', 'backup', 'restore', 'blobs', 'value', 'help', 'login', 'logout']
    for (const { group, verb } of commands) assert.ok(!others.includes(group ?? verb))
    for (const { op, flags } of commands)
      for (const { flag } of flags) assert.ok(!commonFlags.includes(flag), `${op.name} --${flag}`)
    const inLists = commands.filter(({ group }) => group === 'lists').map(({ verb }) => verb)
    assert.ok(!inLists.includes('export') && !inLists.includes('import-values'))
  })

  for (const command of commands) {
    const { op } = command
    it(`wbs ${wordsOf(command)} takes all parameters of ${op.name}, and explains them`, async () => {
      const { path, query, body } = inputParts(op)
      const others = Object.keys({ ...query, ...body })
      assert.deepEqual(command.arguments.map(({ name }) => name).toSorted(), Object.keys(path).toSorted())
      const { code, stdout } = await run([...wordsOf(command).split(' '), '--help'])
      assert.equal(code, 0)
      const text = stdout.replaceAll(/\s+/g, ' ')
      assert.ok(text.includes(op.summary.slice(0, 60)), text)
      assert.ok(text.includes(`${op.name}, ${op.http}`))
      for (const name of others) assert.ok(text.includes(`--${name.replaceAll('_', '-')}`), name)
    })

    it(`wbs ${wordsOf(command)} sends the example of its help`, async () => {
      const { access, sent } = fakeService({ body: {} })
      const words = exampleWords(command).filter(word => word !== '--output' && word !== 'plan.pdf')
      const { code, stderr } = await run([...words, '--json'], {
        access,
        stdin: 'a-secret-of-twenty-characters',
      })
      assert.equal(code, 0, `${words.join(' ')}: ${stderr}`)
      assert.equal(sent.length, 1)
    })
  }
})
