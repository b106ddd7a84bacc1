/** Reads everything into one buffer. */
export async function gather(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = []
  for await (const piece of pieces) all.push(piece)
  return all.length === 1 && all[0] ? all[0] : Buffer.concat(all)
}
