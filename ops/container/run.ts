/**
 * Builds the image on this machine and runs it as an operator would:
 *
 *     npm run node -- ops/container/run.ts [--runtime crun|runc] [--keep] [--builder IMAGE --base IMAGE]
 *
 * Base images come from registries of images, which not every machine reaches. So this makes both from Debian's packages
 * with debootstrap, builds the Containerfile on them with buildah, and runs the result with podman: read-only, without
 * capabilities, without a way to gain rights. The PostgreSQL is one of this machine, outside of the container. It needs
 * root, as debootstrap does. `--keep` keeps the images; `--builder` and `--base` take images that are here already, such as
 * those that the Containerfile names.
 */
import { mkdtempSync, mkdirSync, rmSync, writeFileSync, chmodSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { parseArgs } from 'node:util'
import { makeBases } from './try/bases.ts'
import { buildImage } from './try/build-image.ts'
import { checkImage } from './try/check-image.ts'
import { checkFailures, checkRestore, ownedFolder } from './try/check-operation.ts'
import { checkTrial } from './try/check-trial.ts'
import { missingPrograms, run } from './try/command.ts'
import { expect, openLedger } from './try/ledger.ts'
import { findPodman } from './try/podman.ts'
import { postgresIsInstalled, startPostgres } from './try/postgres.ts'

const root = resolve(import.meta.dirname, '../..')
const results = join(root, 'ops/results/container.json')
const notRun = [
  'the base images of the registries: node:24-trixie-slim and distroless/cc-debian13',
  'docker',
  'compose.yaml',
  'arm64',
]
const ports = { postgres: 22_432, service: 22_080, other: 22_081 }

const { values } = parseArgs({
  options: {
    runtime: { type: 'string' },
    keep: { type: 'boolean' },
    builder: { type: 'string' },
    base: { type: 'string' },
  },
})
const { builder, base } = values
const missing = missingPrograms({
  debootstrap: 'debootstrap',
  buildah: 'buildah',
  podman: 'podman',
  npm: 'npm',
})
if (!postgresIsInstalled()) missing.push('PostgreSQL 15 (package postgresql-15)')
if (process.getuid?.() !== 0) missing.push('root')
if (missing.length > 0) {
  console.error(`This needs ${missing.join(', ')}.`)
  process.exit(1)
}

const folder = mkdtempSync(join(tmpdir(), 'wbs-container-'))
chmodSync(folder, 0o755) // PostgreSQL and the service, which are not root, reach their folders in it.
const ledger = openLedger(line => console.log(line))
await using cleanUp = new AsyncDisposableStack()
cleanUp.defer(() => rmSync(folder, { recursive: true, force: true }))
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    console.error('Interrupted; cleaning up …')
    void cleanUp.disposeAsync().finally(() => process.exit(1))
  })

if (!builder || !base) console.log('Making base images of Debian packages …')
const bases = builder && base ? { builder, base } : await makeBases(folder, root)
if (!values.keep && bases.base !== base) cleanUp.defer(() => removeImages([bases.builder, bases.base]))
console.log('Building …')
const image = await buildImage(root, bases)
if (!values.keep) cleanUp.defer(() => removeImages([image.name]))
const podman = await findPodman(image.name, values.runtime)
const postgres = await startPostgres(folder, ports.postgres, root)
cleanUp.defer(() => postgres.stop())

await checkImage(ledger, podman, image, bases, root)
await trial()
const operation = { podman, image, postgres, folder, port: ports.other }
await checkRestore(ledger, operation, join(folder, 'data'))
await checkFailures(ledger, operation)
report()

/** A service on the development identity, which gives tokens to try it with. */
async function trial(): Promise<void> {
  await postgres.prepare('service')
  const data = ownedFolder(folder, 'data')
  const container = await podman.start(image.name, {
    env: { HOST: '127.0.0.1', PORT: `${ports.service}`, DATABASE_URL: postgres.url('service') },
    mounts: [`type=bind,src=${data},dst=/data`],
  })
  cleanUp.defer(() => container.remove())
  try {
    await checkTrial(ledger, { container, base_url: `http://127.0.0.1:${ports.service}`, data })
    await ledger.check('SIGTERM ends it with 0', async () => {
      const { code, seconds } = await container.stop(30)
      expect(code === 0, `it ended with ${code}:\n${await container.logs()}`)
      return `after ${seconds.toFixed(1)} s`
    })
  } finally {
    await container.remove()
  }
}

function report(): void {
  const { version, revision } = image
  const how = { runtime: podman.runtime, postgresql: postgres.version, node: process.version }
  mkdirSync(join(root, 'ops/results'), { recursive: true })
  const found = {
    measured_at: new Date().toISOString(),
    version,
    revision,
    ...how,
    checks: ledger.results,
    not_run: notRun,
  }
  writeFileSync(results, `${JSON.stringify(found, null, 2)}\n`)
  const failed = ledger.results.filter(({ passed }) => !passed).length
  console.log(
    `\n${ledger.results.length - failed} checks passed, ${failed} failed. Not run: ${notRun.join('; ')}.`,
  )
  if (failed > 0) process.exitCode = 1
}

async function removeImages(names: string[]): Promise<void> {
  await run('podman', ['rmi', '--force', ...names], { mayFail: true })
}
