import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { Problem } from '../../src/call/problem.ts'
import { readQueryString } from '../../src/http/requests/query-string.ts'

describe('a query string', () => {
  const cases: Record<string, [target: string, parameters: [string, string[]][]]> = {
    'may be missing': ['/path', []],
    'may be empty': ['/path?', []],
    'may be nothing but separators': ['/path?&&&', []],
    'is split at the first question mark alone': ['/path?a=b?c', [['a', ['b?c']]]],
    'is split at the first equals sign alone': ['/path?a=b=c', [['a', ['b=c']]]],
    'may leave the value out': ['/path?a', [['a', ['']]]],
    'may have an empty value': ['/path?a=', [['a', ['']]]],
    'may have an empty name': ['/path?=b', [['', ['b']]]],
    'has a blank for each plus': ['/path?a+b=c++d', [['a b', ['c  d']]]],
    'has a plus for its escape': ['/path?a=%2B%2b', [['a', ['++']]]],
    'has escapes in names too': ['/path?%61=%62', [['a', ['b']]]],
    'has separators for nothing once escaped': ['/path?a=%26b%3Dc%3F', [['a', ['&b=c?']]]],
    'has UTF-8': ['/path?a=%C3%A9%F0%9F%98%80', [['a', ['é😀']]]],
    'keeps the order of what is repeated': [
      '/path?a=2&b=1&a=1',
      [
        ['a', ['2', '1']],
        ['b', ['1']],
      ],
    ],
    'does not take a semicolon for a separator': ['/path?a=b;c=d', [['a', ['b;c=d']]]],
    'does not take brackets for anything': [
      '/path?a[]=1&a[b]=2',
      [
        ['a[]', ['1']],
        ['a[b]', ['2']],
      ],
    ],
    'may name a property of every object': [
      '/path?__proto__=1&toString=2',
      [
        ['__proto__', ['1']],
        ['toString', ['2']],
      ],
    ],
    'is unescaped once': ['/path?a=%2541', [['a', ['%41']]]],
    'may hold NUL, for the parameter to be judged': ['/path?a=%00', [['a', ['\0']]]],
  }
  for (const [what, [target, parameters]] of Object.entries(cases))
    it(what, () => assert.deepEqual([...readQueryString(target)], parameters))

  for (const bad of ['%', '%4', '%zz', '%ff', '%c0%af', '%ed%a0%80', '%u0041', 'a%'])
    it(`is refused for ${bad}, in a name or a value`, () => {
      for (const target of [`/path?a=${bad}`, `/path?${bad}=a`])
        assert.throws(
          () => readQueryString(target),
          (error: unknown) => error instanceof Problem && error.code === 'validation_error',
        )
    })
})
