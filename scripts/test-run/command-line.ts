/** What `npm test` was asked for. */
export interface TestCommand {
  /** Files and folders; none means all tests. */
  paths: readonly string[]
  /** Only the tests that a change since this commit touches. Null: since the last commit, or of the last commit. */
  changedSince?: string | null
  /** Write how long each file took. */
  recordTimes: boolean
  /** Run the files of each group in a random order. Null: draw a seed. */
  shuffle?: number | null
  /** Options of node --test. */
  nodeOptions: readonly string[]
}

/** Reads the arguments of `npm test`. Throws if one of its own options is wrong. */
export function readTestCommand(given: readonly string[]): TestCommand {
  const command = { paths: [] as string[], recordTimes: false, nodeOptions: [] as string[] }
  const found: Pick<TestCommand, 'changedSince' | 'shuffle'> = {}
  for (let at = 0; at < given.length; at++) {
    const argument = given[at] as string
    const [name, value] = argument.split('=', 2)
    if (name === '--record-times') command.recordTimes = true
    else if (name === '--shuffle') found.shuffle = value === undefined ? null : seedOf(value)
    else if (name === '--changed') {
      const next = given[at + 1]
      const takesNext = value === undefined && next !== undefined && !next.startsWith('-')
      found.changedSince = value ?? (takesNext ? next : null)
      if (takesNext) at++
    } else if (argument.startsWith('-')) command.nodeOptions.push(argument)
    else command.paths.push(argument)
  }
  return { ...command, ...found }
}

function seedOf(text: string): number {
  const seed = Number(text)
  if (!Number.isSafeInteger(seed))
    throw new Error(`The seed of --shuffle must be a whole number, not ${text}.`)
  return seed
}
