import { readFile } from 'node:fs/promises'

/** The blocks of a guide that are fenced as a language, in their order, as they stand. */
export async function guideBlocks(guide: string, language: string): Promise<string[]> {
  const text = await readFile(new URL(`../../../../docs/guides/${guide}`, import.meta.url), 'utf8')
  return [...text.matchAll(new RegExp(`^\`\`\`${language}\\n([\\s\\S]*?)^\`\`\``, 'gm'))].map(
    ([, block = '']) => block,
  )
}
