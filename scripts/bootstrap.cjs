'use strict'
// What `npm start`, `npm test` and their like run on whatever Node is at hand (16 or newer): installs the
// dependencies where they are missing, then runs the command's TypeScript entry on the Node pinned among them.

const path = require('node:path')
const { ensureInstalled } = require('./bootstrap/install.cjs')
const { Interrupted, leaveAs, PlainError } = require('./bootstrap/endings.cjs')
const { runOnNode } = require('./bootstrap/run.cjs')
// How the service's Node keeps its memory small: docs/decisions/0006-memory.md
const SERVICE_FLAGS = require('./bootstrap/service-flags.json')
const SERVICE_ENVIRONMENT = require('./bootstrap/service-environment.json')

/** Each command's entry, and whether it needs the development dependencies. `node` runs the file it is given. */
const COMMANDS = {
  start: {
    entry: 'packages/server/src/main.ts',
    dev: false,
    flags: SERVICE_FLAGS,
    environment: SERVICE_ENVIRONMENT,
  },
  wbs: { entry: 'packages/cli/src/wbs.ts', dev: false },
  node: { dev: false },
  test: { entry: 'scripts/test.ts', dev: true },
  check: { entry: 'scripts/check.ts', dev: true },
  generate: { entry: 'scripts/generate.ts', dev: true },
  new: { entry: 'scripts/new.ts', dev: true },
  bench: { entry: 'bench/bench.ts', dev: true },
}

/** Runs `argv`, a command and its arguments, for the project in `root`, and ends as it ended. */
async function main(argv, root = path.dirname(__dirname)) {
  try {
    const { entry, dev, flags = [], environment = {}, args } = parse(argv)
    await ensureInstalled(root, dev)
    const entries = entry ? [path.join(root, entry)] : []
    leaveAs(await runOnNode(root, [...flags, ...entries, ...args], environment))
  } catch (error) {
    if (error instanceof Interrupted) return leaveAs(error)
    if (!(error instanceof PlainError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** The command's entry and needs, and the arguments for it (less the `--` that npm may leave). */
function parse([command, ...args]) {
  const known = Object.keys(COMMANDS)
  if (!known.includes(command)) throw new PlainError(`Unknown command; there are ${known.join(', ')}.`)
  return { ...COMMANDS[command], args: args[0] === '--' ? args.slice(1) : args }
}

module.exports = { main, parse, COMMANDS }

if (require.main === module) void main(process.argv.slice(2))
