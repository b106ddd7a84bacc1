import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { dataFolder, type DataFolder, type ServiceProcess } from '../harness/process.ts'

const readme = new URL('../../../../README.md', import.meta.url)

describe('the README', () => {
  let folder: DataFolder
  let service: ServiceProcess
  before(async () => {
    folder = await dataFolder()
    service = await folder.start()
  })
  after(() => folder.remove())

  it('has a first search that finds credit unions in Montana', async () => {
    const { data } = JSON.parse(await example('A first search', 0)) as {
      data: { name: string; city: string }[]
    }
    assert.equal(data.length, 3)
    for (const business of data) assert.deepEqual(Object.keys(business), ['id', 'name', 'status', 'city'])
  })

  it('has a first Workspace, made once however often the example is run', async () => {
    const first = JSON.parse(await example('A first Workspace', 0)) as {
      workspace: { id: string; name: string }
      idempotent_replay: boolean
    }
    const again = JSON.parse(await example('A first Workspace', 0)) as typeof first
    assert.equal(first.workspace.name, 'Acquisitions 2027')
    assert.deepEqual([first.idempotent_replay, again.idempotent_replay], [false, true])
    assert.equal(again.workspace.id, first.workspace.id)
  })

  it('lists Businesses of the sample Workspace with its API key', async () => {
    const { data } = JSON.parse(await example('A first Workspace', 1)) as { data: unknown[] }
    assert.equal(data.length, 2)
  })

  it('shows an error that says what was meant', async () => {
    const { errors } = JSON.parse(await example('A first Workspace', 2)) as {
      errors: { suggestion: string }[]
    }
    assert.equal(errors[0]?.suggestion, 'state')
  })

  it('opens a first Room around a Business, and shows what happened there', async () => {
    const { room, action_receipt } = JSON.parse(await example('A first Room', 0)) as {
      room: { room_id: string; business_id: string; access_level: string }
      action_receipt: { action: string }
    }
    assert.match(room.business_id, /^biz_/)
    assert.deepEqual([room.access_level, action_receipt.action], ['full_access', 'create_room'])
    const signIn = (await block('A first Room', 0)).split('\n').slice(0, 2).join('\n')
    const { data } = JSON.parse(await run(`${signIn}\n${await block('A first Room', 1)}`)) as {
      data: { type: string; room: { id: string } }[]
    }
    assert.deepEqual(
      data.map(event => [event.type, event.room.id]),
      [['room.created', room.room_id]],
    )
  })

  /** Runs the n-th shell example under a heading. */
  const example = async (heading: string, n: number) => run(await block(heading, n))

  async function block(heading: string, n: number): Promise<string> {
    const text = await readFile(readme, 'utf8')
    const section = text.split(/^## /m).find(part => part.startsWith(heading)) ?? ''
    return (
      [...section.matchAll(/```sh\n([\s\S]*?)```/g)][n]?.[1] ??
      assert.fail(`There is no example ${n} under “${heading}”.`)
    )
  }

  /** Runs an example as it stands but for the address and the data folder. */
  async function run(text: string): Promise<string> {
    const script = text
      .replaceAll('http://127.0.0.1:8080', service.base_url)
      .replaceAll('./.data/', `${folder.path}/`)
    const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
    const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
    return stdout
  }
})
