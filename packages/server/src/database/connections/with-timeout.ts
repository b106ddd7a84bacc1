/** Waits for an answer, and throws `late()` where it takes longer than so many milliseconds. A later answer is ignored. */
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
