/** Waits for an answer. Throws `late()` after so many milliseconds; an answer that comes later is ignored. */
export async function withTimeout<T>(
  milliseconds: number,
  answer: Promise<T>,
  late: () => Error,
): Promise<T> {
  let timer: NodeJS.Timeout | undefined
  const tooLate = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(late()), Math.max(0, milliseconds))
  })
  try {
    return await Promise.race([answer, tooLate])
  } finally {
    clearTimeout(timer)
  }
}
