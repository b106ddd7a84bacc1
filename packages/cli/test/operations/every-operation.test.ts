import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isBytes } from '@wbs/contract/operation'
import { startTestService, type TestService } from '../../../server/test/harness/service.ts'
import { samples, type NamedOperation } from '../../../server/test/operations/samples.ts'
import { performerOf } from '../../../server/test/operations/performing.ts'
import { makeWorld, restore, type World } from '../../../server/test/operations/world.ts'
import { operationCommands, wordsOf } from '../../src/operations/command/operation-command.ts'
import { run } from './terminal.ts'
import { wordsFor } from './words.ts'

describe('every operation, called from the terminal', () => {
  let service: TestService
  let world: World
  before(async () => {
    service = await startTestService()
    world = await makeWorld(service)
  })
  after(() => service.close())

  for (const command of operationCommands())
    it(`wbs ${wordsOf(command)} does ${command.op.name}`, async () => {
      const op = command.op as NamedOperation
      const { token } = performerOf(world, op)
      const input = await samples[op.name].input(world)
      const access = {
        base_url: service.base_url,
        access_token: token,
        ...(op.audience === 'workspace' && { workspace_id: world.workspace_id }),
      }
      const words = wordsFor(command, input)
      const { code, stdout, stderr } = await run(isBytes(op) ? words : [...words, '--json'], { access })
      assert.equal(code, 0, `${words.join(' ')}: ${stderr}`)
      if (!isBytes(op)) assert.equal(typeof JSON.parse(stdout), 'object')
      else assert.notEqual(stdout, '')
      if (command.list?.next) {
        const { limit: _, ...whole } = input
        const all = await run([...wordsFor(command, whole), '--all', '--json'], { access })
        assert.equal(all.code, 0, all.stderr)
        assert.ok(Array.isArray((JSON.parse(all.stdout) as Record<string, unknown>)[command.list.items]))
      }
      await restore(world)
    })
})
