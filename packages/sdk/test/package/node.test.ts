import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import {
  sampleDataFolder,
  type DataFolder,
  type ServiceProcess,
} from '../../../server/test/harness/process.ts'
import { assertSeen } from './assert-seen.ts'
import type { Seen } from './outside/work-in-room.ts'
import { compile, packSdk, tool, type PackedSdk } from './packed-sdk.ts'
import { signIn } from './sign-in.ts'

const run = promisify(execFile)
const programs: Record<string, string> = {
  '20': tool(`node-20-linux-${process.arch}/bin/node`),
  '22': tool(`node-22-linux-${process.arch}/bin/node`),
  '24': process.execPath,
}

describe('a project outside the repository, with the installed SDK', () => {
  let data: DataFolder
  let service: ServiceProcess
  let sdk: PackedSdk
  let project: string
  before(async () => {
    data = await sampleDataFolder()
    service = await data.start()
    sdk = await packSdk()
    project = await sdk.newProject()
    await compile(project, 'TypeScript 5.9', {
      moduleResolution: 'nodenext',
      lib: ['es2023'],
      types: ['node'],
      files: ['on-node.ts'],
    })
  })
  after(async () => {
    await sdk.remove()
    await data.remove()
  })

  for (const [version, program] of Object.entries(programs))
    it(
      `signs in, searches, opens a Room, uploads and follows on Node ${version}`,
      { skip: !existsSync(program) && `there is no Node ${version} for this platform` },
      async () => {
        assert.match((await run(program, ['--version'])).stdout, new RegExp(`^v${version}\\.`))
        const env = { SVC_URL: service.base_url, SVC_TOKEN: await signIn(service.base_url, 'owner') }
        const { stdout, stderr } = await run(program, ['out/on-node.js'], {
          cwd: project,
          env,
          timeout: 240_000,
        })
        assertSeen(JSON.parse(stdout) as Seen)
        assert.equal(stderr, '')
      },
    )

  it('is required by CommonJS on Node 22 and 24, and imported by it on Node 20', async () => {
    const code = "console.log(typeof require('@wbs/sdk').createClient)"
    for (const version of ['22', '24']) {
      const { stdout } = await run(programs[version] ?? '', ['--input-type=commonjs', '--eval', code], {
        cwd: project,
      })
      assert.equal(stdout.trim(), 'function')
    }
    const later = "import('@wbs/sdk').then(sdk => console.log(typeof sdk.createClient))"
    const { stdout } = await run(programs['20'] ?? '', ['--input-type=commonjs', '--eval', later], {
      cwd: project,
    })
    assert.equal(stdout.trim(), 'function')
  })
})
