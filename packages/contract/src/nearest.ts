/** The most similar known name, if it is similar enough. */
export function nearest(name: string, known: readonly string[]): string | undefined {
  const folded = name.slice(0, 64).toLowerCase()
  const allowance = Math.floor(folded.length / 3)
  let best: string | undefined
  let bestDistance = allowance + 1
  for (const candidate of known) {
    const distance = editDistance(folded, candidate.toLowerCase())
    if (distance < bestDistance) [best, bestDistance] = [candidate, distance]
  }
  return best
}

/** The Levenshtein distance: how many characters must be inserted, removed or replaced. */
function editDistance(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, j) => j)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const change = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(change, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    above = row
  }
  return above[b.length] ?? 0
}
