import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { mailLine, unlinkedLine } from '../../src/mail/mail-line.ts'

describe('a line of a mail that a person wrote', () => {
  const cases: [title: string, text: string, line: string][] = [
    ['is what it was', 'Harbor & Söhne 株式会社 “x”', 'Harbor & Söhne 株式会社 “x”'],
    ['has no edges', '  a  ', 'a'],
    [
      'has one blank where there were many, of whatever kind',
      'a \t\r\n\u0000\u0085\u2028\u3000\u2800 b',
      'a b',
    ],
    ['has nothing in it that cannot be seen', 'a\u200b\u200d\ufeff\u00adb', 'ab'],
    [
      'has no letter or mark that is drawn as nothing',
      'a\u034f\u115f\u1160\u3164\uffa0\u17b4\ufe0f\u{e0041}\u{e0100}b',
      'ab',
    ],
    ['goes one way', '\u202eabc\u202c\u2066d\u2069', 'abcd'],
    ['has no halves of characters', 'a\ud800b', 'ab'],
    ['is not empty for what is beyond the first plane', '😀𠮷', '😀𠮷'],
    ['has no address that a mail program would link', 'www.evil.example', 'www.\u200bevil.\u200bexample'],
    ['nor one in full width', 'evil。example．org／x', 'evil。\u200bexample．\u200borg／\u200bx'],
    ['keeps the end of a sentence', 'Send it. Now.', 'Send it. Now.'],
  ]
  for (const [title, text, line] of cases) it(title, () => assert.equal(unlinkedLine(text, 50), line))

  it('is no longer than it may be, in characters', () => {
    assert.equal(unlinkedLine('𠮷'.repeat(10), 10), '𠮷'.repeat(10))
    assert.equal(unlinkedLine('𠮷'.repeat(11), 10), `${'𠮷'.repeat(9)}…`)
  })
})

describe('a line of a mail', () => {
  it('joins words, numbers, times and what people wrote', () => {
    const due = new Date('2026-12-04T16:49:30Z')
    assert.equal(
      mailLine`${1234} for ${unlinkedLine('a.b', 9)} by ${due}`,
      '1,234 for a.\u200bb by December 4, 2026 at 16:49 UTC',
    )
  })

  it('takes no text as a person wrote it: the compiler refuses it', () => {
    // @ts-expect-error -- a string is no line
    assert.equal(mailLine`Task: ${'https://evil.example'}`, 'Task: https://evil.example')
  })
})
