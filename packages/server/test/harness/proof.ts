import { relative } from 'node:path'

/** Whether long proofs run wholly: each kill, each step of a walk, each document. Otherwise a part of them does. */
export const isFullProof = process.env['WBS_PROOF'] === 'full'

/** How many runs a long proof makes: `full` of them in a full proof, and `short` in `npm test`. */
export const proofRuns = ({ full, short }: { full: number; short: number }): number =>
  isFullProof ? full : short

/** One of several runs in `npm test`, which the seed draws, and all of them in a full proof. */
export function proofDraws<T>(all: readonly T[]): readonly T[] {
  return isFullProof ? all : all.filter((_, at) => at === proofSeed() % all.length)
}

/** A tenth of several runs in `npm test`, rounded up, beginning where the seed and `turn` say, and all in a full proof. */
export function proofTenth<T>(all: readonly T[], turn = 0): readonly T[] {
  if (isFullProof) return all
  const start = (proofSeed() + turn) % all.length
  return [...all.slice(start), ...all.slice(0, start)].slice(0, Math.ceil(all.length / 10))
}

/** Why a proof that is long and of one piece is not run: nine times of ten in `npm test`, never in a full proof. */
export const notDrawn = (): string | false =>
  !isFullProof && proofSeed() % 10 > 0 && 'npm run proof runs it, and one in ten runs of npm test'

let drawn: number | undefined

/**
 * The seed of this process's random choices: WBS_SEED, or else a new one each run, which is printed so that a failure can be
 * repeated.
 */
export function proofSeed(): number {
  const { WBS_SEED } = process.env
  if (WBS_SEED) return readSeed(WBS_SEED)
  if (drawn !== undefined) return drawn
  drawn = Math.floor(Math.random() * 2 ** 31)
  process.stdout.write(`ℹ WBS_SEED=${drawn} ${relative(process.cwd(), process.argv[1] ?? '')}\n`)
  return drawn
}

function readSeed(text: string): number {
  const seed = Number(text)
  if (!Number.isSafeInteger(seed) || seed < 0) throw new Error(`WBS_SEED is not a number from 0 on: ${text}.`)
  return seed
}
