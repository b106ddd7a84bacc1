import { spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { notePassed, passedBefore } from './check/passed-before.ts'
import { shortTypeErrors } from './check/type-errors.ts'

/** Runs all checks besides the tests, and reports those that fail. */
const root = join(import.meta.dirname, '..')
const code = ['packages', 'scripts']
/** Programs that measure, and that try out several nodes. They are linted for their types, and nothing else is asked of them. */
const trials = ['bench', 'ops'].filter(folder => existsSync(join(root, folder)))

const openapi = 'docs/api/openapi.json'
/** A program that is installed in the folder `tools`. */
const tool = (name: string) => join(root, 'tools/node_modules/.bin', name)

/** The gates of a lane run one after the other, beside those of the other lane: the first uses one core and a half. */
const lanes: Record<string, string[]>[] = [
  {
    // Without paths it would also check node_modules, and crash there.
    'lint and types': ['oxlint', '--type-aware', '--type-check', ...code, ...trials],
  },
  {
    format: ['oxfmt', '--check', ...code],
    architecture: [process.execPath, 'scripts/architecture.ts'],
    'generated files': [process.execPath, 'scripts/generate.ts', '--check'],
    'dead code': ['knip', '--no-progress'],
    'OpenAPI document (Redocly)': [tool('redocly'), 'lint', openapi, '--config', 'redocly.yaml'],
    'OpenAPI document (Spectral)': [
      tool('spectral'),
      'lint',
      openapi,
      '--ruleset',
      '.spectral.yaml',
      '--fail-severity',
      'hint',
    ],
  },
]

/** What the verdict on the OpenAPI document depends on. The two gates on it do not run again before one of these changes. */
const openapiInputs = [openapi, 'redocly.yaml', '.spectral.yaml', 'tools/package-lock.json'].map(path =>
  join(root, path),
)
const inputsOf = (name: string) => (name.startsWith('OpenAPI') ? openapiInputs : [])

/** Redocly would report its use, and ask whether there is a newer version. */
const offline = { REDOCLY_TELEMETRY: 'off', REDOCLY_SUPPRESS_UPDATE_NOTICE: 'true' }

interface Outcome {
  passed: boolean
  output: string
  seconds: number
}

/** Runs a program, and collects its output until it ends. */
function run([program = '', ...args]: string[]): Promise<Outcome> {
  const path = [join(root, 'node_modules/.bin'), dirname(process.execPath), process.env.PATH].join(delimiter)
  const started = performance.now()
  return new Promise(resolve => {
    let output = ''
    const end = (passed: boolean) =>
      resolve({ passed, output, seconds: (performance.now() - started) / 1000 })
    const child = spawn(program, args, {
      cwd: root,
      env: { ...process.env, ...offline, PATH: path },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    for (const stream of [child.stdout, child.stderr])
      stream.setEncoding('utf8').on('data', (text: string) => (output += text))
    child.on('error', error => {
      output += error.message
      end(false)
    })
    child.on('close', status => end(status === 0))
  })
}

const failed: string[] = []

async function pass(name: string, command: string[]): Promise<void> {
  if (passedBefore(name, inputsOf(name))) return console.log(`✔ ${name} (unchanged since it passed)`)
  const { passed, output, seconds } = await run(command)
  console.log(`${passed ? '✔' : '✖'} ${name} (${seconds.toFixed(1)} s)`)
  if (passed) return notePassed(name, inputsOf(name))
  failed.push(name)
  console.log(`\n${(await withShortTypeErrors(output)).trim()}\n`)
}

/** The linter prints the types of an error in full, over pages. */
async function withShortTypeErrors(output: string): Promise<string> {
  if (!output.includes('typescript(TS')) return output
  const compiler = await run(['tsc', '--noEmit', '--project', '.'])
  return shortTypeErrors(compiler.output) || output
}

await Promise.all(
  lanes.map(async lane => {
    for (const [name, command] of Object.entries(lane)) await pass(name, command)
  }),
)
console.log(failed.length === 0 ? 'All of it holds.' : `Does not hold: ${failed.join(', ')}.`)
process.exitCode = failed.length === 0 ? 0 : 1
