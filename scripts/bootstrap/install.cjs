'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { Interrupted, PlainError } = require('./endings.cjs')
const { hadDevelopment, isEverRecorded, isInstalled, writeStamp } = require('./installed.cjs')
const { lockInstallation } = require('./lock.cjs')
const { programsFor, unpackPrograms } = require('./programs.cjs')
const { run } = require('./run.cjs')

/** Installs the dependencies of `root` unless they are installed; with `dev`, the development ones too. */
async function ensureInstalled(root, dev) {
  if (isInstalled(root, dev)) return
  const unlock = await lockInstallation(root)
  try {
    // Another process may have installed them meanwhile. Development dependencies that were there are kept.
    if (!isInstalled(root, dev)) await install(root, dev || hadDevelopment(root))
  } finally {
    unlock()
  }
}

async function install(root, dev) {
  const unmark = removeHalfInstalled(root)
  const isFirst = !isEverRecorded(root)
  console.error(isFirst ? 'Installing dependencies (first run)…' : 'Updating dependencies…')
  if (dev || !isFirst || !(await installQuickly(root))) await npmInstall(root, dev)
  unmark()
  writeStamp(root, dev)
}

/**
 * Installs the production dependencies into an empty folder, with the large programs unpacked beside npm. Returns
 * whether that worked.
 */
async function installQuickly(root) {
  const programs = programsFor(root)
  if (programs.length === 0) return false
  const aside = path.join(root, 'node_modules/.wbs-programs')
  const quietly = ([program, ...args]) =>
    run(program, args, { cwd: root, stdio: 'ignore' }).then(requireUninterrupted, () => 1)
  // The lock file pins every package, so npm need not ask the registry about what it has cached.
  const rest = [...npm(), ...npmInstallation(false, '--omit=optional'), '--prefer-offline']
  const [unpacked, code] = await Promise.all([unpackPrograms(programs, aside, npm(), quietly), quietly(rest)])
  const worked = unpacked && code === 0
  // npm removes what it did not install, so they are moved in when it is done.
  if (worked)
    for (const { at } of programs) {
      fs.mkdirSync(path.dirname(path.join(root, at)), { recursive: true })
      fs.renameSync(path.join(aside, at), path.join(root, at))
    }
  fs.rmSync(aside, { recursive: true, force: true })
  return worked
}

// Not `npm ci`, which empties node_modules: a service may be running from it, or the programs be unpacked into it.
function npmInstallation(dev, optional) {
  const what = ['install', '--no-save', dev ? '--include=dev' : '--omit=dev', optional]
  return [...what, '--no-audit', '--no-fund', '--loglevel=error']
}

async function npmInstall(root, dev) {
  const [program, ...args] = [...npm(), ...npmInstallation(dev, '--include=optional')]
  // npm's output goes to stderr, because stdout is for the output of `wbs`.
  const ended = await run(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).catch(
    error => error,
  )
  if (requireUninterrupted(ended) !== 0)
    throw new PlainError(`The dependencies could not be installed (${reason(ended)}).`)
}

/** The exit code of a program, unless a signal asked us to end. */
function requireUninterrupted({ code, interrupted }) {
  if (interrupted) throw new Interrupted(interrupted)
  return code
}

// An installation that was killed leaves incomplete packages, which npm would take for complete. Our mark shows it, or
// the absence of the record that npm writes at the end.
function removeHalfInstalled(root) {
  const modules = path.join(root, 'node_modules')
  const mark = path.join(modules, '.wbs-incomplete')
  if (fs.existsSync(mark) || !isEverRecorded(root)) fs.rmSync(modules, { recursive: true, force: true })
  fs.mkdirSync(modules, { recursive: true })
  fs.writeFileSync(mark, '')
  return () => fs.rmSync(mark, { force: true })
}

// The npm that started us, on the Node it runs on, unless that was just removed. Other package managers set this
// variable too.
function npm() {
  const own = process.env.npm_execpath
  const isUsable = own && /npm-cli\.c?js$/.test(own) && fs.existsSync(own) && fs.existsSync(process.execPath)
  return isUsable ? [process.execPath, own] : ['npm']
}

const reason = ended => (ended.code === 'ENOENT' ? 'npm was not found' : "see npm's message above")

module.exports = { ensureInstalled }
