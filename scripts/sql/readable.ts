const mostColumns = 110

/** Words before which a line that is too long is broken. */
const CLAUSE =
  /^(select|from|where|and|or|join|left|cross|inner|union|order|group|having|limit|offset|when|else|returning)$/i

/** Strings, quoted names and comments as a whole, brackets, space, and anything else. */
const TOKEN = /'(?:[^']|'')*'|"(?:[^"]|"")*"|--[^\n]*|[()]|\s+|[^\s()'"]+/g

interface Token {
  text: string
  /** In how many brackets it is. */
  depth: number
}

/** The text of a statement with the lines that it was written in, indented by its brackets; long lines are broken before a clause. */
export function readable(sql: string): string {
  let depth = 0
  const lines: Token[][] = [[]]
  for (const [text] of sql.matchAll(TOKEN)) {
    if (/^\s+$/.test(text)) {
      if (text.includes('\n')) lines.push([])
      else lines.at(-1)?.push({ text: ' ', depth })
      continue
    }
    if (text === ')') depth--
    lines.at(-1)?.push({ text, depth })
    if (text === '(') depth++
  }
  return lines
    .flatMap(line => broken(line))
    .map(line => '  '.repeat(indentOf(line)) + textOf(line))
    .filter(line => line.trim() !== '')
    .join('\n')
}

const textOf = (line: readonly Token[]) =>
  line
    .map(({ text }) => text)
    .join('')
    .trim()

/** Further conditions and cases are indented below the first. */
const indentOf = ([first]: readonly Token[]) =>
  (first?.depth ?? 0) + (/^(and|or|when|else)$/i.test(first?.text ?? '') ? 1 : 0)

/** A line in parts that are short enough, as far as it has clauses to break it at: the outermost ones first. */
function broken(line: Token[]): Token[][] {
  const indent = indentOf(line) * 2
  const places = [...line.keys()].filter(at => isBreak(line, at))
  if (indent + textOf(line).length <= mostColumns || places.length === 0) return [line]
  const outermost = Math.min(...places.map(at => line[at]?.depth ?? 0))
  const starts = [0, ...places.filter(at => line[at]?.depth === outermost)]
  return starts.flatMap((start, part) => broken(line.slice(start, starts[part + 1])))
}

function isBreak(line: readonly Token[], at: number): boolean {
  const words = line.slice(0, at).filter(({ text }) => text !== ' ')
  const isJoined = /^(left|cross|inner)$/i.test(words.at(-1)?.text ?? '')
  return words.length > 0 && !isJoined && CLAUSE.test(line[at]?.text ?? '')
}
