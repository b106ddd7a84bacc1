import { numbersFrom } from '../crash/seed.ts'

/** The first document that a reader follows. */
const first = 'README.md'

/**
 * The documents whose commands are run in `npm test`: the first one, those that changed, and a tenth of the others, drawn by
 * the seed. All of them if it is not known what changed.
 */
export function documentsToRun(options: {
  runnable: readonly string[]
  changed: readonly string[] | null
  seed: number
}): string[] {
  const { runnable, changed, seed } = options
  if (changed === null) return [...runnable]
  const isSure = (name: string) => name === first || changed.includes(name)
  const others = runnable.filter(name => !isSure(name))
  const random = numbersFrom(seed)
  const drawn = others
    .map(name => ({ name, at: random() }))
    .sort((one, other) => one.at - other.at)
    .slice(0, Math.ceil(others.length / 10))
    .map(({ name }) => name)
  return runnable.filter(name => isSure(name) || drawn.includes(name))
}
