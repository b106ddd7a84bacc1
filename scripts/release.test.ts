import assert from 'node:assert/strict'
import { cpSync, globSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { dateChanges, setVersion, UnfitRelease } from './release/set-version.ts'

const root = join(import.meta.dirname, '..')
const manifests = ['package.json', ...globSync('packages/*/package.json', { cwd: root })]
const read = (folder: string, file: string) => JSON.parse(readFileSync(join(folder, file), 'utf8'))

it('all packages, their dependencies on each other and the lock file have one version', () => {
  const { version } = read(root, 'package.json')
  const lock = read(root, 'package-lock.json')
  for (const file of manifests) {
    const manifest = read(root, file)
    assert.equal(manifest.version, version, file)
    assert.equal(lock.packages[file === 'package.json' ? '' : dirname(file)].version, version, file)
    for (const [name, wanted] of Object.entries({ ...manifest.dependencies, ...manifest.devDependencies }))
      if (name.startsWith('@wbs/')) assert.equal(wanted, version, `${file} on ${name}`)
  }
})

describe('a release', () => {
  let folder: string
  before(() => {
    folder = mkdtempSync(join(tmpdir(), 'wbs-release-'))
    for (const file of [...manifests, 'package-lock.json', 'CHANGELOG.md']) {
      mkdirSync(join(folder, dirname(file)), { recursive: true })
      cpSync(join(root, file), join(folder, file))
    }
  })
  after(() => rmSync(folder, { recursive: true }))

  it('must have a later version, of three numbers', () => {
    const { version } = read(folder, 'package.json')
    const earlier = version.replace(/\d+$/, (patch: string) => String(Math.max(0, Number(patch) - 1)))
    for (const unfit of ['', 'next', '1.0', 'v1.0.0', '1.0.0-rc.1', version, earlier])
      assert.throws(() => setVersion(folder, unfit, '2026-11-23'), UnfitRelease, unfit)
    assert.deepEqual(read(folder, 'package.json'), read(root, 'package.json'))
  })

  it('has its version everywhere', () => {
    writeFileSync(join(folder, 'CHANGELOG.md'), '# Changelog\n\n## Unreleased\n\n- New.\n')
    setVersion(folder, '99.0.1', '2026-11-23')
    const lock = read(folder, 'package-lock.json')
    for (const file of manifests) {
      const manifest = read(folder, file)
      assert.equal(manifest.version, '99.0.1')
      assert.equal(lock.packages[file === 'package.json' ? '' : dirname(file)].version, '99.0.1')
    }
    assert.equal(read(folder, 'packages/server/package.json').dependencies['@wbs/contract'], '99.0.1')
    assert.match(readFileSync(join(folder, 'CHANGELOG.md'), 'utf8'), /## 99\.0\.1 \(2026-11-23\)\n\n- New\./)
  })

  it('gives the unreleased changes to its version, and leaves room for later ones', () => {
    const changelog = '# Changelog\n\n## Unreleased\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n'
    const dated = dateChanges(changelog, '0.2.0', '2026-11-23')
    assert.equal(
      dated,
      '# Changelog\n\n## Unreleased\n\n## 0.2.0 (2026-11-23)\n\n- New.\n\n## 0.1.0 (2026-01-01)\n\n- Old.\n',
    )
    assert.throws(() => dateChanges(dated, '0.3.0', '2026-11-24'), UnfitRelease)
  })
})
