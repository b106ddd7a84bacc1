import { readFile } from 'node:fs/promises'
import { blocksOf } from './document.ts'

/** The blocks of a guide that declare to be run by a test, in order and verbatim. */
export async function guideBlocks(guide: string, test: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../../docs/guides/${guide}`, import.meta.url), 'utf8')
  return blocksOf(text)
    .filter(({ comment }) => comment?.says === 'run by' && comment.text.endsWith(`/${test}`))
    .map(block => block.text)
}
