import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { pathToFileURL } from 'node:url'
import type { Plugin } from '../../src/plugins/plugin.ts'
import { makeConnectionWorld, type ConnectionWorld } from '../connections/connection-fixture.ts'
import { guideBlocks } from '../docs/guide-blocks.ts'
import { refused } from '../harness/refused.ts'

describe('the plugin in the guide plugins.md', () => {
  let folder: string
  let world: ConnectionWorld
  const watched: [string, string][] = []
  before(async () => {
    folder = await mkdtemp(join(tmpdir(), 'wbs-plugin-'))
    const [text = '', ...others] = await guideBlocks('plugins.md', 'guide.test.ts')
    assert.deepEqual(others, [])
    const file = join(folder, 'register.ts')
    await writeFile(file, text)
    await writeFile(join(folder, 'package.json'), '{"type":"module"}')
    const { createRegisterPlugin } = (await import(pathToFileURL(file).href)) as {
      createRegisterPlugin(register: object): Plugin
    }
    const register = {
      find: (number: string) =>
        number === '00000000'
          ? Promise.reject(new Error('Down'))
          : Promise.resolve({ name: `Company ${number}` }),
      watch: (number: string, key: string) => Promise.resolve(void watched.push([number, key])),
    }
    world = await makeConnectionWorld({ plugins: [createRegisterPlugin(register)] })
  })
  after(async () => {
    await world.close()
    await rm(folder, { recursive: true })
  })

  const share = (room_id: string, config: object = {}) =>
    world.as(world.people.member).shareConnection({
      room_id,
      kind: 'source',
      plugin: 'company_register',
      label: 'Register',
      config: config,
      allowed_operations: ['find', 'watch'],
    })

  it('can be shared and read, and its change requires an approval', async () => {
    const room_id = await world.room()
    const { data } = await share(room_id)
    assert.deepEqual([data.origin, data.requires_approval], ['https://register.example', ['watch']])
    const { connection_id } = data
    const read = (number: string) =>
      world.service
        .client({
          access_token: world.people.member.token,
          workspace_id: world.workspace_id,
          attempts: 1,
        })
        .readConnection({ room_id, connection_id, operation: 'find', arguments: { number } })
    assert.deepEqual((await read('12345678')).data.output, { name: 'Company 12345678' })
    const { errors } = await refused(read('12'), 'validation_error')
    assert.deepEqual(
      errors.map(error => error.pointer),
      ['/arguments/number'],
    )
    await refused(read('00000000'), 'unavailable')
    const { data: approval } = await world.as(world.people.member).requestApproval({
      room_id,
      connection_id,
      operation: 'watch',
      arguments: { number: '12345678' },
    })
    assert.deepEqual([approval.summary, approval.status], ['Watch the company 12345678', 'pending'])
    assert.deepEqual(watched, [])
  })

  it('refuses settings that it does not have', async () => {
    const { errors } = await refused(share(await world.room(), { token: 'x' }), 'validation_error')
    assert.deepEqual(
      errors.map(error => error.pointer),
      ['/config'],
    )
  })
})
