import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import * as fc from 'fast-check'
import { foldText } from '../../src/businesses/fold.ts'
import {
  foldedCitySql,
  foldedDescriptionSql,
  foldedObservationSql,
  foldedStateSql,
  foldedTitleSql,
} from '../../src/businesses/folded-text-store.ts'
import { hostileTexts } from '../hostile/hostile-text.ts'
import { editableBusiness, twoWorkspaces, type TwoWorkspaces } from './workspace-fixture.ts'
import { proofRuns } from '../harness/proof.ts'

const ascii = fc.string({
  unit: fc.oneof(
    fc.integer({ min: 1, max: 127 }).map(code => String.fromCharCode(code)),
    fc.constantFrom(' ', '\t', '\n', 'A', '\u007f'),
  ),
  maxLength: 40,
})
const texts = [
  'Plain  ASCII\ttext',
  'ÇA  VA',
  'ＷＩＤＥ',
  'Straße ﬁve',
  'ΟΔΟΣ',
  'İzmir',
  'a\u00adb\u00a0c',
  '😀 É',
]

const inFrance = { description: 'Über', locations: [{ country_code: 'FR', state: 'Île' }] }
// A description is not blank and has no control characters but tabs and line breaks.
const storable = hostileTexts.filter(text => text.trim() !== '' && !/(?![\t\r\n])\p{Cc}/u.test(text))

describe('folded texts in SQL', () => {
  let world: TwoWorkspaces
  before(async () => void (world = await twoWorkspaces()))
  after(() => world.close())

  const foldsInSql = (raw: readonly string[]) =>
    world.service.sql<{ folded: string }>(
      'select folded_text(raw, null) as folded from unnest($1::text[]) with ordinality u (raw, n) order by n',
      [raw],
    )
  const facts = async (id: string) => {
    const [row] = await world.service.sql(
      `select ${foldedDescriptionSql('b')} as description, ${foldedStateSql('l')} as state, ${foldedCitySql('l')} as city,
         b.description_folded, l.state_folded
       from businesses b left join business_locations l on l.business_id = b.id where b.id = $1`,
      [id],
    )
    return row ?? assert.fail()
  }

  it('equal those of the service for pure ASCII', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(ascii, { minLength: 1, maxLength: 300 }), async raw =>
        assert.deepEqual(
          (await foldsInSql(raw)).map(row => row.folded),
          raw.map(foldText),
        ),
      ),
      { numRuns: proofRuns({ full: 60, short: 10 }) },
    )
  })

  it('equal those of the service for each title of each NAICS edition', async () => {
    const titles = await world.service.sql<{ title: string; folded: string }>(
      `select n.title, ${foldedTitleSql('n')} as folded from naics_codes n`,
    )
    assert.ok(titles.length > 10_000)
    for (const { title, folded } of titles) assert.equal(folded, foldText(title))
  })

  it('are computed in the place of the call, so that an index on the expression or a parallel scan can use it', async () => {
    const plan = await world.service.sql(
      `explain (verbose) select from businesses b where ${foldedDescriptionSql('b')} = 'x'`,
    )
    assert.match(JSON.stringify(plan), /regexp_replace\(lower/)
  })

  it('are those of the new texts after a Business is created and updated', async () => {
    const { data } = await world.us.createBusiness({
      name: 'Placed',
      state: 'ÎLE  de France',
      city: 'ÉVRY',
      country_code: 'FR',
    })
    const id = data.id
    assert.deepEqual(await facts(id), {
      description: null,
      state: 'île de france',
      city: 'évry',
      description_folded: null,
      state_folded: 'île de france',
    })
    let expected_revision = 1
    for (const text of [...texts, ...texts.map(text => text.toLowerCase()), ...storable]) {
      const given = {
        description: text,
        state: `s${text
          .replace(/\p{Cc}/gu, ' ')
          .slice(0, 10)
          .toWellFormed()}s`,
      }
      const { data } = await world.us.updateBusiness({ business_id: id, expected_revision, ...given })
      expected_revision = data.revision ?? assert.fail()
      const { description, state, description_folded } = await facts(id)
      assert.equal(description, foldText(data.description ?? ''), JSON.stringify(text))
      assert.equal(state, foldText(data.locations?.[0]?.state ?? ''), JSON.stringify(text))
      const isAscii = !/[\u0080-\uffff]/.test(data.description ?? '')
      assert.equal(description_folded === null, isAscii, JSON.stringify(text))
    }
  })

  it('stay when another fact changes or only the case of the text', async () => {
    const id = await editableBusiness(world, inFrance)
    const first = await facts(id)
    assert.deepEqual([first.description_folded, first.state_folded], ['über', 'île'])
    await world.us.updateBusiness({
      business_id: id,
      expected_revision: 1,
      website_url: 'https://uber.example/',
    })
    assert.deepEqual(await facts(id), first)
    await world.us.updateBusiness({
      business_id: id,
      expected_revision: 2,
      description: 'ÜBER',
      state: 'ÎLE',
    })
    assert.deepEqual(await facts(id), first)
    await world.us.updateBusiness({ business_id: id, expected_revision: 3, description: null, state: 'GA' })
    const last = await facts(id)
    assert.deepEqual([last.description, last.state], [null, 'ga'])
    assert.deepEqual([last.description_folded, last.state_folded], [null, null])
  })

  it('are removed when a node of an earlier version, which does not know them, changes the text', async () => {
    const change = async (id: string, description: string | null, state: string) => {
      await world.service.sql('update businesses set name = name, description = $2 where id = $1', [
        id,
        description,
      ])
      await world.service.sql(
        `insert into business_locations (id, business_id, kind, country_code, state, is_primary, published)
         values ('loc_other', $1, 'principal', 'FR', $2, true, true)
         on conflict (business_id) where is_primary do update set state = excluded.state`,
        [id, state],
      )
    }
    const id = await editableBusiness(world, inFrance)
    await change(id, 'Über', 'Île')
    const same = await facts(id)
    assert.deepEqual([same.description_folded, same.state_folded], ['über', 'île'])
    await change(id, 'Straße  A', 'ÇA')
    const other = await facts(id)
    assert.deepEqual([other.description_folded, other.state_folded], [null, null])
    // Without a fold, letters outside ASCII keep their case.
    assert.deepEqual([other.description, other.state], ['straße a', 'Ça'])
    await change(id, null, 'GA')
    assert.deepEqual([(await facts(id)).description, (await facts(id)).state], [null, 'ga'])
  })

  it('of observations are those of text values alone', async () => {
    const business_id = (await world.us.createBusiness({ name: 'Observed' })).data.id
    const values = [
      ...texts.map(value => ({ value_type: 'text' as const, value })),
      { value_type: 'number' as const, value: 7 },
      { value_type: 'boolean' as const, value: true },
      { value_type: 'date' as const, value: '2026-01-31' },
    ]
    for (const value of values) {
      const { data } = await world.us.createObservation({
        business_id,
        key: 'mood',
        value,
        observed_on: '2026-01-31',
      })
      const [row] = await world.service.sql(
        `select ${foldedObservationSql('o')} as folded from business_observations o where o.id = $1`,
        [data.observation_id],
      )
      assert.equal(row?.folded, value.value_type === 'text' ? foldText(value.value) : null)
    }
  })
})
