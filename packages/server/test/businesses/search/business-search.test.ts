import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { startTestService, type TestService } from '../../harness/service.ts'
import {
  addBusinesses,
  type ClassificationFacts,
  type LocationFacts,
  type BusinessFacts,
} from '../../harness/businesses.ts'

type Filters = NonNullable<Parameters<Client['searchBusinesses']>[0]>

/** The names of all Businesses that a search finds, over all pages, sorted. */
async function found(service: TestService, filters: Filters): Promise<string[]> {
  const names: string[] = []
  for await (const business of service.anonymous.searchBusinesses.each({ ...filters, limit: 3 }))
    names.push(business.name as string)
  return names.sort()
}

describe('a search finds by name', () => {
  let service: TestService
  const names = [
    'D & G Tooling',
    'D G Tooling',
    '100% Pure_Honey',
    '100 Pure Honey',
    'C:\\Works (Ohio), Inc.',
    'C:Works',
    "O'Neil's Café",
    'Oneils Cafe',
    'Strasse Bakery',
    'STRAßE BAKERY',
    'ΟΔΟΣ Foods',
    'Ａｃｍｅ Ｌｔｄ',
    'ﬁne ﬂowers',
    'İstanbul Grill',
    'Double  Spaced\tName',
    'Soft\u00adware House',
    '𠮷野家 Diner',
  ]
  before(async () => {
    service = await startTestService()
    await addBusinesses(
      service,
      names.map(name => ({ name })),
    )
  })
  after(() => service.close())

  const cases: [title: string, text: string, expected: string[]][] = [
    ['a part from the middle of a word', 'ooli', ['D & G Tooling', 'D G Tooling']],
    ['with & kept', 'd & g', ['D & G Tooling']],
    ['without taking & for nothing', 'd g', ['D G Tooling']],
    ['with % taken as it stands', '0% p', ['100% Pure_Honey']],
    ['with _ taken as it stands', 'e_h', ['100% Pure_Honey']],
    ['with no wildcard in %%%', '%%%', []],
    ['with no wildcard in ___', '___', []],
    ['with a backslash taken as it stands', 'c:\\w', ['C:\\Works (Ohio), Inc.']],
    ['with a backslash at the end', 'c:\\', ['C:\\Works (Ohio), Inc.']],
    ['with brackets, comma and full stop', '(ohio), inc.', ['C:\\Works (Ohio), Inc.']],
    ['with an apostrophe', "o'n", ["O'Neil's Café"]],
    ['with quotes that would end a string of SQL', "'; drop table businesses; --", []],
    ['in any case', 'STRASSE', ['STRAßE BAKERY', 'Strasse Bakery']],
    ['with ß and ss alike', 'straße b', ['STRAßE BAKERY', 'Strasse Bakery']],
    ['with both forms of small sigma', 'οδος', ['ΟΔΟΣ Foods']],
    ['with the other form of small sigma', 'οδοσ', ['ΟΔΟΣ Foods']],
    ['of full width by plain letters', 'acme ltd', ['Ａｃｍｅ Ｌｔｄ']],
    ['by letters of full width', 'ｄ ＆ ｇ', ['D & G Tooling']],
    ['of ligatures by their letters', 'fine flow', ['ﬁne ﬂowers']],
    ['with the dotted capital I', 'istanbul', ['İstanbul Grill']],
    ['with runs of white space as one blank', 'double spaced name', ['Double  Spaced\tName']],
    ['by runs of white space as one blank', 'spaced \u3000 name', ['Double  Spaced\tName']],
    ['past soft hyphens', 'software', ['Soft\u00adware House']],
    ['by a soft hyphen that is not in it', 'ho\u00aduse', ['Soft\u00adware House']],
    ['of composed letters by decomposed ones', 'cafe\u0301', ["O'Neil's Café"]],
    ['with accents kept', 'cafe', ['Oneils Cafe']],
    ['beyond the first plane', '𠮷野家', ['𠮷野家 Diner']],
    ['not by white space that it lacks', 'dgt', []],
    ['not by what folds to nothing', '\u00ad\u00ad\u00ad', []],
    ['of 200 characters that is not there', 'x'.repeat(200), []],
  ]
  for (const [title, text, expected] of cases)
    it(`${title}: ${JSON.stringify(text.slice(0, 30))}`, async () => {
      assert.deepEqual(await found(service, { query: text }), [...expected].sort())
      assert.deepEqual(await found(service, { name: text }), [...expected].sort())
    })

  it('all of them without a filter', async () => {
    assert.deepEqual(await found(service, {}), [...names].sort())
  })
})

