'use strict'
const fs = require('node:fs')
const path = require('node:path')
const { PlainError } = require('./endings.cjs')
const { processFields, readJson } = require('./files.cjs')

const CHECK_MS = 200
const WITHOUT_OWNER_MS = 5000

const ownerFile = lock => path.join(lock, 'owner.json')

/** Waits until no other process installs in `root`, and takes the lock. Returns the function that releases it. */
async function lockInstallation(root) {
  const lock = path.join(root, '.wbs-installing') // not in node_modules, which npm removes
  for (let told = false; !tryLock(lock); await new Promise(resolve => setTimeout(resolve, CHECK_MS))) {
    if (!told) console.error('Waiting for another process that installs the dependencies…')
    told = true
  }
  return () => fs.rmSync(lock, { recursive: true, force: true })
}

function tryLock(lock) {
  try {
    fs.mkdirSync(lock)
    fs.writeFileSync(ownerFile(lock), JSON.stringify(identify(process.pid)))
    return true
  } catch (error) {
    if (error.code !== 'EEXIST') {
      throw new PlainError(`The dependencies cannot be installed in ${path.dirname(lock)} (${error.code}).`)
    }
    removeStaleLock(lock)
    return false
  }
}

// Renamed before it is removed, and checked again: another process may have removed the stale lock and taken a new one
// meanwhile.
function removeStaleLock(lock) {
  if (!isStale(lock)) return
  const aside = `${lock}-${process.pid}`
  try {
    fs.renameSync(lock, aside)
    if (isStale(aside)) fs.rmSync(aside, { recursive: true, force: true })
    else fs.renameSync(aside, lock)
  } catch (error) {
    if (error.code !== 'ENOENT') throw error
  }
}

function isStale(lock) {
  const owner = readJson(ownerFile(lock))
  if (owner) return identify(owner.pid).since !== owner.since
  const made = fs.statSync(lock, { throwIfNoEntry: false })
  return made !== undefined && Date.now() - made.mtimeMs > WITHOUT_OWNER_MS
}

/** A process by its id and start time, since ids are reused; `since` is '' for one that does not exist. */
function identify(pid) {
  if (process.platform === 'linux') return { pid, since: processFields(pid)[19] || '' }
  try {
    process.kill(pid, 0)
    return { pid, since: 'unknown' }
  } catch (error) {
    return { pid, since: error.code === 'EPERM' ? 'unknown' : '' }
  }
}

module.exports = { lockInstallation }
