import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inputParts, takesBody, type Operation, mutation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { dateTime, fullDate, id, oneOf, trimmedText, uuid } from '@wbs/contract/schema'
import { T } from '@wbs/contract/json/type'
import { foldName } from '../../src/businesses/fold.ts'
import { Problem } from '../../src/call/problem.ts'
import { validatorOf, type RawInput } from '../../src/call/input/validate.ts'
import { readQueryString } from '../../src/http/requests/query-string.ts'
import { readJson } from '../../src/http/requests/read-body.ts'
import { readApiKey } from '../../src/identity/api-key-format.ts'
import { proofTenth } from '../harness/proof.ts'

const MiB = 1024 * 1024
const repeated = (text: string) => text.repeat(Math.ceil(MiB / text.length))

/** A mebibyte each of text that makes backtracking expressions slow: long runs that almost match. */
const adversaries: Record<string, string> = {
  'one letter': repeated('a'),
  'one letter, and a line break': `${repeated('a')}\n`,
  blanks: repeated(' '),
  'blanks within': `a${repeated(' ')}a`,
  'blanks at the end': `abc${repeated(' ')}`,
  words: repeated('a '),
  'line breaks': repeated('\r\n'),
  digits: repeated('1'),
  'digits and a letter': `${repeated('1')}x`,
  hyphens: repeated('1-'),
  dots: repeated('a.'),
  slashes: `http://${repeated('/')}`,
  'an address without end': `https://${repeated('a')}\u0000`,
  'many addresses': repeated('http://a@b:1/'),
  'ids in a row': repeated('biz_00000000000000000000000000'),
  'UUIDs in a row': repeated('0190a7a2-0000-7000-8000-000000000001'),
  'dates in a row': repeated('2026-01-01T00:00:00Z'),
  'a date with digits without end': `2026-01-01T00:00:00.${repeated('0')}`,
  escapes: repeated('%25'),
  'surrogate pairs': repeated('😀'),
  'halves of surrogate pairs': repeated('\ud800'),
  NUL: repeated('\u0000'),
  'combining accents': `e${repeated('\u0301')}`,
  'what folds to more': repeated('ﷺ'),
  'what folds away': repeated('\u00ad'),
  quotes: repeated('"'),
  backslashes: repeated('\\'),
  commas: repeated(','),
}

/** In milliseconds of the processor, because the machine may be busy. Generous: linear takes milliseconds, quadratic an hour. */
const bound = 15_000

function assertQuick(what: string, work: () => unknown): void {
  const start = process.cpuUsage()
  work()
  const took = process.cpuUsage(start).user / 1000
  assert.ok(took < bound, `${what}: ${Math.round(took)} ms`)
}

/** Every format of text in the contract, whether or not an operation uses it. */
const everyKind = mutation('every_kind', {
  http: 'POST /v1/every-kind',
  summary: 'Take every kind of text.',
  tag: 'Test',
  audience: 'caller',
  input: {
    id: T.Optional(id('biz')),
    uuid: T.Optional(uuid()),
    time: T.Optional(dateTime()),
    date: T.Optional(fullDate()),
    uri: T.Optional(T.Unsafe<string>({ type: 'string', format: 'uri' })),
    choice: T.Optional(oneOf(['a', 'b'])),
    trimmed: T.Optional(trimmedText({ minLength: 1, maxLength: 10 })),
    nested: T.Optional(
      T.Object({ trimmed: trimmedText({ minLength: 1, maxLength: 10 }) }, { additionalProperties: false }),
    ),
    list: T.Optional(T.Array(T.String({ maxLength: 5 }))),
  },
  output: {},
  status: 200,
  problems: [],
  emits: [],
})

/** What a parameter must fit: its place and its schema, without what only readers of the document see. */
function ruleOf(operation: Operation, name: string): string {
  const { path, query } = inputParts(operation)
  const place = name in path ? 'path' : name in query ? 'query' : 'body'
  return `${place} ${JSON.stringify(operation.input[name], (key, value: unknown) =>
    isAnnotation(key, value) ? undefined : value,
  )}`
}

/** A property of an object may be called the same, and then it is a schema. */
const isAnnotation = (key: string, value: unknown) =>
  ['description', 'examples', 'title', 'default'].includes(key) &&
  (typeof value !== 'object' || Array.isArray(value))

describe('a mebibyte of hostile text is validated in linear time', () => {
  const asked = new Set<string>()
  let turn = 0
  for (const operation of [...(operations as readonly Operation[]), everyKind]) {
    const names = Object.keys(operation.input).filter(name => !asked.has(ruleOf(operation, name)))
    for (const name of names) asked.add(ruleOf(operation, name))
    if (names.length === 0) continue
    it(`as ${names.join(', ')} of ${operation.name}, whose schemas no operation before has`, () => {
      const validate = validatorOf(operation)
      for (const name of names)
        for (const [what, text] of proofTenth(Object.entries(adversaries), turn++ * 3))
          assertQuick(`${name}, ${what}`, () => validate(inputWith(operation, name, text)))
    })
  }

  const readers: Record<string, (text: string) => unknown> = {
    'as an API key': readApiKey,
    'as a query string': text => readQueryString(`/?a=${text}`),
    'as the name of a parameter': text => readQueryString(`/?${text}`),
    'as JSON': text => readJson(Buffer.from(text)),
    'as a text in JSON': text => readJson(Buffer.from(JSON.stringify({ text }))),
    'as a key in JSON': text => readJson(Buffer.from(JSON.stringify({ [text]: 1 }))),
    'as a name to fold': foldName,
  }
  for (const [how, read] of Object.entries(readers))
    it(how, () => {
      for (const [what, text] of Object.entries(adversaries))
        assertQuick(what, () => {
          try {
            read(text)
          } catch (error) {
            assert.ok(error instanceof Problem, String(error))
          }
        })
    })
})

function inputWith(operation: Operation, name: string, text: string): RawInput {
  const inPath = Object.hasOwn(inputParts(operation).path, name)
  const body = name === 'nested' ? { nested: { trimmed: text } } : { [name]: name === 'list' ? [text] : text }
  return {
    path: inPath ? { [name]: text } : {},
    query: new Map(inPath || takesBody(operation) ? [] : [[name, [text]]]),
    body: takesBody(operation) && !inPath ? body : undefined,
  }
}
