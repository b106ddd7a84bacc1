import { execFile } from 'node:child_process'
import { cp, mkdir, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { fillFromPrepared } from '../../../server/test/harness/postgres/prepared-folder.ts'

const run = promisify(execFile)
const root = join(import.meta.dirname, '../../../..')

/** A program of the folder tools. */
export const tool = (name: string) => join(root, 'tools/node_modules', name)

/** The compilers that a project may have: that of the repository, and the last one that is written in TypeScript. */
export const compilers = {
  'TypeScript 7': join(root, 'node_modules/typescript/bin/tsc'),
  'TypeScript 5.9': tool('typescript/bin/tsc'),
}

/** The SDK as it is published, in one file. */
export interface PackedSdk {
  file: string
  /** A new folder with the sources of the folder `outside`, in which the packed file is installed. */
  newProject(): Promise<string>
  remove(): Promise<void>
}

/** Builds, packs and installs the SDK in a folder outside the repository, once in a test run. */
export async function packSdk(): Promise<PackedSdk> {
  const folder = await mkdtemp(join(tmpdir(), 'wbs-sdk-'))
  await fillFromPrepared(folder, 'packed-sdk', async made => {
    await node([join(root, 'scripts/build.ts'), '--out', join(made, 'built')], made)
    await npm(['pack', join(made, 'built'), '--silent'], made)
    await installIn(join(made, 'installed'), join(made, await packedName(made)))
  })
  return {
    file: join(folder, await packedName(folder)),
    async newProject() {
      const project = await mkdtemp(join(folder, 'project-'))
      await cp(join(folder, 'installed'), project, { recursive: true })
      await cp(join(import.meta.dirname, 'outside'), join(project, 'src'), { recursive: true })
      return project
    },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

const packedName = async (folder: string): Promise<string> =>
  (await readdir(folder)).find(name => name.endsWith('.tgz')) ?? ''

async function installIn(project: string, file: string): Promise<void> {
  await mkdir(project)
  const manifest = { name: 'outside', version: '1.0.0', private: true, type: 'module' }
  await writeFile(join(project, 'package.json'), JSON.stringify(manifest))
  await npm(['install', '--offline', '--no-audit', '--no-fund', '--silent', file], project)
}

/** Runs a file on the Node of the tests, and gives its output. Rejects with its output if it fails. */
export const node = (args: readonly string[], cwd: string) => program(process.execPath, args, cwd)

/** Bundles a module of a project as web apps do, into the file `bundled.js`. */
export const bundle = (entry: string, cwd: string, ...options: string[]) =>
  program(
    // Once installed it is no script: npm puts the program of the machine in its place.
    tool('.bin/esbuild'),
    [entry, '--bundle', '--format=esm', '--log-level=error', '--outfile=bundled.js', ...options],
    cwd,
  )

async function program(name: string, args: readonly string[], cwd: string): Promise<string> {
  const { stdout } = await run(name, args, { cwd }).catch((error: unknown) => {
    const { stdout: said = '', stderr = '' } = error as { stdout?: string; stderr?: string }
    throw new Error(`${args.join(' ')} failed:\n${said}${stderr}`, { cause: error })
  })
  return stdout
}

/** npm does not tell its scripts about the project that runs the tests. */
function npm(args: readonly string[], cwd: string): Promise<unknown> {
  const own = process.env['npm_execpath']
  const env = Object.fromEntries(
    Object.entries(process.env).filter(([name]) => !/^npm_(?!config_cache$)/i.test(name)),
  )
  return own === undefined
    ? run('npm', args, { cwd, env })
    : run(process.execPath, [own, ...args], { cwd, env })
}

/** Compiles the project strictly, also the declarations that it imports. Rejects with the errors of the compiler. */
export async function compile(
  project: string,
  compiler: keyof typeof compilers,
  options: {
    moduleResolution: 'nodenext' | 'bundler'
    lib: readonly string[]
    types: readonly string[]
    files: readonly string[]
  },
): Promise<void> {
  const { files, moduleResolution, lib, types } = options
  const compilerOptions = {
    target: 'es2022',
    module: moduleResolution === 'bundler' ? 'esnext' : 'nodenext',
    moduleResolution,
    lib,
    types,
    typeRoots: [join(root, 'node_modules/@types')],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    verbatimModuleSyntax: true,
    skipLibCheck: false,
    rootDir: 'src',
    outDir: 'out',
  }
  await writeFile(
    join(project, 'tsconfig.json'),
    JSON.stringify({ compilerOptions, files: files.map(file => `src/${file}`) }),
  )
  await node([compilers[compiler], '--project', '.'], project)
}
