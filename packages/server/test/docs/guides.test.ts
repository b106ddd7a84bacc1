import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { dataFolder, type DataFolder, type ServiceProcess } from '../harness/process.ts'

const missing = ['curl', 'openssl', 'bash'].filter(
  program => spawnSync(program, ['--version']).error !== undefined,
)

/** The guides whose examples run as they stand, one after the other, in one shell. */
const guides = ['team-and-api-keys.md', 'workspace-businesses.md', 'rooms.md', 'activity.md']

describe('the examples of', { skip: missing.length > 0 && `${missing.join(' and ')} not found` }, () => {
  let folder: DataFolder
  let service: ServiceProcess
  before(async () => {
    folder = await dataFolder()
    service = await folder.start()
  })
  after(() => folder.remove())

  for (const guide of guides)
    it(`${guide} run as they stand`, async () => {
      const text = await readFile(new URL(`../../../../docs/guides/${guide}`, import.meta.url), 'utf8')
      const blocks = [...text.matchAll(/```sh\n([\s\S]*?)```/g)].map(([, block = '']) => block)
      assert.ok(blocks.length > 0)
      const script = blocks
        .join('\n')
        .replaceAll('http://127.0.0.1:8080', service.base_url)
        .replaceAll('./.data/', `${folder.path}/`)
      const env = { ...process.env, PATH: `${dirname(process.execPath)}:${process.env.PATH}` }
      const { stdout } = await promisify(execFile)('bash', ['-euo', 'pipefail', '-c', script], { env })
      assert.ok(stdout.includes('"request_id"'))
    })
})
