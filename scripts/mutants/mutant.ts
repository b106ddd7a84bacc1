/** A fault that is planted in the code, to see whether the tests find it. */
export interface Mutant {
  /** One sentence that says what is wrong. */
  name: string
  /** The path of the file, from the root of the project. */
  file: string
  /** Occurs exactly once in the file. */
  text: string
  replacement: string
  /** The narrowest test files that should find it, the most likely first. */
  caughtBy: readonly [string, ...string[]]
}

/** The mutants by slice: the folder below `packages/server/test`, or the package, whose tests should find them. */
export type MutantsBySlice = Readonly<Record<string, readonly Mutant[]>>

export interface MutantOfSlice extends Mutant {
  slice: string
}

/** The mutants of the slices among the words, and those whose name contains another of the words; all without words. */
export function selected(bySlice: MutantsBySlice, words: readonly string[]): MutantOfSlice[] {
  const parts = words.filter(word => !Object.hasOwn(bySlice, word))
  return Object.entries(bySlice)
    .flatMap(([slice, mutants]) => mutants.map(mutant => ({ ...mutant, slice })))
    .filter(
      ({ slice, name }) =>
        words.length === 0 || words.includes(slice) || parts.some(part => name.includes(part)),
    )
}

const packages = ['cli', 'contract', 'sdk']

/** The folder with the tests of a slice. */
export const testsOf = (slice: string): string =>
  packages.includes(slice) ? `packages/${slice}/test` : `packages/server/test/${slice}`

/** The file with the fault in it. Throws unless the text occurs exactly once. */
export function planted({ text, replacement }: Mutant, source: string): string {
  const places = source.split(text).length - 1
  if (places !== 1) throw new Error(`the text occurs ${places} times: ${text}`)
  return source.replace(text, () => replacement)
}

/** Why a mutant cannot be used any more. `read` gives the text of a file, or null if there is none. */
export function faultsOf(mutant: Mutant, read: (path: string) => string | null): string[] {
  const missing = mutant.caughtBy.filter(path => read(path) === null).map(path => `there is no test ${path}`)
  const source = read(mutant.file)
  if (source === null) return [`there is no file ${mutant.file}`, ...missing]
  try {
    const changed = planted(mutant, source)
    return changed === source ? ['the replacement changes nothing', ...missing] : missing
  } catch (error) {
    return [(error as Error).message, ...missing]
  }
}
