import { Visitor, type ParseResult } from 'oxc-parser'

/** Words that have to be read twice, and what to write instead. They are looked for in comments. */
const wordings: readonly { pattern: RegExp; instead: string }[] = [
  {
    pattern: /\bthat (?:by|from|in|of|on|to|with) which\b/i,
    instead: 'name the thing: "the invitation by which"',
  },
  { pattern: /\bby what\b/i, instead: 'name the thing, or begin with the subject' },
  { pattern: /\bwhether that\b/i, instead: 'say what "that" is' },
  { pattern: /\b(?:by|for|from|of|to|with) whom\b/i, instead: 'make the person the subject: "who"' },
  { pattern: /\bwhom\b[^.;]*\bfor(?=[\s*]*[.,;:)]|$)/i, instead: 'make the person the subject: "who"' },
  { pattern: /\baside\b/i, instead: 'say where it is put' },
  { pattern: /\bland(?:s|ed|ing)?\b/i, instead: 'say "arrives" or "is written"' },
]

/** A wording or a name that is hard to read, with its line. */
export interface HardToRead {
  line: number
  message: string
  /** Otherwise it is a wording. */
  isName: boolean
}

/** What is hard to read in the comments and the names of a file. */
export function hardToRead({ program, comments }: ParseResult, lineOf: (offset: number) => number) {
  const found: HardToRead[] = []
  for (const { value, start } of comments)
    for (const { pattern, instead } of wordings) {
      const at = value.search(pattern)
      if (at !== -1)
        found.push({
          line: lineOf(start + at),
          message: `says "${pattern.exec(value)?.[0]}"; ${instead}`,
          isName: false,
        })
    }
  const note = (name: unknown) => {
    if (isNamedOne(name))
      found.push({
        line: lineOf(name.start),
        message: 'has a variable `one`; say what it is',
        isName: true,
      })
  }
  const ofFunction = ({ params }: { params: readonly unknown[] }) => params.forEach(note)
  new Visitor({
    ArrowFunctionExpression: ofFunction,
    FunctionDeclaration: ofFunction,
    FunctionExpression: ofFunction,
    VariableDeclarator: ({ id }) => note(id),
  }).visit(program)
  return found
}

const isNamedOne = (node: unknown): node is { start: number } =>
  typeof node === 'object' && node !== null && 'name' in node && node.name === 'one'
