import { createInterface } from 'node:readline/promises'

/** Lets a person choose one of several lines on a terminal. Gives its place; null if there is no terminal to ask on. */
export async function choose(question: string, lines: readonly string[]): Promise<number | null> {
  if (!process.stdin.isTTY || !process.stderr.isTTY) return null
  const terminal = createInterface({ input: process.stdin, output: process.stderr })
  terminal.once('SIGINT', () => {
    terminal.close()
    process.kill(process.pid, 'SIGINT')
  })
  try {
    for (const [at, line] of lines.entries()) console.error(`  ${at + 1}  ${line}`)
    for (;;) {
      const answer = (await terminal.question(`${question} [1-${lines.length}] `)).trim()
      if (/^\d+$/.test(answer) && lines[Number(answer) - 1] !== undefined) return Number(answer) - 1
    }
  } finally {
    terminal.close()
  }
}
