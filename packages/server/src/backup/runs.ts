/** Groups consecutive items that have the same key. Each group must be read to its end before the next one. */
export async function* runsOf<T, K>(
  items: AsyncIterable<T>,
  keyOf: (item: T) => K,
): AsyncGenerator<[K, AsyncIterable<T>]> {
  const source = items[Symbol.asyncIterator]()
  let next = await source.next()
  async function* run(key: K) {
    while (!next.done && keyOf(next.value) === key) {
      yield next.value
      next = await source.next()
    }
  }
  try {
    while (!next.done) {
      const key = keyOf(next.value)
      yield [key, run(key)]
    }
  } finally {
    await source.return?.()
  }
}
