import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { InputError } from '@wbs/contract/problems'
import { startTestService, type TestService } from '../../harness/service.ts'

const body26 = '01JD8Q5W3RZXKT4M2N6P7V9Y0A'
const astral = '𠮷'
const of = (name: string, value: string) => `${name}=${encodeURIComponent(value)}`
const states =
  'AL AK AZ AR CA CO CT DE DC FL GA HI ID IL IN IA KS KY LA ME MD MA MI MN MS MO MT NE NV NH NJ NM NY NC ND OH OK OR PA RI SC SD TN TX UT VT VA WA WV WI WY'.split(
    ' ',
  )
const notStates = 'PR GU VI AS MP UM FM MH PW AA AE AP CZ XX US'.split(' ')
const fieldNames =
  'id,name,publication_status,status,closed_on,description,founded_on,primary_classification_id,primary_location_id,published_at,public_email,public_phone,website_url,country_code,state,city,naics_code,naics_vintage,naics_title'

describe('GET /v1/businesses takes', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  const taken: [title: string, ...queries: string[]][] = [
    ['a query of 3 and of 200 characters', of('query', 'abc'), of('query', 'a'.repeat(200))],
    ['a name of 3 and of 200 characters', of('name', 'abc'), of('name', 'a'.repeat(200))],
    [
      'characters beyond the first plane as one each',
      of('query', astral.repeat(3)),
      of('query', astral.repeat(200)),
    ],
    ['white space inside a query', of('query', 'a b'), of('query', 'a \t b'), 'query=a+b'],
    ['every status', 'status=active', 'status=closed', 'status=inactive', 'status=unknown'],
    ['every state', ...states.map(state => `state=${state}`)],
    ['every state in lower case', ...states.map(state => `state=${state.toLowerCase()}`)],
    [
      'a city of 1 and of 200 characters',
      'city=a',
      of('city', 'a'.repeat(200)),
      of('city', astral.repeat(200)),
    ],
    ['a city of 200 characters within white space', of('city', ` ${'a'.repeat(200)}  `)],
    [
      'two to six digits of NAICS',
      'naics_code=11',
      'naics_code=111',
      'naics_code=1111',
      'naics_code=11111',
      'naics_code=111110',
    ],
    ['the ranges of NAICS', 'naics_code=31-33', 'naics_code=44-45', 'naics_code=48-49'],
    [
      'every edition of NAICS',
      ...[1997, 2002, 2007, 2012, 2017, 2022].map(year => `naics_code=11&naics_vintage=${year}`),
    ],
    [
      'a website of 8 and of 2048 characters',
      of('website_url', 'http://a'),
      of('website_url', `https://${'a'.repeat(2040)}`),
    ],
    [
      'a website within white space',
      of('website_url', '  http://a '),
      of('website_url', ` https://${'a'.repeat(2040)} `),
    ],
    ['a scheme in capitals', of('website_url', 'HTTPS://a.example')],
    [
      'a cursor from 0 to 7',
      `cursor=biz_0${'0'.repeat(25)}`,
      `cursor=biz_7${'Z'.repeat(25)}`,
      `cursor=biz_${body26}`,
    ],
    ['a limit of 1 and of 100', 'limit=1', 'limit=100'],
    ['every field', `fields=${fieldNames}`, ...fieldNames.split(',').map(name => `fields=${name}`)],
    [
      'fields repeated, in commas, both, and twice',
      'fields=id&fields=name',
      'fields=id,name&fields=city',
      'fields=name,name&fields=name',
      `fields=${Array.from({ length: 101 }, () => 'name').join(',')}`,
    ],
    ['ampersands with nothing between', 'limit=5&', '&&limit=5'],
  ]
  for (const [title, ...queries] of taken)
    it(title, async () => {
      for (const query of queries) {
        const { status, text } = await service.request(`/v1/businesses?${query}`)
        assert.equal(status, 200, `${query}: ${text}`)
      }
    })
})

type Refusal = [query: string, pointer: string, code: InputError['code'], suggestion?: string]

