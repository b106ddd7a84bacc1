import { execFile } from 'node:child_process'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join, resolve } from 'node:path'

export const root = resolve(import.meta.dirname, '../../../..')

/** The files of the project that a reader has, besides the data folder and saved files. */
const linked = ['package.json', 'node_modules', 'packages', 'scripts']

/** A folder that looks like a clone of the project to the commands of a document, with a data folder of its own. */
export interface ProjectFolder {
  path: string
  save(name: string, text: string): Promise<void>
  /** The compiler's errors for a saved file; empty if there are none. */
  typeErrors(name: string): Promise<string>
  remove(): Promise<void>
}

export async function projectFolder(dataDir: string): Promise<ProjectFolder> {
  const path = await mkdtemp(join(tmpdir(), 'wbs-docs-'))
  for (const name of linked) await symlink(join(root, name), join(path, name))
  await symlink(dataDir, join(path, '.data'))
  return {
    path,
    save: (name, text) => writeFile(join(path, name), text),
    async typeErrors(name) {
      const settings = { extends: join(root, 'tsconfig.json'), include: [name] }
      await writeFile(join(path, 'tsconfig.json'), JSON.stringify(settings))
      const tsc = join(root, 'node_modules/typescript/bin/tsc')
      return new Promise(resolve =>
        execFile(
          process.execPath,
          [tsc, '--project', path, '--pretty', 'false'],
          { cwd: path },
          (error, said) => resolve(error === null ? '' : said || error.message),
        ),
      )
    },
    remove: () => rm(path, { recursive: true, force: true }),
  }
}

/**
 * The environment of a terminal: without the settings of this run, and with the machine's Node, if there is one,
 * instead of the pinned one that `npm test` puts first.
 */
export function readersEnvironment(more: Record<string, string>): NodeJS.ProcessEnv {
  const inherited = Object.entries(process.env).filter(
    ([name]) =>
      !/^(SVC_|OIDC_|OTEL_|RATE_LIMIT_|SMTP_|MAIL_|WBS_|DATABASE_URL$|PORT$|HOST$|LOG_LEVEL$|NODE_|npm_)/.test(
        name,
      ),
  )
  const folders = (process.env.PATH ?? '').split(delimiter).filter(folder => !folder.startsWith(root))
  const PATH = [...folders, dirname(process.execPath)].join(delimiter)
  return { ...Object.fromEntries(inherited), PATH, ...more }
}

/** What a block that is not run refers to and the project does not have: npm scripts, npx programs, files. */
export function missingFor(script: string): string[] {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object }
  return script.split('\n').flatMap(line => {
    const [program = '', ...words] = line
      .replace(/(^|\s)#.*/, '')
      .trim()
      .split(/\s+/)
    const name = words[0] === 'run' ? (words[1] ?? '') : (words[0] ?? '')
    const missing: string[] = []
    if (
      program === 'npm' &&
      (words[0] === 'run' || name === 'start' || name === 'test') &&
      !(name in scripts)
    )
      missing.push(`package.json has no script “${name}”`)
    if (program === 'npx' && !existsSync(join(root, 'node_modules/.bin', name)))
      missing.push(`node_modules has no program “${name}”`)
    // What is new is not there yet.
    const asked = program === 'npm' && name === 'new' ? [] : words
    const files = asked.filter(word => /^[\w.-]+(\/[\w.-]+)+$/.test(word) && !existsSync(join(root, word)))
    return [...missing, ...files.map(file => `there is no file ${file}`)]
  })
}
