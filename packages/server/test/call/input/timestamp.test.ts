import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { query } from '@wbs/contract/operation'
import { closed, dateTime, nullable } from '@wbs/contract/schema'
import fc from 'fast-check'
import { T } from '@wbs/contract/json/type'
import { isDay, parseTimestamp } from '../../../src/call/input/timestamp.ts'
import { validatorOf } from '../../../src/call/input/validate.ts'

const isoOf = (text: string) => parseTimestamp(text)?.toISOString() ?? null

describe('a timestamp', () => {
  it('is read as RFC 3339 writes one, and is kept as UTC has it, to the millisecond', () => {
    for (const [text, moment] of [
      ['2031-05-01T12:00:00Z', '2031-05-01T12:00:00.000Z'],
      ['2031-05-01t12:00:00.25z', '2031-05-01T12:00:00.250Z'],
      ['2031-05-01 12:00:00.2509999+00:00', '2031-05-01T12:00:00.250Z'],
      ['2031-05-01T14:00:00+02:00', '2031-05-01T12:00:00.000Z'],
      ['2031-05-01T14:00:00+0200', '2031-05-01T12:00:00.000Z'],
      ['2031-05-01T00:30:00-23:59', '2031-05-02T00:29:00.000Z'],
      ['2031-05-01T12:00:00-00:00', '2031-05-01T12:00:00.000Z'],
      ['2028-02-29T12:00:00Z', '2028-02-29T12:00:00.000Z'],
      ['0001-01-01T00:00:00Z', '0001-01-01T00:00:00.000Z'],
      ['0099-12-31T23:59:59Z', '0099-12-31T23:59:59.000Z'],
      ['9999-12-31T23:59:59.9999999Z', '9999-12-31T23:59:59.999Z'],
    ] as const)
      assert.equal(isoOf(text), moment, text)
  })

  it('may be a leap second, which is the end of its minute', () => {
    assert.equal(isoOf('2016-12-31T23:59:60Z'), '2017-01-01T00:00:00.000Z')
    assert.equal(isoOf('2017-01-01T05:29:60.5+05:30'), '2017-01-01T00:00:00.500Z')
    assert.equal(isoOf('2016-12-31T18:59:60-05:00'), '2017-01-01T00:00:00.000Z')
    for (const none of ['2016-12-31T23:58:60Z', '2016-12-31T23:59:60+01:00', '2016-12-31T23:59:61Z'])
      assert.equal(isoOf(none), null, none)
  })

  it('lies in the years 1 to 9999 of UTC, wherever it is written', () => {
    for (const none of [
      '0000-12-31T23:59:59Z',
      '0001-01-01T00:00:00+00:01',
      '0001-01-01T23:58:59.999+23:59',
      '9999-12-31T23:59:59-00:01',
      '9999-12-31T23:59:59-23:59',
      '9999-12-31T23:59:60Z',
      '10000-01-01T00:00:00Z',
      '+010000-01-01T00:00:00Z',
      '-000001-01-01T00:00:00Z',
    ])
      assert.equal(isoOf(none), null, none)
  })

  it('is nothing else', () => {
    for (const none of [
      '',
      'now',
      'infinity',
      'epoch',
      '2031-05-01',
      '2031-05-01T12:00:00',
      '2031-05-01T12:00Z',
      '2031-05-01T12:00:00.Z',
      '2031-05-01T12:00:00,5Z',
      '2031-05-01_12:00:00Z',
      '2031-05-01\t12:00:00Z',
      '2031-05-01  12:00:00Z',
      '2031-02-29T12:00:00Z',
      '2100-02-29T12:00:00Z',
      '2031-13-01T12:00:00Z',
      '2031-00-10T12:00:00Z',
      '2031-05-00T12:00:00Z',
      '2031-05-01T24:00:00Z',
      '2031-05-01T12:60:00Z',
      '2031-05-01T12:00:00+24:00',
      '2031-05-01T12:00:00+12:60',
      '2031-05-01T12:00:00−02:00',
      '2031-05-01T12:00:00Z\n',
      '２０31-05-01T12:00:00Z',
      `2031-05-01T12:00:00.${'0'.repeat(20)}Z`,
    ])
      assert.equal(isoOf(none), null, JSON.stringify(none))
  })

  it('is the same however it is written', () => {
    const offsets = fc.tuple(fc.constantFrom('+', '-'), fc.nat(23), fc.nat(59))
    const dates = fc.date({
      min: new Date('0001-01-03T00:00:00Z'),
      max: new Date('9999-12-29T00:00:00Z'),
      noInvalidDate: true,
    })
    fc.assert(
      fc.property(dates, offsets, (date, [sign, hours, minutes]) => {
        const ahead = (sign === '-' ? -1 : 1) * (hours * 60 + minutes) * 60_000
        const two = (number: number) => String(number).padStart(2, '0')
        const local = new Date(date.getTime() + ahead).toISOString().slice(0, -1)
        assert.equal(isoOf(`${local}${sign}${two(hours)}:${two(minutes)}`), date.toISOString())
        assert.equal(isoOf(date.toISOString()), date.toISOString())
      }),
    )
  })
})