describe('a search finds by place, code, status and website', () => {
  let service: TestService
  before(async () => {
    service = await startTestService()
    await addBusinesses(service, businesses)
  })
  after(() => service.close())

  const cases: [title: string, filters: Filters, expected: string[]][] = [
    ['a state', { state: 'OR' }, ['in Portland, Oregon', 'in Portland, Oregon (closed)']],
    ['a state in lower case', { state: 'me' }, ['in Portland, Maine']],
    ['a state in mixed case', { state: 'Me' }, ['in Portland, Maine']],
    ['the District of Columbia', { state: 'DC' }, ['in Washington']],
    [
      'a city in any state',
      { city: 'Portland' },
      ['in Portland, Maine', 'in Portland, Oregon', 'in Portland, Oregon (closed)'],
    ],
    ['a city in any case', { city: 'pORTLAND', state: 'me' }, ['in Portland, Maine']],
    ['a city within white space', { city: '  Portland\t', state: 'ME' }, ['in Portland, Maine']],
    ['a city that is more than ASCII', { city: 'CAÑON CITY' }, ['in Cañon City']],
    ['no city with other white space inside', { city: 'Boulder  City' }, []],
    ['no city by its beginning', { city: 'Portlan' }, []],
    ['no city by an accent less', { city: 'Canon City' }, []],
    ['no city outside the U.S. by its name alone', { city: 'Paris' }, ['in Paris, Texas']],
    ['no state outside the U.S.', { state: 'CA' }, []],
    ['state and city of one location only', { state: 'NV', city: 'Boulder City' }, []],
    ['no branch', { city: 'Boulder City' }, []],
    [
      'the primary location beside a branch',
      { state: 'NV', city: 'Reno' },
      ['with a branch in Boulder City'],
    ],
    ['no location that is not published', { state: 'UT' }, []],
    ['no city that is not published', { city: 'Provo' }, []],

    ['six digits of NAICS exactly', { naics_code: '541511' }, ['541511 of 2022']],
    ['a prefix of five digits', { naics_code: '54151' }, ['541511 of 2022', '541512 of 2022']],
    ['a prefix of four digits', { naics_code: '5415' }, ['541511 of 2022', '541512 of 2022', '5415 of 2022']],
    ['a prefix of three digits', { naics_code: '541' }, ['541511 of 2022', '541512 of 2022', '5415 of 2022']],
    ['a prefix of two digits', { naics_code: '54' }, ['541511 of 2022', '541512 of 2022', '5415 of 2022']],
    [
      'the sectors 31 to 33 and their range',
      { naics_code: '31-33' },
      ['31-33 of 2022', '311111 of 2022', '321113 of 2022', '332710 of 2022'],
    ],
    ['sector 31 without 32, 33 and the range', { naics_code: '31' }, ['311111 of 2022']],
    ['the sectors 44 to 45', { naics_code: '44-45' }, ['445110 of 2022', '455110 of 2022']],
    ['the sectors 48 to 49', { naics_code: '48-49' }, ['484110 of 2022', '491110 of 2022']],
    ['the edition of 2022, named', { naics_code: '541511', naics_vintage: '2022' }, ['541511 of 2022']],
    ['another edition', { naics_code: '541511', naics_vintage: '2017' }, ['541511 of 2017']],
    ['a prefix in another edition', { naics_code: '54', naics_vintage: '2017' }, ['541511 of 2017']],
    ['a range in another edition', { naics_code: '31-33', naics_vintage: '1997' }, ['332710 of 1997']],
    ['nothing in an edition without them', { naics_code: '541511', naics_vintage: '2012' }, []],
    ['nothing by an unknown code', { naics_code: '999999' }, []],
    ['nothing by an unknown sector', { naics_code: '00' }, []],
    ['no classification that is not published', { naics_code: '812112' }, []],
    ['no classification that is not the primary one', { naics_code: '722511' }, []],

    ['an active one', { status: 'active', state: 'OR' }, ['in Portland, Oregon']],
    ['a closed one', { status: 'closed' }, ['in Portland, Oregon (closed)']],
    ['an inactive one', { status: 'inactive' }, ['with a website']],
    ['one of unknown status', { status: 'unknown' }, ['with another website']],

    ['a website to the letter', { website_url: 'https://Shop.example/Deals' }, ['with a website']],
    ['a website within white space', { website_url: ' https://Shop.example/Deals\n' }, ['with a website']],
    ['no website in another case', { website_url: 'https://shop.example/Deals' }, []],
    ['no website by another scheme', { website_url: 'http://Shop.example/Deals' }, []],
    ['no website by a scheme in capitals', { website_url: 'HTTPS://Shop.example/Deals' }, []],
    ['no website with a slash more', { website_url: 'https://Shop.example/Deals/' }, []],
    ['no website by its beginning', { website_url: 'https://Shop.example' }, []],
    [
      'a website whose only path is a slash',
      { website_url: 'https://slash.example/' },
      ['with another website'],
    ],
    ['no website with a slash less', { website_url: 'https://slash.example' }, []],

    [
      'what meets every filter',
      { query: 'oregon', status: 'closed', state: 'OR', city: 'Portland' },
      ['in Portland, Oregon (closed)'],
    ],
    [
      'nothing where one filter fails',
      { query: 'oregon', status: 'closed', state: 'ME', city: 'Portland' },
      [],
    ],
    ['name and website', { name: 'site', website_url: 'https://slash.example/' }, ['with another website']],
    ['nothing where the code is of another', { query: 'maine', naics_code: '54' }, []],
    ['none that is a draft, withdrawn or merged', { query: 'unseen' }, []],
  ]
  for (const [title, filters, expected] of cases)
    it(`${title}: ${JSON.stringify(filters)}`, async () => {
      assert.deepEqual(await found(service, filters), [...expected].sort())
    })
})

