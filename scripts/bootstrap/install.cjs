'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { Interrupted, PlainError } = require('./endings.cjs')
const { hadDevelopment, isEverRecorded, isInstalled, writeStamp } = require('./installed.cjs')
const { lockInstallation } = require('./lock.cjs')
const { run } = require('./run.cjs')

/** Installs the dependencies of `root` unless that was done; `dev` asks for the development ones too. */
async function ensureInstalled(root, dev) {
  if (isInstalled(root, dev)) return
  const unlock = await lockInstallation(root)
  try {
    // Another process may have done it while we waited. What somebody once had is not taken away.
    if (!isInstalled(root, dev)) await install(root, dev || hadDevelopment(root))
  } finally {
    unlock()
  }
}

// Not `npm ci`: it empties node_modules, from which a service may be running, and it refuses a lock file that
// lacks packages of other platforms, which npm itself leaves out when its registry does not have them.
async function install(root, dev) {
  const unmark = removeHalfInstalled(root)
  console.error(isEverRecorded(root) ? 'Updating dependencies…' : 'Installing dependencies (first run)…')
  const what = ['install', '--no-save', dev ? '--include=dev' : '--omit=dev', '--include=optional']
  const [program, ...args] = [...npm(), ...what, '--no-audit', '--no-fund', '--loglevel=error']
  // Our stdout is not npm's: it is for the answers of `wbs`.
  const ended = await run(program, args, { cwd: root, stdio: ['ignore', 'ignore', 'inherit'] }).catch(
    error => error,
  )
  if (ended.interrupted) throw new Interrupted(ended.interrupted)
  if (ended.code !== 0) throw new PlainError(`The dependencies could not be installed (${reason(ended)}).`)
  unmark()
  writeStamp(root, dev)
}

// An installation that was killed leaves packages half unpacked, which npm would take for whole. It is known
// by our mark, or by the absence of the record that npm writes at the end.
function removeHalfInstalled(root) {
  const modules = path.join(root, 'node_modules')
  const mark = path.join(modules, '.wbs-incomplete')
  if (fs.existsSync(mark) || !isEverRecorded(root)) fs.rmSync(modules, { recursive: true, force: true })
  fs.mkdirSync(modules, { recursive: true })
  fs.writeFileSync(mark, '')
  return () => fs.rmSync(mark, { force: true })
}

// The npm that started us, on the Node it runs on, unless that was just removed; not another package manager,
// which sets this too.
function npm() {
  const own = process.env.npm_execpath
  const isUsable = own && /npm-cli\.c?js$/.test(own) && fs.existsSync(own) && fs.existsSync(process.execPath)
  return isUsable ? [process.execPath, own] : ['npm']
}

const reason = ended => (ended.code === 'ENOENT' ? 'npm was not found' : "see npm's message above")

module.exports = { ensureInstalled }
