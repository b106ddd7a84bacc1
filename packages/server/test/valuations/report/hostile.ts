import type { ReportSubject } from '../../../src/valuations/report/subject.ts'
import { signature, subject } from './report-fixture.ts'

/** What runs, links, breaks a table or reverses a line where it is not escaped. */
export const hostileTexts = [
  `<script>document.title="ran"</script>`,
  `<img src=x onerror=alert(1)>`,
  `</td></tr></table><h1>Signed</h1>`,
  `" onfocus="alert(1)" autofocus="`,
  `</style><style>*{display:none}</style>`,
  `[free money](https://evil.example) ![x](https://evil.example/x.png)`,
  `a | b |\n| --- |\n# Heading\n- item\n1. one\n> quote\n\`\`\`\ncode`,
  `*bold* _em_ ~~gone~~ $x^2$ <https://evil.example> @someone #1 &lt; www.evil.example`,
  `\u202eDSU 999,999\u202c\u0000\u0007\u2028line\u200b`,
  `---`,
  `    indented`,
  '`tick` \\ back',
] as const

const texts = new Set([
  'name',
  'note',
  'text',
  'source',
  'rationale',
  'reason',
  'reason_rejected',
  'label',
  'formula',
  'statement',
  'qualifications',
  'figure',
  'factor',
  'pointer',
  'distribution',
  'assumptions',
  'limiting_conditions',
  'key',
  'period',
  'as_of',
])

function replaced(value: unknown, text: string, isText = false): unknown {
  if (typeof value === 'string') return isText ? text : value
  if (Array.isArray(value)) return value.map(one => replaced(one, text, isText))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, replaced(part, text, texts.has(key))]),
  )
}

/** A signed valuation in which every text of a user, and every text that may contain one, is the given one. */
export const hostile = (text: string): ReportSubject =>
  replaced({ ...subject, signature }, text) as ReportSubject
