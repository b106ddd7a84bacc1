import { invalid } from '../../call/problem.ts'

const maxDepth = 32
/** Objects with many keys and lists with many values cost far more to process than to send. */
const maxKeys = 4_000
const maxValues = 100_000

/**
 * Parses a JSON body; a byte order mark is ignored. Throws validation_error, with the reason, for bytes that are not
 * UTF-8 or not JSON, nesting deeper than 32, too many values, a duplicate key in an object (parsers disagree on which
 * one counts), and the key __proto__.
 */
export function readJson(bytes: Buffer): unknown {
  if (bytes.length === 0)
    throw invalid([{ in: 'body', pointer: '', code: 'required', detail: 'A JSON body is required.' }])
  const text = decodeUtf8(bytes)
  scan(text)
  try {
    return JSON.parse(text)
  } catch {
    throw refused('The body is not valid JSON.')
  }
}

const utf8 = new TextDecoder('utf-8', { fatal: true })

function decodeUtf8(bytes: Buffer): string {
  try {
    return utf8.decode(bytes)
  } catch {
    throw refused('The body is not valid UTF-8.')
  }
}

/**
 * Scans the text once, without recursion, before the parser runs. It only looks at brackets and strings; the parser
 * checks the grammar.
 */
function scan(text: string): void {
  const keysOfOpen: (Set<string> | null)[] = []
  let commas = 0
  for (let at = 0; at < text.length; at++) {
    const char = text[at]
    if (char === '"') {
      const end = endOfString(text, at)
      const keys = keysOfOpen.at(-1)
      if (keys && followedByColon(text, end)) noteKey(keys, text.slice(at, end + 1))
      at = end
    } else if (char === '{' || char === '[') {
      if (keysOfOpen.length === maxDepth) throw refused(`The body is nested deeper than ${maxDepth} levels.`)
      keysOfOpen.push(char === '{' ? new Set() : null)
    } else if (char === '}' || char === ']') keysOfOpen.pop()
    else if (char === ',' && ++commas === maxValues)
      throw refused(`The body has more than ${maxValues} values.`)
  }
}

function endOfString(text: string, start: number): number {
  for (let at = start + 1; at < text.length; at++) {
    if (text[at] === '\\') at++
    else if (text[at] === '"') return at
  }
  throw refused('The body is not valid JSON.')
}

function followedByColon(text: string, end: number): boolean {
  let at = end + 1
  while (text[at] === ' ' || text[at] === '\n' || text[at] === '\r' || text[at] === '\t') at++
  return text[at] === ':'
}

function noteKey(keys: Set<string>, quoted: string): void {
  const key = quoted.includes('\\') ? unescaped(quoted) : quoted.slice(1, -1)
  if (key === '__proto__') throw refused('The body has a key that is not allowed.')
  if (keys.has(key)) throw refused('An object of the body has the same key twice.')
  if (keys.size === maxKeys) throw refused(`An object of the body has more than ${maxKeys} keys.`)
  keys.add(key)
}

function unescaped(quoted: string): string {
  try {
    return JSON.parse(quoted) as string
  } catch {
    throw refused('The body is not valid JSON.')
  }
}

const refused = (detail: string) => invalid([{ in: 'body', pointer: '', code: 'format', detail }])