const at = (name: string, ...locations: LocationFacts[]): BusinessFacts => ({ name, locations })
const as = (name: string, ...classifications: ClassificationFacts[]): BusinessFacts => ({
  name,
  classifications,
})
const ofCode = (vintage: string) => (code: string) => as(`${code} of ${vintage}`, { code, vintage })

const businesses: BusinessFacts[] = [
  at('in Portland, Maine', { state: 'ME', city: 'Portland' }),
  at('in Portland, Oregon', { state: 'OR', city: 'PORTLAND' }),
  { ...at('in Portland, Oregon (closed)', { state: 'OR', city: 'Portland' }), status: 'closed' },
  at('in Washington', { state: 'DC', city: 'Washington' }),
  at('in Cañon City', { state: 'CO', city: 'Cañon City' }),
  at('in Paris, Texas', { state: 'TX', city: 'Paris' }),
  at('in Paris', { country_code: 'FR', city: 'Paris' }),
  at('in Catalonia', { country_code: 'ES', state: 'CA', city: 'Girona' }),
  at(
    'with a branch in Boulder City',
    { state: 'NV', city: 'Reno' },
    { kind: 'branch', state: 'NV', city: 'Boulder City', is_primary: false },
  ),
  at(
    'with a primary location that is not published',
    { state: 'UT', city: 'Provo', published: false },
    { kind: 'branch', state: 'UT', city: 'Provo', is_primary: false },
  ),
  at('without a location'),
  ...[
    '541511',
    '541512',
    '5415',
    '31-33',
    '311111',
    '321113',
    '332710',
    '445110',
    '455110',
    '484110',
    '491110',
  ].map(ofCode('2022')),
  ofCode('2017')('541511'),
  ofCode('1997')('332710'),
  as('with a code that is not published', { code: '812112', published: false }),
  as('with a second code', { code: '111110' }, { code: '722511', is_primary: false }),
  { name: 'with a website', website_url: 'https://Shop.example/Deals', status: 'inactive' },
  { name: 'with another website', website_url: 'https://slash.example/', status: 'unknown' },
  ...(['draft', 'withdrawn', 'merged'] as const).map((publication_status): BusinessFacts => ({
    name: `unseen ${publication_status}`,
    publication_status,
    status: 'closed',
    website_url: 'https://Shop.example/Deals',
    locations: [{ state: 'OR', city: 'Portland' }],
    classifications: [{ code: '541511' }],
  })),
]