describe('a date', () => {
  it('is one of the calendar, from the year 1 on', () => {
    for (const day of ['0001-01-01', '2028-02-29', '2000-02-29', '9999-12-31']) assert.ok(isDay(day), day)
    for (const none of ['0000-01-01', '0000-02-29', '2031-02-29', '1900-02-29', '2031-04-31', '2031-5-1', ''])
      assert.ok(!isDay(none), none)
  })
})

describe('a timestamp in the input of an operation', () => {
  const validate = validatorOf(
    query('look', {
      http: 'GET /v1/looks',
      summary: 'Look.',
      tag: 'Looks',
      audience: 'caller',
      input: {
        at: T.Optional(dateTime()),
        ends: T.Optional(nullable(dateTime())),
        spans: T.Optional(T.Array(nullable(closed({ from: dateTime() })), { maxItems: 3 })),
      },
      output: {},
      problems: [],
    }),
  )
  const change = validatorOf({
    name: 'change',
    kind: 'mutation',
    http: 'POST /v1/looks',
    summary: 'Look.',
    tag: 'Looks',
    audience: 'caller',
    input: {
      ends: T.Optional(nullable(dateTime())),
      spans: T.Optional(T.Array(nullable(closed({ from: dateTime() })), { maxItems: 3 })),
    },
    output: {},
    status: 200,
    problems: [],
    emits: [],
  })

  it('reaches the handler in canonical form, wherever it is', () => {
    const query = new Map([['at', ['2031-05-01T14:00:00 02:00']]])
    assert.deepEqual(validate({ path: {}, query, body: undefined }).input, { at: '2031-05-01T12:00:00.000Z' })
    const body = { ends: '2031-05-01t12:00:00z', spans: [null, { from: '2031-05-01 14:00:00+02:00' }] }
    assert.deepEqual(change({ path: {}, query: new Map(), body }), {
      input: {
        ends: '2031-05-01T12:00:00.000Z',
        spans: [null, { from: '2031-05-01T12:00:00.000Z' }],
      },
      errors: [],
    })
  })

  it('is refused where there is none such, without repeating it', () => {
    const wrong = '9999-12-31T23:59:59-23:59'
    const body = { ends: wrong, spans: [{ from: wrong }] }
    const { errors } = change({ path: {}, query: new Map(), body })
    assert.deepEqual(
      errors.map(({ pointer, code }) => [pointer, code]),
      [
        ['/ends', 'format'],
        ['/spans/0/from', 'format'],
      ],
    )
    for (const { detail } of errors) assert.ok(!detail.includes('9999-12'), detail)
  })
})
