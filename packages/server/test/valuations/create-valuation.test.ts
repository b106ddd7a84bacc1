import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import { addBusiness } from '../harness/businesses.ts'
import { refused } from '../harness/refused.ts'
import { bakery, unfinished, withLoss, type NewValuation } from './valuation-document.ts'
import { makeValuationWorld, type ValuationWorld } from './valuation-fixture.ts'

let world: ValuationWorld
before(async () => {
  world = await makeValuationWorld()
})
after(() => world.close())
const member = () => world.client('member')

/** How many valuations there are, and what was written about them. */
async function traces() {
  const [counts] = await world.service.sql(
    `select (select count(*)::integer from valuations) as valuations, (select count(*)::integer from receipts) as receipts,
       (select count(*)::integer from events) as events`,
  )
  return counts
}

describe('creating a valuation without running it', () => {
  it('answers 201 with the draft as it is read afterwards, and a receipt', async () => {
    const document = unfinished()
    const { data, receipt, idempotent_replay } = await member().createValuation(document)
    assert.match(data.valuation_id, /^val_[0-9a-f]{32}$/)
    assert.deepEqual([data.status, data.revision, idempotent_replay], ['draft', 1, false])
    assert.deepEqual([data.inputs, data.methods, data.weights], [document.inputs, [], null])
    assert.deepEqual(data.subject, { type: 'business', id: null, name: 'Corner Bakery' })
    assert.deepEqual(
      [data.result, data.conclusion, data.completed_at, data.signature, data.is_signed],
      [null, null, null, null, false],
    )
    assert.deepEqual(data.created_by, { type: 'user', id: world.people.member.user_id })
    assert.equal(data.workspace_id, world.workspace_id)
    assert.ok(receipt)
    assert.deepEqual(receipt.resource, { type: 'valuation', id: data.valuation_id })
    const { data: found } = await member().getValuation({ valuation_id: data.valuation_id })
    assert.deepEqual(found, data)
    const history = await world.historyOf(data.valuation_id)
    assert.deepEqual(
      history.map(({ type, feed, room_id }) => [type, feed, room_id]),
      [['valuation.created', 'audit', null]],
    )
  })

  it('belongs to the Business that is its subject, unless business_id says otherwise', async () => {
    const id = await world.business()
    const subject = { type: 'business' as const, id }
    const businessOf = async (about: Partial<NewValuation>) => (await world.draft(about)).business_id
    assert.equal(await businessOf({ subject }), id)
    assert.equal(await businessOf({ subject, business_id: id }), id)
    assert.equal(await businessOf({ subject, business_id: null }), null)
    assert.equal(await businessOf({ business_id: id }), id)
    assert.equal(await businessOf({}), null)
  })

  it('keeps hostile text as it was sent', async () => {
    const name = `<script>alert('1')</script> "; drop table valuations; -- \u202e\u{1f4a3} %s \\u0000`
    const { subject, inputs } = await world.draft({
      subject: { type: 'business', name },
      inputs: { ...bakery().inputs, events: [{ on: '2026-01-31', text: name }] },
    })
    assert.equal(subject.name, name)
    assert.deepEqual((inputs as { events: unknown }).events, [{ on: '2026-01-31', text: name }])
  })
})

