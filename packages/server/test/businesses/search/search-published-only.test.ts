import assert from 'node:assert/strict'
import { after, before, it } from 'node:test'
import fc from 'fast-check'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'
import {
  addBusinesses,
  addSource,
  type ClassificationFacts,
  type LocationFacts,
  type BusinessFacts,
} from '../../harness/businesses.ts'
import { proofRuns } from '../../harness/proof.ts'

/** Few values, so that Businesses of one registry often share them, published and not. */
const states = ['OR', 'ME', 'DC']
const codes = ['541511', '541512', '311111']
const vintages = ['2017', '2022']
const statuses = ['active', 'closed', 'inactive', 'unknown'] as const

type Facts = Omit<BusinessFacts, 'locations' | 'classifications'> & {
  locations: LocationFacts[]
  classifications: ClassificationFacts[]
}

const arbitraryBusiness: fc.Arbitrary<Facts> = fc.record({
  name: fc.constantFrom('Alder', 'Birch', 'Alder & Birch'),
  publication_status: fc.constantFrom('published', 'published', 'published', 'draft', 'withdrawn', 'merged'),
  status: fc.constantFrom(...statuses),
  website_url: fc.constantFrom('https://alder.example/', 'https://birch.example/'),
  published_at: fc.constantFrom('2026-01-02T03:04:05.678Z', null),
  locations: fc.array(
    fc.record({
      state: fc.constantFrom(...states),
      city: fc.constantFrom('Salem', 'Union'),
      published: fc.boolean(),
    }),
    { maxLength: 2 },
  ),
  classifications: fc.uniqueArray(
    fc.record({
      code: fc.constantFrom(...codes),
      vintage: fc.constantFrom(...vintages),
      published: fc.boolean(),
    }),
    { maxLength: 2, selector: facts => facts.code },
  ),
})

const arbitraryFilters = fc.record(
  {
    query: fc.constantFrom('alder', 'birch', 'zq1'),
    status: fc.constantFrom(...statuses),
    state: fc.constantFrom(...states),
    city: fc.constantFrom('salem', 'UNION'),
    naics_code: fc.constantFrom('541511', '5415', '54', '31-33', '31'),
    website_url: fc.constantFrom('https://alder.example/', 'https://birch.example/'),
  },
  { requiredKeys: [] },
)
type Filters = NonNullable<Parameters<Person['client']['searchBusinesses']>[0]>

/** Makes a record unique: the first location and code are primary, and every text has a mark. */
function marked(facts: Facts, i: number): Facts {
  // A published Business has been published; a draft never was.
  const published_at =
    facts.publication_status === 'published'
      ? '2026-01-02T03:04:05.678Z'
      : facts.publication_status === 'draft'
        ? null
        : facts.published_at
  return {
    ...facts,
    published_at: published_at ?? null,
    name: `${facts.name} zq${i}name`,
    legal_name: `zq${i}legal`,
    description: `zq${i}description`,
    public_email: `zq${i}@mail.example`,
    locations: facts.locations.map((location, n) => ({
      ...location,
      line1: `zq${i}line${n}`,
      postal_code: `zq${i}post${n}`,
      is_primary: n === 0,
    })),
    classifications: facts.classifications.map((one, n) => ({ ...one, is_primary: n === 0 })),
    identifiers: [
      { scheme: 'shown', value: `zq${i}shown`, published: true },
      { scheme: 'hidden', value: `zq${i}hidden`, published: false },
    ],
  }
}

/** The public data of a Business; null if there is none. */
function publicPart({ locations, classifications, ...facts }: Facts) {
  const isTold =
    facts.publication_status === 'published' ||
    (facts.publication_status === 'merged' && facts.published_at !== null)
  if (!isTold) return null
  const primary = <Part extends { is_primary?: boolean; published?: boolean }>(parts: Part[]) =>
    parts.find(part => part.is_primary && part.published) ?? null
  return { facts, location: primary(locations), classification: primary(classifications) }
}

function isFound(facts: Facts, filters: Filters): boolean {
  const told = publicPart(facts)
  if (!told || facts.publication_status !== 'published') return false
  const { location, classification } = told
  const { query, status, state, city, naics_code, website_url } = filters
  const prefixes = naics_code === '31-33' ? ['31', '32', '33'] : [naics_code ?? '']
  return (
    (query === undefined || facts.name.toLowerCase().includes(query)) &&
    (status === undefined || facts.status === status) &&
    (state === undefined || location?.state === state) &&
    (city === undefined || location?.city?.toLowerCase() === city.toLowerCase()) &&
    (naics_code === undefined ||
      (classification?.vintage === '2022' &&
        prefixes.some(prefix => classification.code.startsWith(prefix)))) &&
    (website_url === undefined || facts.website_url === website_url)
  )
}

