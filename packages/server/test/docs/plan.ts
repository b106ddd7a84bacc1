import { blocksOf, type Block } from './document.ts'

/** The steps for a document, block by block. */
export type Step =
  | { kind: 'save'; block: Block; name: string }
  | { kind: 'run'; block: Block; answer: Block | null }
  | { kind: 'not run'; block: Block; why: string }
  | { kind: 'run by'; block: Block; test: string }
  | { kind: 'wrong'; block: Block; finding: string }

const answers = ['json', 'text']

/**
 * The steps of a document. `sh` blocks are run, and a `json` or `text` block after one is its output. A block with
 * "saved as" in the text before it is a file. Every other block needs a comment that says why it is not run.
 */
export function planOf(markdown: string): Step[] {
  const steps: Step[] = []
  const blocks = blocksOf(markdown)
  for (const block of blocks) {
    const last = steps.at(-1)
    if (last?.kind === 'run' && last.answer === null && isAnswer(block)) last.answer = block
    else steps.push(stepOf(block))
  }
  return steps.map(step => (isUnusedCode(step, blocks) ? wrong(step.block, unused) : step))
}

const isAnswer = (block: Block) =>
  answers.includes(block.language) && block.saved_as === null && block.comment === null

function stepOf(block: Block): Step {
  const { language, comment, saved_as } = block
  if (comment?.says === 'not run') return { kind: 'not run', block, why: comment.text }
  if (comment?.says === 'run by') return { kind: 'run by', block, test: comment.text }
  if (saved_as !== null) return { kind: 'save', block, name: saved_as }
  if (language === 'sh') return { kind: 'run', block, answer: null }
  if (answers.includes(language)) return wrong(block, `This ${language} block is the answer to no sh block.`)
  if (language === 'ts') return wrong(block, unsaved)
  return wrong(
    block,
    `${language === '' ? 'A block without a language' : `A block of ${language}`} is not run by this test. Make it one of sh, json, text or ts, or write <!-- not run: why --> before it.`,
  )
}

const unsaved =
  'The text before a ts block must say under which name it is to be saved: “saved as `NAME.ts`”.'
const unused = 'No sh block of the document runs this file.'

/** Saved code that no command uses. */
const isUnusedCode = (step: Step, blocks: Block[]) =>
  step.kind === 'save' &&
  step.block.language === 'ts' &&
  !blocks.some(({ language, text }) => language === 'sh' && text.includes(step.name))

const wrong = (block: Block, finding: string): Step => ({ kind: 'wrong', block, finding })