describe('a valuation that is run at once', () => {
  it('answers 201 with the result as it is read afterwards', async () => {
    const { data } = await member().createValuation(bakery({ run: true }))
    assert.deepEqual([data.status, data.revision, data.missing_evidence], ['completed', 1, []])
    assert.ok(data.result && data.completed_at)
    assert.deepEqual(data.result.conclusion, data.conclusion)
    const { data: found } = await member().getValuation({ valuation_id: data.valuation_id })
    assert.deepEqual(found, data)
    const history = await world.historyOf(data.valuation_id)
    assert.deepEqual(
      history.map(({ type, feed, room_id }) => [type, feed, room_id]),
      [
        ['valuation.created', 'audit', null],
        ['valuation.completed', 'audit', null],
      ],
    )
  })

  it('gives the same result for the same document, byte for byte, whatever the order of its keys', async () => {
    const stored = async (document: NewValuation) => {
      const { data } = await member().createValuation({ ...document, run: true })
      const [row] = await world.service.sql<{ result: string; calculation: string }>(
        'select result::text, calculation::text from valuation_results where valuation_id = $1',
        [data.valuation_id],
      )
      return row
    }
    const turned = (value: unknown): unknown =>
      typeof value !== 'object' || value === null || Array.isArray(value)
        ? value
        : Object.fromEntries(
            Object.entries(value)
              .toReversed()
              .map(([key, one]) => [key, turned(one)]),
          )
    const first = await stored(bakery())
    assert.deepEqual(await stored(bakery()), first)
    assert.deepEqual(await stored(turned(bakery()) as NewValuation), first)
  })

  it('has the answer of the first request in a replay, although the valuation has changed since', async () => {
    const key = { idempotency_key: randomUUID() }
    const first = await member().createValuation(bakery({ run: true }), key)
    const { valuation_id } = first.data
    await member().reviseValuation({ valuation_id, expected_revision: 1 })
    const again = await member().createValuation(bakery({ run: true }), key)
    assert.deepEqual([again.data, again.idempotent_replay], [first.data, true])
    assert.deepEqual(again.receipt, first.receipt)
  })

  it('makes nothing if evidence is missing, or if there is no conclusion', async () => {
    const before = await traces()
    const formal = bakery({ purpose: 'gift_estate_tax', run: true })
    const { missing_evidence } = await refused(member().createValuation(formal), 'evidence_required')
    assert.ok(missing_evidence.length > 0)
    for (const { code, pointer, detail, accepted } of missing_evidence)
      assert.ok(code && pointer.startsWith('/') && detail && accepted.length > 0, code)
    await refused(member().createValuation(withLoss({ run: true })), 'unprocessable_content')
    assert.deepEqual(await traces(), before)
  })
})

describe('a document with a fault', () => {
  const wrong = async (document: object, pointers: string[]) => {
    const { errors } = await refused(
      member().createValuation({ ...unfinished(), ...document }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => one.pointer),
      pointers,
    )
    return errors
  }

  it('of its form is refused with the pointer of each, also within a method', async () => {
    const [unknown] = await wrong({ methods: [{ method: 'sde_multiples' }] }, ['/methods/0/method'])
    assert.deepEqual([unknown?.code, unknown?.suggestion], ['unknown', 'sde_multiple'])
    const [absent] = await wrong({ methods: [{ multiple: '2' }] }, ['/methods/0/method'])
    assert.equal(absent?.code, 'required')
    await wrong({ methods: [5] }, ['/methods/0'])
    await wrong({ methods: [{ method: 'sde_multiple', multiple: 2 }] }, ['/methods/0/multiple'])
    await wrong({ methods: [{ method: 'sde_multiple', growth: '0.1' }] }, ['/methods/0/growth'])
    await wrong({ inputs: { discounts: { dlom: { model: 'longstaff' } } } }, ['/inputs/discounts/dlom/model'])
    await wrong({ interest: { percent: '101', kind: 'equity' } }, ['/interest/percent'])
    await wrong({ valuation_date: '2026-02-30' }, ['/valuation_date'])
    await wrong({ subject: { type: 'business', id: 'biz_1' } }, ['/subject/id'])
    await wrong({ currency: 'usd' }, ['/currency'])
  })

  it('such as a percentage for a fraction is refused with what a fraction is', async () => {
    const dated = { source: 'Survey', as_of: '2025-12-31' }
    const build_up = { model: 'build_up', risk_free: '4.5', equity_risk_premium: '0.055', size_premium: '-5' }
    const errors = await wrong(
      {
        inputs: {
          cost_of_capital: { equity: build_up, debt: { pre_tax: '9', tax_rate: '0.25' } },
          discounts: {
            dloc: { control_premium: '25', ...dated },
            dlom: { model: 'finnerty', volatility: '60', years: '2', dividend_yield: '2' },
          },
        },
        methods: [
          {
            method: 'capitalized_cash_flow',
            cash_flow: '67',
            cash_flow_is: 'next_year',
            discount_rate: '20',
            growth: '3',
          },
          {
            method: 'discounted_cash_flow',
            cash_flows: ['100'],
            discount_rate: '1.01',
            terminal: { kind: 'gordon', growth: '3' },
          },
          {
            method: 'excess_earnings',
            earnings: '100000',
            net_tangible_assets: '400000',
            tangible_return: '10',
            intangible_rate: '20',
          },
        ],
      },
      [
        '/inputs/cost_of_capital/equity/risk_free',
        '/inputs/cost_of_capital/equity/size_premium',
        '/inputs/cost_of_capital/debt/pre_tax',
        '/inputs/discounts/dloc/control_premium',
        '/inputs/discounts/dlom/volatility',
        '/inputs/discounts/dlom/dividend_yield',
        '/methods/0/discount_rate',
        '/methods/0/growth',
        '/methods/1/discount_rate',
        '/methods/1/terminal/growth',
        '/methods/2/tangible_return',
        '/methods/2/intangible_rate',
      ],
    )
    for (const { detail } of errors) assert.match(detail, / is \d+ percent/)
  })

  it('of its content is refused with the pointer, whether or not it is run', async () => {
    for (const run of [false, true]) {
      await wrong({ ...bakery({ weights: { sde_multiple: '0.7', revenue_multiple: '0.4' } }), run }, [
        '/weights',
      ])
      const flow = { method: 'capitalized_cash_flow', cash_flow: '67', cash_flow_is: 'next_year' }
      const methods = [{ ...flow, discount_rate: '0.03', growth: '0.03' }]
      await wrong({ methods, run }, ['/methods/0/growth'])
    }
  })
})

