import { isNode, nodeModule } from '../source/platform.ts'
import { ownSha256, type Sha256 } from './sha256.ts'

/** That of Node.js where there is one, because it is several times as fast. */
export async function createSha256(): Promise<Sha256> {
  if (!isNode()) return ownSha256()
  const { createHash } = (await nodeModule('crypto')) as typeof import('node:crypto')
  const hash = createHash('sha256')
  return { update: bytes => void hash.update(bytes), hex: () => hash.digest('hex') }
}
