/** A fenced block of a Markdown document. */
export interface Block {
  /** The first word after the fence: `sh`, `json`, or nothing. */
  language: string
  text: string
  /** The line of its opening fence. */
  line: number
  /** The name in “saved as `NAME`”, if the sentence before the block has it. */
  saved_as: string | null
  /** The comment before the block: `not run: why`, or `run by: path of a test`. */
  comment: { says: 'not run' | 'run by'; text: string } | null
}

/** All fenced blocks of a document, in order. An unclosed block reaches to the end (as in Markdown). */
export function blocksOf(markdown: string): Block[] {
  const blocks: Block[] = []
  const lines = markdown.split('\n')
  let before: string[] = []
  for (let at = 0; at < lines.length; at++) {
    const [, indent = '', fence = '', language = ''] =
      /^( *)(`{3,}|~{3,}) *([^\s`]*)/.exec(lines[at] ?? '') ?? []
    if (fence === '') {
      before.push(lines[at] ?? '')
      continue
    }
    const line = at + 1
    const content: string[] = []
    while (++at < lines.length && !closes(lines[at] ?? '', fence))
      content.push((lines[at] ?? '').replace(new RegExp(`^ {0,${indent.length}}`), ''))
    blocks.push({ language, line, text: `${content.join('\n')}\n`, ...announced(before.join('\n')) })
    before = []
  }
  return blocks
}

const closes = (text: string, fence: string) =>
  text.trim().length >= fence.length && text.trim() === fence.charAt(0).repeat(text.trim().length)

/** The text about a block: the last paragraph before it, and a comment in front of the fence. */
function announced(before: string): Pick<Block, 'saved_as' | 'comment'> {
  const [, prose = '', says, text = ''] =
    /^([\s\S]*?)(?:<!-- (not run|run by): ((?:(?!-->)[\s\S])+?) -->)?\s*$/.exec(before) ?? []
  const paragraph =
    prose
      .trimEnd()
      .split(/\n\s*\n/)
      .at(-1) ?? ''
  const saved_as = /\bsave(?:d| it| this)? as `([\w.-]+)`/i.exec(paragraph)?.[1] ?? null
  return { saved_as, comment: says === 'not run' || says === 'run by' ? { says, text } : null }
}