/** The marks that may not appear in an answer to the public. */
function hiddenMarks(all: readonly Facts[]): string[] {
  return all.flatMap((facts, i) => {
    const part = (n: number, published?: boolean) => (published ? [] : [`zq${i}line${n}`, `zq${i}post${n}`])
    if (publicPart(facts) === null)
      return [
        `zq${i}name`,
        `zq${i}legal`,
        `zq${i}description`,
        `zq${i}@`,
        `zq${i}line`,
        `zq${i}post`,
        `zq${i}shown`,
        `zq${i}hidden`,
      ]
    return [`zq${i}hidden`, ...facts.locations.flatMap(({ published }, n) => part(n, published))]
  })
}

let service: TestService
let outsider: Person
let elsewhere: string
before(async () => {
  service = await startTestService()
  outsider = service.person('Outsider')
  elsewhere = await service.workspace('Another Workspace', outsider)
})
after(() => service.close())

it('the public finds and reads all published Businesses and nothing else', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(arbitraryBusiness, { minLength: 1, maxLength: 8 }),
      fc.array(arbitraryFilters, { minLength: 4, maxLength: 8 }),
      async (businesses, searches) => {
        await service.sql('truncate businesses cascade')
        const all = businesses.map(marked)
        const ids: string[] = await addBusinesses(service, all)
        for (const id of ids)
          await addSource(service, 'registry', id, ['name', 'state', 'city', 'line1', 'naics_code'])
        const hidden = hiddenMarks(all)
        const holdsNothingHidden = (answer: unknown) => {
          const text = JSON.stringify(answer)
          for (const mark of hidden) assert.equal(text.includes(mark), false, `${mark} in ${text}`)
        }

        for (const filters of [{}, ...searches]) {
          const expected = ids.filter((_, i) => isFound(all[i] as Facts, filters))
          for (const [client, workspace_id] of [[service.anonymous], [outsider.client, elsewhere]] as const) {
            const answer = await client.searchBusinesses(
              { ...filters, limit: 100 },
              workspace_id ? { workspace_id } : {},
            )
            assert.deepEqual(
              answer.data.map(business => business.id),
              expected,
              JSON.stringify(filters),
            )
            holdsNothingHidden(answer)
            for (const business of answer.data)
              assertShowsWhatIsPublished(business, all[ids.indexOf(business.id)] as Facts)
            for (const { business_id, field } of answer.provenance ?? [])
              assertTellsOfWhatIsShown(field, all[ids.indexOf(business_id)] as Facts)
          }
        }

        for (const [i, business_id] of ids.entries()) {
          const { status, body } = await service.request(
            `/v1/businesses/${business_id}?include=classifications,locations,identifiers`,
            {
              token: outsider.token,
              headers: { 'svc-workspace-id': elsewhere },
            },
          )
          const facts = all[i] as Facts
          assert.equal(status, publicPart(facts) ? 200 : 404)
          holdsNothingHidden(body)
          if (status === 200) assertShowsWhatIsPublished(body.data, facts)
          if (status === 200)
            assert.deepEqual(
              body.data.classifications.map((one: { code: string }) => one.code).sort(),
              facts.classifications
                .filter(one => one.published)
                .map(one => one.code)
                .sort(),
            )
        }
      },
    ),
    { numRuns: proofRuns({ full: 30, short: 5 }) },
  )
})

function assertShowsWhatIsPublished(shown: object, facts: Facts): void {
  const { location, classification } = publicPart(facts) as NonNullable<ReturnType<typeof publicPart>>
  const { name, state, city, naics_code, naics_vintage, ...rest } = shown as Record<string, unknown>
  assert.deepEqual(
    { name, state, city, naics_code, naics_vintage },
    {
      name: facts.name,
      state: location?.state ?? null,
      city: location?.city ?? null,
      naics_code: classification?.code ?? null,
      naics_vintage: classification?.vintage ?? null,
    },
  )
  assert.equal(rest['primary_location_id'] === null, location === null)
  assert.equal(rest['primary_classification_id'] === null, classification === null)
  assert.equal(rest['naics_title'] === null, classification === null)
}

function assertTellsOfWhatIsShown(field: string, facts: Facts): void {
  const { location, classification } = publicPart(facts) as NonNullable<ReturnType<typeof publicPart>>
  if (['state', 'city', 'line1'].includes(field)) assert.ok(location, field)
  if (field === 'naics_code') assert.ok(classification, field)
}
