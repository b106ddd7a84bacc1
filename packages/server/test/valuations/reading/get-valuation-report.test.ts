import assert from 'node:assert/strict'
import { createHash, randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { addBusiness } from '../../harness/businesses.ts'
import { refused } from '../../harness/refused.ts'
import { bakery } from '../valuation-document.ts'
import { makeValuationWorld, type Valuation, type ValuationWorld } from '../valuation-fixture.ts'

let world: ValuationWorld
let valuation: Valuation
before(async () => {
  world = await makeValuationWorld()
  valuation = await world.completed({ engagement_type: 'calculation' })
})
after(() => world.close())
const member = () => world.client('member')

const types = { md: 'text/markdown; charset=utf-8', html: 'text/html; charset=utf-8' } as const

describe('the report of a valuation over HTTP', () => {
  it('is data by default, and as json', async () => {
    const { valuation_id } = valuation
    const { data } = await member().getValuationReport({ valuation_id })
    assert.equal(data.valuation_id, valuation_id)
    assert.deepEqual([data.title, data.is_signed], ['Calculation of value: Corner Bakery', false])
    assert.deepEqual(data.conclusion, valuation.conclusion)
    assert.equal(data.sections.length, 14)
    const again = await member().getValuationReport({ valuation_id, format: 'json' })
    assert.deepEqual(again.data, data)
  })

  for (const format of ['md', 'html'] as const)
    it(`is content to save as ${format}, with its name, type, digest and headers under which nothing runs`, async () => {
      const response = await member().getValuationReport({ valuation_id: valuation.valuation_id, format })
      const text = await response.text()
      const sha256 = createHash('sha256').update(text).digest()
      const name = `Corner%20Bakery%20-%20valuation%202026-06-30.${format}`
      const expected = {
        'content-type': types[format],
        'content-length': String(Buffer.byteLength(text)),
        'content-disposition': `attachment; filename="${decodeURIComponent(name)}"; filename*=UTF-8''${name}`,
        'content-security-policy': "default-src 'none'; frame-ancestors 'none'; sandbox",
        'x-content-type-options': 'nosniff',
        'cache-control': 'private, no-store',
        'repr-digest': `sha-256=:${sha256.toString('base64')}:`,
        etag: `"${sha256.toString('hex')}"`,
      }
      for (const [header, value] of Object.entries(expected))
        assert.equal(response.headers.get(header), value)
      assert.match(text, format === 'md' ? /^# Calculation of value: Corner Bakery\n/ : /^<!doctype html>\n/)
    })

  it('is the same bytes each time, so a client that has them gets 304, and a range is a part of them', async () => {
    const { valuation_id } = valuation
    const whole = await member().getValuationReport({ valuation_id, format: 'html' })
    const text = Buffer.from(await whole.arrayBuffer())
    const ask = (headers: Record<string, string>) =>
      fetch(`${world.service.base_url}/v1/valuations/${valuation_id}/report?format=html`, {
        headers: {
          authorization: `Bearer ${world.people.member.token}`,
          'svc-workspace-id': world.workspace_id,
          ...headers,
        },
      })
    const known = await ask({ 'if-none-match': String(whole.headers.get('etag')) })
    assert.equal(known.status, 304)
    await known.body?.cancel()
    const part = await ask({ range: 'bytes=100-199' })
    assert.equal(part.status, 206)
    assert.deepEqual(Buffer.from(await part.arrayBuffer()), text.subarray(100, 200))
    const beyond = await ask({ range: `bytes=${text.length}-` })
    assert.equal(beyond.status, 416)
    await beyond.body?.cancel()
  })

  it('is refused in a form that does not exist', async () => {
    const { errors } = await refused(
      member().getValuationReport({ valuation_id: valuation.valuation_id, format: 'pdf' as 'md' }),
      'validation_error',
    )
    assert.deepEqual(
      errors.map(one => [one.in, one.pointer]),
      [['query', '/format']],
    )
  })

  it('carries the signature once a person has signed the valuation', async () => {
    const { valuation_id } = await world.completed({ engagement_type: 'calculation' })
    await member().signValuation({
      valuation_id,
      expected_revision: 1,
      statement: 'I have no interest in the subject.',
      qualifications: 'Accredited <b>Senior</b> Appraiser.',
    })
    const { data } = await member().getValuationReport({ valuation_id })
    assert.equal(data.is_signed, true)
    assert.match(data.notice, /^Signed by /)
    const html = await (await member().getValuationReport({ valuation_id, format: 'html' })).text()
    assert.match(html, /I have no interest in the subject\./)
    assert.match(html, /Accredited &#60;b&#62;Senior/)
  })

  it('names the Business of the subject, as long as the reader can see it', async () => {
    const business_id = await addBusiness(world.service, {
      name: 'Harbor Bakery',
      publication_status: 'draft',
    })
    await world.service.link(world.workspace_id, business_id, world.people.owner)
    const { valuation_id } = await world.completed({ subject: { type: 'business', id: business_id } })
    const titleNow = async () => (await member().getValuationReport({ valuation_id })).data.title
    assert.equal(await titleNow(), 'Calculation of value: Harbor Bakery')
    await world.service.sql('update workspace_businesses set removed_at = now() where business_id = $1', [
      business_id,
    ])
    assert.equal(await titleNow(), 'Calculation of value: The business')
  })

  it('says which valuation replaces it', async () => {
    const { valuation_id } = await world.completed()
    const { data: later } = await member().reviseValuation({ valuation_id, expected_revision: 1 })
    const { data } = await member().getValuationReport({ valuation_id })
    assert.ok(JSON.stringify(data.sections[0]).includes(later.valuation_id))
  })
})

describe('reading what a valuation has only once it is completed', () => {
  const readings = {
    explainValuation: (id: string) => member().explainValuation({ valuation_id: id }),
    getValuationSensitivity: (id: string) => member().getValuationSensitivity({ valuation_id: id }),
    getValuationReport: (id: string) => member().getValuationReport({ valuation_id: id }),
    'getValuationReport as html': (id: string) =>
      member().getValuationReport({ valuation_id: id, format: 'html' }),
    compareValuations: (id: string) =>
      member().compareValuations({ valuation_id: id, with: valuation.valuation_id }),
    'compareValuations as the other': (id: string) =>
      member().compareValuations({ valuation_id: valuation.valuation_id, with: id }),
  }
  for (const [name, readIt] of Object.entries(readings))
    it(`is refused for a draft, for an absent one and for one of another Workspace: ${name}`, async () => {
      const { valuation_id: draft } = await world.draft()
      const { current_status } = await refused(readIt(draft), 'state_conflict')
      assert.equal(current_status, 'draft')
      const absent = `val_${randomUUID().replaceAll('-', '')}`
      const stranger = world.service.person('Sam')
      const elsewhere = await world.service.workspace('Elsewhere', stranger)
      const theirs = world.service.client({ access_token: stranger.token, workspace_id: elsewhere })
      const { data: hidden } = await theirs.createValuation(bakery({ run: true }))
      const [none, other] = [
        await refused(readIt(absent), 'not_found'),
        await refused(readIt(hidden.valuation_id), 'not_found'),
      ]
      assert.equal(none.detail, other.detail)
    })

  it('is refused to guests of a Room, and to a key without valuations:read', async () => {
    const { valuation_id } = valuation
    const key = await world.withKey(['businesses:read'])
    await refused(key.explainValuation({ valuation_id }), 'forbidden')
    await refused(key.getValuationReport({ valuation_id, format: 'html' }), 'forbidden')
    const reading = await world.withKey(['valuations:read'])
    assert.equal((await reading.getValuationReport({ valuation_id })).data.valuation_id, valuation_id)
    const outsider = world.service.person('Otto')
    const client = world.service.client({ access_token: outsider.token, workspace_id: world.workspace_id })
    await refused(client.getValuationReport({ valuation_id, format: 'md' }), 'forbidden')
  })
})