describe('GET /v1/businesses refuses', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  const refused: [title: string, ...cases: Refusal[]][] = [
    [
      'text of less than 3 or more than 200 characters',
      ...['query', 'name'].flatMap((name): Refusal[] => [
        [of(name, 'ab'), `/${name}`, 'too_short'],
        [of(name, astral.repeat(2)), `/${name}`, 'too_short'],
        [of(name, 'a'.repeat(201)), `/${name}`, 'too_long'],
        [of(name, astral.repeat(201)), `/${name}`, 'too_long'],
      ]),
    ],
    [
      'text with white space at an end',
      ...['query', 'name'].flatMap((name): Refusal[] =>
        [' abc', 'abc ', '\tabc', 'abc\n', '\u00a0abc', 'abc\u3000', '   ', 'a  '].map(text => [
          of(name, text),
          `/${name}`,
          'format',
        ]),
      ),
      ['query=+abc', '/query', 'format'],
    ],
    [
      'query and name together',
      ['query=abc&name=abd', '/name', 'conflict', 'query'],
      ['name=abc&query=abc', '/name', 'conflict', 'query'],
    ],
    [
      'what is no status',
      ['status=open', '/status', 'unknown'],
      ['status=Active', '/status', 'unknown', 'active'],
      ['status=published', '/status', 'unknown'],
      ['status=active,closed', '/status', 'unknown'],
      ['status=%20active', '/status', 'unknown', 'active'],
    ],
    [
      'what is no state: territories, military codes, and the rest',
      ...notStates.flatMap((code): Refusal[] => [
        [`state=${code}`, '/state', 'format'],
        [`state=${code.toLowerCase()}`, '/state', 'format'],
      ]),
      ...['C', 'CAL', 'California', ' CA', 'CA ', 'C A', 'CA,NV', 'CA\n', '06'].map((text): Refusal => [
        of('state', text),
        '/state',
        'format',
      ]),
    ],
    [
      'letters that only fold to those of a state',
      ...['ſd', 'ıl', 'ĸs', 'ＣＡ', 'СA'].map((text): Refusal => [of('state', text), '/state', 'format']),
    ],
    [
      'a city of white space or of more than 200 characters',
      [of('city', '   '), '/city', 'too_short'],
      [of('city', 'a'.repeat(201)), '/city', 'too_long'],
      [of('city', astral.repeat(201)), '/city', 'too_long'],
    ],
    [
      'what is no NAICS code',
      ...[
        '1',
        '1234567',
        '31-32',
        '31-34',
        '44-46',
        '33-31',
        '31-33-',
        '54 ',
        '5a',
        '-54',
        '５４',
        '54,55',
        '31–33',
      ].map((code): Refusal => [of('naics_code', code), '/naics_code', 'format']),
    ],
    [
      'an edition without a code, or one that there is not',
      ['naics_vintage=2022', '/naics_vintage', 'requires', 'naics_code'],
      ['naics_vintage=1997&state=CA', '/naics_vintage', 'requires', 'naics_code'],
      ['naics_code=54&naics_vintage=2018', '/naics_vintage', 'unknown', '2012'],
      ['naics_code=54&naics_vintage=22', '/naics_vintage', 'unknown'],
    ],
    [
      'what is no website',
      [of('website_url', 'http://'), '/website_url', 'too_short'],
      [of('website_url', 'http:// '), '/website_url', 'too_short'],
      [of('website_url', '   http://   '), '/website_url', 'too_short'],
      [of('website_url', `https://${'a'.repeat(2041)}`), '/website_url', 'too_long'],
      ...[
        'example.com',
        'ftp://a.example',
        'https:/a.example',
        'https://a b.example',
        'https://a.example/\tb',
        '//a.example',
        'mailto:a@b.example',
      ].map((url): Refusal => [of('website_url', url), '/website_url', 'format']),
    ],
    [
      'what is no cursor of Businesses',
      ...'89AFGHJKMNPQRSTVWXYZ'
        .split('')
        .map((first): Refusal => [`cursor=biz_${first}${body26.slice(1)}`, '/cursor', 'format']),
      ...'ILOU'
        .split('')
        .map((letter): Refusal => [`cursor=biz_${body26.slice(0, 25)}${letter}`, '/cursor', 'format']),
      ...[
        `biz_${body26.toLowerCase()}`,
        `BIZ_${body26}`,
        `rom_${body26}`,
        body26,
        `biz_${body26}0`,
        `biz_${body26.slice(1)}`,
        `biz_${body26.slice(0, 25)}-`,
        `biz_${body26}\n`,
        ` biz_${body26}`,
        '1',
        'null',
      ].map((cursor): Refusal => [of('cursor', cursor), '/cursor', 'format']),
    ],
    [
      'a limit that is no integer',
      ...[
        '1e1',
        '0x10',
        ' 5',
        '5 ',
        '5.0',
        '05',
        '+5',
        '5,6',
        'ten',
        'NaN',
        '٥',
        '1_0',
        '-0',
        '1e999',
        '99999999999999999999',
      ].map((limit): Refusal => [of('limit', limit), '/limit', 'type']),
      ['limit=+5', '/limit', 'type'],
    ],
    [
      'a limit out of range',
      ...['0', '101', '-1', '1000000'].map((limit): Refusal => [`limit=${limit}`, '/limit', 'out_of_range']),
    ],
    [
      'what is no field',
      ['fields=nam', '/fields/0', 'unknown', 'name'],
      ['fields=id,websiteurl', '/fields/1', 'unknown', 'website_url'],
      ['fields=legal_name', '/fields/0', 'unknown'],
      ['fields=Name', '/fields/0', 'unknown', 'name'],
      ['fields=%20name', '/fields/0', 'unknown', 'name'],
      ['fields=*', '/fields/0', 'unknown'],
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name): Refusal => [
        `fields=${name}`,
        '/fields/0',
        'unknown',
      ]),
      ['fields=id,,name', '/fields/1', 'unknown'],
      ['fields=,', '/fields/0', 'unknown'],
    ],
    [
      'a parameter that it does not know',
      ['nam=abc', '/nam', 'unknown', 'name'],
      ['Query=abc', '/Query', 'unknown', 'query'],
      ['naics=54', '/naics', 'unknown'],
      ['page=2', '/page', 'unknown'],
      ['fields[]=id', '/fields[]', 'unknown', 'fields'],
      ['business_id=x', '/business_id', 'unknown'],
      ['a/b~c=1', '/a~1b~0c', 'unknown'],
      ['=x', '/', 'unknown'],
      ...['__proto__', 'constructor', 'toString', 'hasOwnProperty'].map((name): Refusal => [
        `${name}=x`,
        `/${name}`,
        'unknown',
      ]),
    ],
    [
      'a value that is empty',
      ...[
        'query',
        'name',
        'status',
        'state',
        'city',
        'naics_code',
        'website_url',
        'cursor',
        'limit',
        'fields',
      ].flatMap((name): Refusal[] => [
        [`${name}=`, `/${name}`, 'too_short'],
        [name, `/${name}`, 'too_short'],
      ]),
      ['naics_code=54&naics_vintage=', '/naics_vintage', 'too_short'],
      ['fields=id&fields=', '/fields', 'too_short'],
    ],
    [
      'a parameter given twice, the same or not',
      ...[
        'query=abc',
        'name=abc',
        'status=active',
        'state=CA',
        'city=Reno',
        'naics_code=54',
        'website_url=http://a.example',
        `cursor=biz_${body26}`,
        'limit=5',
      ].map((pair): Refusal => [`${pair}&${pair}`, `/${pair.split('=')[0]}`, 'conflict']),
      ['naics_code=54&naics_vintage=2022&naics_vintage=2022', '/naics_vintage', 'conflict'],
      ['status=active&status=closed', '/status', 'conflict'],
      ['limit=5&%6Cimit=6', '/limit', 'conflict'],
    ],
    [
      'a percent escape that is not UTF-8',
      ...['%', '%2', '%zz', '%ff', '%c3', '%ed%a0%80', '%u0041'].map((escape): Refusal => [
        `query=abc${escape}`,
        '',
        'format',
      ]),
      ['%ff=1', '', 'format'],
    ],
    ['text that cannot be stored', ['query=a%00bc', '/query', 'format'], ['city=a%00', '/city', 'format']],
  ]
  for (const [title, ...cases] of refused)
    it(title, async () => {
      for (const [query, pointer, code, suggestion] of cases) {
        const { status, headers, body, text } = await service.request(`/v1/businesses?${query}`)
        assert.equal(status, 400, `${query}: ${text}`)
        assert.equal(headers.get('content-type'), 'application/problem+json; charset=utf-8')
        assert.equal(body.code, 'validation_error')
        const error = body.errors.find((one: InputError) => one.pointer === pointer)
        assert.deepEqual({ in: error?.in, code: error?.code }, { in: 'query', code }, `${query}: ${text}`)
        if (suggestion) assert.equal(error.suggestion, suggestion, `${query}: ${text}`)
      }
    })

  it('all errors in one answer, with place and reason, without echoing values', async () => {
    const { status, body, text } = await service.request(
      '/v1/businesses?limit=canary1&state=canary2&status=canary3&cursor=canary4&query=%20canary5&canary=1',
    )
    assert.equal(status, 400)
    assert.deepEqual(body.errors.map((error: InputError) => error.pointer).sort(), [
      '/canary',
      '/cursor',
      '/limit',
      '/query',
      '/state',
      '/status',
    ])
    assert.doesNotMatch(text, /canary\d/)
  })
})
