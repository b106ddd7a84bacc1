import { matchesGlob } from 'node:path'
import { dirname } from 'node:path/posix'
import { fileCycles, folderCycles } from './cycles.ts'
import { allSlices, type Allowance, type Layer } from './layers.ts'
import type { Import, Module } from './module.ts'
import { judgeCallers, judgeSteps } from './one-path.ts'

/** A violation of a rule, with its location. */
export interface Finding {
  path: string
  line: number
  message: string
}

/** The most lines of a file. Tests may have more, because they are read case by case; nobody reads generated files. */
const longestFile = (path: string) => {
  if (path.includes('/generated/')) return Infinity
  return /\/test\/|\.test\.ts$/.test(path) ? 400 : 300
}

/** The most files of a folder. */
const fullestFolder = 20

/** All violations of the layers and of the other rules. */
export function judge(modules: readonly Module[], layers: readonly Layer[]): Finding[] {
  if (!modules.some(module => module.imports.length > 0))
    return [
      { path: '.', line: 0, message: `no import was seen in ${modules.length} files, so nothing was judged` },
    ]
  const ofPackages = modules.filter(({ path }) => /^packages\/[^/]+\/src\//.test(path))
  return [
    ...ofPackages.flatMap(module => judgeImports(module, layers)),
    ...ofPackages.flatMap(judgeEnvironment),
    ...ofPackages.flatMap(judgeClock),
    ...ofPackages.flatMap(judgeWaits),
    ...ofPackages.flatMap(judgeSteps),
    ...ofPackages.flatMap(judgeCallers),
    ...modules.flatMap(judgeForm),
    ...modules.flatMap(judgeEnglish),
    ...judgeFolders(modules),
    ...fileCycles(ofPackages).map(cycle => cycleFinding(cycle, modules)),
    ...folderCycles(ofPackages).map(cycle => cycleFinding(cycle, modules)),
  ]
}

function judgeImports({ path, imports }: Module, layers: readonly Layer[]): Finding[] {
  const layer = layers.find(({ files }) => matchesGlob(path, files))
  if (!layer)
    return [{ path, line: 1, message: 'is in no layer; scripts/architecture/layers.ts has the table' }]
  const allowed = [layer.files, ...layer.may]
  return imports
    .filter(imported => !allowed.some(allowance => allows(allowance, imported)))
    .map(imported => ({
      path,
      line: imported.line,
      message: `${layer.name} may not import ${describe(imported)}`,
    }))
}

function allows(allowance: Allowance, { target, names, isType }: Import): boolean {
  if (typeof allowance === 'string') return matchesGlob(target, allowance)
  return target === allowance.file && isType && names.every(name => allowance.types.includes(name))
}

const describe = ({ target, names, isType }: Import) =>
  `${isType ? 'the type ' : ''}${names.join(', ')} of ${target}`

const judgeEnvironment = ({ path, environment }: Module): Finding[] =>
  path.endsWith('/src/config.ts')
    ? []
    : environment.map(line => ({
        path,
        line,
        message: 'reads the environment, which is for config.ts alone',
      }))

/** Handlers get the time from their context, so that tests can set it. An import has no context. */
const judgeClock = ({ path, clock }: Module): Finding[] =>
  allSlices.some(files => matchesGlob(path, files)) && !path.includes('/businesses/import/')
    ? clock.map(line => ({
        path,
        line,
        message: 'reads the clock; use `now` of the context, or databaseTime for what the database compares',
      }))
    : []

/** An open transaction holds locks, and PostgreSQL ends it if it waits for too long. */
const judgeWaits = ({ path, waits }: Module): Finding[] =>
  allSlices.some(files => matchesGlob(path, files)) || path.includes('/call/')
    ? waits.map(line => ({
        path,
        line,
        message:
          'uses something other than PostgreSQL where a transaction is open; `prepare` or `compute` it before, or send a job',
      }))
    : []

function judgeForm({ path, lines, isBarrel }: Module): Finding[] {
  const drawer = path.split('/').find(folder => /^(?:utils?|helpers?|common)$/.test(folder))
  const isEntry = /^packages\/[^/]+\/src\/index\.ts$/.test(path)
  const wrong = [
    drawer !== undefined && `is in a folder named ${drawer}; a folder is named for what is in it`,
    !isEntry && path.endsWith('/index.ts') && 'is an index; only a package has one',
    !isEntry && isBarrel && 'only passes on what other files export; import those',
    lines > longestFile(path) && `has ${lines} lines; ${longestFile(path)} are the most`,
  ]
  return wrong.filter(message => message !== false).map(message => ({ path, line: 1, message }))
}

/** In tests, a short name whose use stands on the same line is read at once. */
const judgeEnglish = ({ path, hardToRead }: Module): Finding[] => {
  if (path.includes('/generated/')) return []
  const isTest = /\/test\/|\.test\.ts$/.test(path)
  return hardToRead
    .filter(({ isName }) => !(isTest && isName))
    .map(({ line, message }) => ({ path, line, message }))
}

function judgeFolders(modules: readonly Module[]): Finding[] {
  const folders = Map.groupBy(modules, ({ path }) => dirname(path))
  return [...folders]
    .filter(([, files]) => files.length > fullestFolder)
    .map(([path, files]) => ({
      path,
      line: 1,
      message: `has ${files.length} files; ${fullestFolder} are the most: give a noun a folder of its own`,
    }))
}

/** The finding is at the import of the second member of the cycle in the first. */
function cycleFinding(cycle: readonly string[], modules: readonly Module[]): Finding {
  const [first = '', second = first] = cycle
  const isIn = (path: string, place: string) => path === place || path.startsWith(`${place}/`)
  for (const { path, imports } of modules) {
    const found = isIn(path, first) && imports.find(({ target }) => isIn(target, second))
    if (found)
      return {
        path,
        line: found.line,
        message: `is in an import cycle: ${[...cycle, first].map(member => member.replace('packages/', '')).join(' → ')}`,
      }
  }
  throw new Error(`No file of ${first} imports one of ${second}.`)
}