describe('what a document names', () => {
  it('is not found if it is absent, another Workspace’s or hidden, and then nothing is made', async () => {
    const { service, people, workspace_id } = world
    const secret = await addBusiness(service, { name: 'Secret', publication_status: 'draft' })
    const before = await traces()
    const details = new Set<string>()
    const hides = async (document: Partial<NewValuation>) => {
      const problem = await refused(member().createValuation(bakery(document)), 'not_found')
      details.add(problem.detail)
    }
    for (const id of [newId('biz'), secret]) {
      await hides({ business_id: id })
      await hides({ subject: { type: 'business', id } })
      await hides({ subject: { type: 'business', id }, business_id: null, run: true })
    }
    assert.equal(details.size, 1)
    assert.deepEqual(await traces(), before)
    await service.link(workspace_id, secret, people.owner)
    assert.equal((await world.draft({ business_id: secret })).business_id, secret)
    const key = await world.withKey(['valuations:run', 'valuations:read'])
    await refused(key.createValuation(bakery({ business_id: secret })), 'not_found')
  })
})

describe('who creates and reads valuations', () => {
  it('is who has the permissions in the Workspace; guests of its Rooms have none', async () => {
    const { valuation_id } = await world.draft()
    await refused(world.client('viewer').createValuation(bakery()), 'forbidden')
    assert.equal((await world.client('viewer').getValuation({ valuation_id })).data.status, 'draft')
    const room_id = await world.room()
    await world.invite(room_id, world.people.guest, 'full_access')
    for (const call of [
      () => world.client('guest').createValuation(bakery()),
      () => world.client('guest').getValuation({ valuation_id }),
      () => world.client('guest').listValuations({}),
    ])
      await refused(call(), 'forbidden')
    const reads = await world.withKey(['valuations:read'])
    assert.equal((await reads.getValuation({ valuation_id })).data.valuation_id, valuation_id)
    await refused(reads.createValuation(bakery()), 'forbidden')
  })

  it('is not who may only run them: they get the answer, but cannot read it again', async () => {
    const runs = await world.withKey(['valuations:run'])
    const key = { idempotency_key: randomUUID() }
    const { data } = await runs.createValuation(bakery(), key)
    const named = { valuation_id: data.valuation_id, expected_revision: 1 }
    await refused(runs.getValuation({ valuation_id: data.valuation_id }), 'forbidden')
    await refused(runs.runValuation(named), 'not_found')
    await refused(runs.createValuation(bakery(), key), 'not_found')
  })

  it('answers alike for a valuation that is absent and one of another Workspace', async () => {
    const { service, people } = world
    const elsewhere = await service.workspace('Elsewhere', people.member)
    const there = service.client({ access_token: people.member.token, workspace_id: elsewhere })
    const { valuation_id } = (await there.createValuation(bakery({ run: true }))).data
    const absent = `val_${randomUUID().replaceAll('-', '')}`
    const details = new Set<string>()
    for (const id of [valuation_id, absent]) {
      const named = { valuation_id: id, expected_revision: 1 }
      const file_id = newId('fil')
      for (const call of [
        () => member().getValuation({ valuation_id: id }),
        () => member().updateValuation({ ...named, purpose: 'planning' }),
        () => member().runValuation(named),
        () => member().reviseValuation(named),
        () => member().signValuation({ ...named, statement: 'Right.', qualifications: 'ASA.' }),
        () => member().listValuationEvidence({ valuation_id: id }),
        () =>
          member().addValuationEvidence({
            valuation_id: id,
            code: 'returns',
            file_id,
            dated_on: '2026-01-31',
          }),
      ])
        details.add((await refused(call(), 'not_found')).detail)
    }
    assert.equal(details.size, 1)
  })
})
