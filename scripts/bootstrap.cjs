'use strict'
// The entry of `npm start`, `npm test` and so on, on any Node from 16: installs missing dependencies, then runs the
// command's TypeScript entry on the pinned Node, which is one of them.

const fs = require('node:fs')
const path = require('node:path')
const { ensureInstalled } = require('./bootstrap/install.cjs')
const { Interrupted, leaveAs, PlainError } = require('./bootstrap/endings.cjs')
const { runOnNode } = require('./bootstrap/run.cjs')
// Keeps the service's memory small: docs/decisions/0006-memory.md
const SERVICE_FLAGS = require('./bootstrap/service-flags.json')
const SERVICE_ENVIRONMENT = require('./bootstrap/service-environment.json')

/**
 * The entry of each command, and whether it needs the development dependencies, and the programs of the folder `tools`.
 * `node` runs the given file.
 */
const COMMANDS = {
  start: {
    entry: 'packages/server/src/main.ts',
    dev: false,
    flags: SERVICE_FLAGS,
    environment: SERVICE_ENVIRONMENT,
  },
  wbs: { entry: 'packages/cli/src/wbs.ts', dev: false },
  node: { dev: false },
  test: { entry: 'scripts/test.ts', dev: true, tools: true },
  proof: { entry: 'scripts/proof.ts', dev: true, tools: true },
  check: { entry: 'scripts/check.ts', dev: true, tools: true },
  generate: { entry: 'scripts/generate.ts', dev: true, tools: true },
  build: { entry: 'scripts/build.ts', dev: true },
  new: { entry: 'scripts/new.ts', dev: true },
  release: { entry: 'scripts/release.ts', dev: true },
  bench: { entry: 'bench/bench.ts', dev: true },
  mutants: { entry: 'scripts/mutants.ts', dev: true, tools: true },
  sql: { entry: 'scripts/sql/sql.ts', dev: true },
}

/** Runs `argv`, a command and its arguments, for the project in `root`, and ends with its exit status. */
async function main(argv, root = path.dirname(__dirname)) {
  try {
    const { entry, dev, tools = false, flags = [], environment = {}, args } = parse(argv)
    await ensureInstalled(root, dev)
    const toolsFolder = path.join(root, 'tools')
    if (tools && fs.existsSync(toolsFolder)) await ensureInstalled(toolsFolder, true)
    const entries = entry ? [path.join(root, entry)] : []
    leaveAs(await runOnNode(root, [...flags, ...entries, ...args], environment))
  } catch (error) {
    if (error instanceof Interrupted) return leaveAs(error)
    if (!(error instanceof PlainError)) throw error
    console.error(error.message)
    process.exitCode = 1
  }
}

/** The command's entry and needs, and its arguments (without the `--` that npm may leave). */
function parse([command, ...args]) {
  const known = Object.keys(COMMANDS)
  if (!known.includes(command)) throw new PlainError(`Unknown command; there are ${known.join(', ')}.`)
  return { ...COMMANDS[command], args: args[0] === '--' ? args.slice(1) : args }
}

module.exports = { main, parse, COMMANDS }

if (require.main === module) void main(process.argv.slice(2))
