/** What was checked, and how it came out. */
export interface Ledger {
  /** Runs one check. Its answer is what was seen; an error is a failure, and the next check runs all the same. */
  check(title: string, work: () => Promise<string>): Promise<void>
  readonly results: CheckResult[]
}

export interface CheckResult {
  check: string
  passed: boolean
  seen: string
}

export function openLedger(tell: (line: string) => void): Ledger {
  const results: CheckResult[] = []
  return {
    results,
    async check(title, work) {
      const [passed, seen] = await work().then(
        text => [true, text] as const,
        (error: unknown) => [false, error instanceof Error ? error.message : String(error)] as const,
      )
      results.push({ check: title, passed, seen })
      tell(`${passed ? 'ok  ' : 'FAIL'} ${title}: ${seen}`)
    },
  }
}

/** Throws an Error with the sentence unless the condition holds. */
export function expect(condition: boolean, sentence: string): asserts condition {
  if (!condition) throw new Error(sentence)
}
