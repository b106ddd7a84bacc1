import type { CreatePartUrlsAnswer } from '../../generated/types.ts'

export type PartUrl = CreatePartUrlsAnswer['parts'][number]

/** URLs are requested a few at a time, because they expire. */
const batchSize = 16

/** The addresses of the parts of an upload. */
export interface PartUrls {
  /** The address of a part: a known one, or a new one. */
  of(part_number: number): Promise<PartUrl>
  /** Forgets the addresses that are known: one of them was refused. */
  forget(): void
}

/** `missing` are the parts that will be sent, in the order in which they are sent. */
export function createPartUrls(
  request: (part_numbers: number[]) => Promise<{ parts: PartUrl[] }>,
  missing: readonly number[],
): PartUrls {
  const known = new Map<number, Promise<{ parts: PartUrl[] }>>()

  function load(part_number: number): Promise<{ parts: PartUrl[] }> {
    const at = missing.indexOf(part_number)
    const numbers = missing.slice(at, at + batchSize)
    const answer = request(numbers)
    for (const number of numbers) known.set(number, answer)
    return answer
  }

  return {
    async of(part_number) {
      const { parts } = await (known.get(part_number) ?? load(part_number))
      const url = parts.find(part => part.part_number === part_number)
      if (!url) throw new Error(`The service gave no address for part ${part_number}.`)
      return url
    },
    forget: () => known.clear(),
  }
}
