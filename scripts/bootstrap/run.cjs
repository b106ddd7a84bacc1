'use strict'
const { spawn } = require('node:child_process')
const fs = require('node:fs')
const path = require('node:path')
const { PlainError } = require('./endings.cjs')
const { processFields } = require('./files.cjs')

const LEAST_NODE = 24
const HANDED_ON = ['SIGINT', 'SIGTERM', 'SIGHUP']
const PARENT_CHECK_MS = 250

/**
 * Runs `args` on the Node pinned in `root`, or on this one if none is pinned for the platform or that one does not run.
 * Variables of the environment take precedence over `environment`.
 */
async function runOnNode(root, args, environment = {}) {
  const pinned = path.join(root, `node_modules/node-linux-${process.arch}/bin/node`)
  if (process.platform === 'linux' && fs.existsSync(pinned)) {
    const ended = await runWith(root, pinned, args, environment).catch(() => undefined) // for example built for another libc
    if (ended) return ended
  }
  if (Number.parseInt(process.versions.node, 10) >= LEAST_NODE)
    return await runWith(root, process.execPath, args, environment)
  throw new PlainError(`On this system Node ${LEAST_NODE} or newer is needed; this is ${process.version}.`)
}

function runWith(root, node, args, environment) {
  const folders = [path.join(root, 'node_modules/.bin'), path.dirname(node), process.env.PATH]
  const PATH = folders.filter(Boolean).join(path.delimiter)
  // With its types stripped and cached, the code starts in a fraction of the time and memory.
  const NODE_COMPILE_CACHE = process.env.NODE_COMPILE_CACHE || path.join(root, 'node_modules/.cache/node')
  const env = { ...environment, ...process.env, PATH, NODE_COMPILE_CACHE }
  return run(node, args, { env, stdio: 'inherit' })
}

/**
 * Runs a program until it ends with `code` or by `signal`. Signals that end us are passed on to it, each once, because
 * npm and the terminal may both send the same one; `interrupted` is the last of them. In a terminal the program also
 * receives Ctrl-C itself.
 */
function run(program, args, options) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, options)
    const handed = new Set()
    const handOn = signal => {
      if (!handed.has(signal)) child.kill(signal)
      handed.add(signal)
    }
    const unwatch = watchParents(() => handOn('SIGTERM'))
    const settle = how => ending => {
      unwatch()
      for (const signal of HANDED_ON) process.removeListener(signal, handOn)
      how(ending)
    }
    for (const signal of HANDED_ON) process.on(signal, handOn)
    child.once('error', settle(reject))
    child.once('exit', (code, signal) => settle(resolve)({ code, signal, interrupted: [...handed].pop() }))
  })
}

/**
 * Under npm, detects that npm is gone, because the program must not keep running and hold its port: npm sends SIGTERM
 * only to its shell, which dies without passing it on, and a killed npm sends nothing.
 */
function watchParents(onGone) {
  if (!process.env.npm_lifecycle_event) return () => {}
  const before = parents()
  const timer = setInterval(() => {
    if (parents() !== before) onGone()
  }, PARENT_CHECK_MS)
  return () => clearInterval(timer)
}

// Our parent process; if that is the shell in which npm runs a script, npm.
function parents() {
  const parent = process.ppid
  return isShell(parent) ? `${parent} ${processFields(parent)[1]}` : String(parent)
}

function isShell(pid) {
  try {
    return /^[^\0]*sh\0-c\0/.test(fs.readFileSync(`/proc/${pid}/cmdline`, 'utf8'))
  } catch {
    return false
  }
}

module.exports = { run, runOnNode }
