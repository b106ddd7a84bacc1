import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { cp, mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { it } from 'node:test'
import { promisify } from 'node:util'
import { blocksOf } from '../../../server/test/docs/document.ts'
import { projectFolder, readersEnvironment } from '../../../server/test/docs/project-folder.ts'
import { textDifferences } from '../../../server/test/docs/shown-answer.ts'
import { sampleDataFolder } from '../../../server/test/harness/process.ts'
import { compile } from './packed-sdk.ts'
import { signIn } from './sign-in.ts'
import sdkPackage from '../../package.json' with { type: 'json' }

const run = promisify(execFile)

/** Follows packages/sdk/README.md: its commands in a clone and in a new project, and its programs as one. */
it('the README installs the packed SDK, and its programs print what it shows', async t => {
  const data = await sampleDataFolder(t)
  const service = await data.start()
  const clone = await projectFolder(data.path)
  t.after(() => clone.remove())
  const markdown = await readFile(join(import.meta.dirname, '../../README.md'), 'utf8')
  const textsIn = (language: string) =>
    blocksOf(markdown).flatMap(block => (block.language === language ? [block.text] : []))

  const [build = '', install = '', ...more] = textsIn('sh')
  assert.deepEqual(more, [])
  const project = join(clone.path, 'app')
  await mkdir(join(project, 'src'), { recursive: true })
  await writeFile(join(project, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  const env = readersEnvironment({})
  await run('sh', ['-ec', build], { cwd: clone.path, env })
  const packed = `wbs-sdk-${sdkPackage.version}.tgz`
  await cp(join(clone.path, packed), join(project, packed))
  await run('sh', ['-ec', install.replace('install', 'install --offline --no-audit')], { cwd: project, env })

  await writeFile(join(project, 'src/readme.ts'), textsIn('ts').join('\n'))
  await compile(project, 'TypeScript 7', {
    moduleResolution: 'nodenext',
    lib: ['es2023'],
    types: ['node'],
    files: ['readme.ts'],
  })
  const { stdout } = await run(process.execPath, ['out/readme.js'], {
    cwd: project,
    env: { SVC_URL: service.base_url, SVC_TOKEN: await signIn(service.base_url, 'owner') },
    timeout: 240_000,
  })
  assert.deepEqual(textDifferences(textsIn('text').join(''), stdout), [], stdout)
})
