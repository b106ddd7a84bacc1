'use strict'
// Tells whether the dependencies are installed: by our own stamp, which is quick to read, or else by npm's record.

const { createHash } = require('node:crypto')
const fs = require('node:fs')
const path = require('node:path')
const { readJson } = require('./files.cjs')

const lockFile = root => path.join(root, 'package-lock.json')
const recordFile = root => path.join(root, 'node_modules/.package-lock.json')
const stampFile = root => path.join(root, 'node_modules/.wbs-installed.json')

/** Whether the dependencies of `root` are installed, with the development ones if `dev`. Stamps what npm recorded. */
function isInstalled(root, dev) {
  if (isStamped(root, dev)) return true
  if (!isRecorded(root, dev)) return false
  writeStamp(root, isRecorded(root, true))
  return true
}

/** Whether the stamp is for this lock file and machine, with at least `dev`, and npm has changed nothing since. */
function isStamped(root, dev) {
  const stamp = readJson(stampFile(root))
  if (!stamp || (dev && !stamp.dev)) return false
  const due = makeStamp(root, stamp.dev)
  return Object.keys(due).every(key => stamp[key] === due[key])
}

/** Whether the development dependencies were installed when the stamp was written, even for another lock file. */
function hadDevelopment(root) {
  const stamp = readJson(stampFile(root))
  return stamp !== undefined && stamp.dev === true
}

/** Whether npm has completed an installation here, even for another lock file. */
function isEverRecorded(root) {
  return fs.existsSync(recordFile(root))
}

/** Records that npm has installed what the lock file asks for. */
function writeStamp(root, dev) {
  try {
    fs.writeFileSync(stampFile(root), JSON.stringify(makeStamp(root, dev)))
  } catch {
    // A read-only folder needs no stamp: npm's record is read each time.
  }
}

function makeStamp(root, dev) {
  const { platform, arch } = process
  return { lock: digest(lockFile(root)), tree: digest(recordFile(root)), dev, platform, arch }
}

/** Whether npm's record of node_modules has what the lock file asks for on this machine. */
function isRecorded(root, dev) {
  const record = readJson(recordFile(root))
  const lock = readJson(lockFile(root))
  if (!record || !lock) return false
  return Object.entries(lock.packages).every(([at, wanted]) => {
    if (!isNeeded(at, wanted, dev)) return true
    const found = record.packages[at]
    return found !== undefined && found.version === wanted.version && fs.existsSync(path.join(root, at))
  })
}

function isNeeded(at, wanted, dev) {
  if (!at.includes('node_modules/')) return false // the workspaces of this project
  if (wanted.dev && !dev) return false
  return !(wanted.optional || wanted.devOptional) || isMadeForUs(wanted)
}

// Programs for one platform, such as Node and PostgreSQL, are optional for npm, but required here if they are for this
// platform. Only npm can decide about other optional packages and about the C library.
function isMadeForUs({ os, cpu, libc }) {
  if (!os || !cpu || libc) return false
  return admits(os, process.platform) && admits(cpu, process.arch)
}

// npm's lists of platforms: `linux` allows one, `!win32` all but one; a single entry need not be a list.
function admits(listed, value) {
  const list = [].concat(listed)
  if (list.includes(`!${value}`)) return false
  return list.includes(value) || list.every(one => one.startsWith('!'))
}

function digest(file) {
  try {
    return createHash('sha256').update(fs.readFileSync(file)).digest('hex')
  } catch {
    return ''
  }
}

module.exports = { isInstalled, isEverRecorded, isMadeForUs, hadDevelopment, writeStamp }
