import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../../harness/refused.ts'
import { assertProblem } from '../../http/problem-check.ts'
import { lines, sendRaw } from '../../http/raw-socket.ts'
import { makeVisitorWorld, withoutIds, type Made, type VisitorWorld } from './visitor-fixture.ts'

let world: VisitorWorld
before(async () => {
  world = await makeVisitorWorld()
})
after(() => world.close())

const absent = `val_${'0'.repeat(32)}`
const wrongToken = `clm_${'A'.repeat(43)}`

const get = (valuation_id: string, headers: Record<string, string> = {}, suffix = '') =>
  world.service.request(`/v1/valuations/${valuation_id}${suffix}`, { headers })
const withToken = ({ valuation_id, claim_token }: Made, suffix = '') =>
  get(valuation_id, { 'svc-claim-token': claim_token }, suffix)

describe('reading a valuation without an account', () => {
  it('answers the valuation to whoever has its token, with or without an anonymous access token', async () => {
    const made = await world.made()
    const answer = await withToken(made)
    assert.equal(answer.status, 200, answer.text)
    assert.equal(answer.body.data.valuation_id, made.valuation_id)
    assert.equal(answer.headers.get('etag'), '"r1"')
    assert.equal(answer.headers.get('cache-control'), 'private, no-store')
    assert.ok(!answer.text.includes(made.claim_token))
    const guest = world.service.person('Guest', { is_anonymous: true })
    const again = await get(made.valuation_id, {
      authorization: `Bearer ${guest.token}`,
      'svc-claim-token': made.claim_token,
    })
    assert.deepEqual(again.body.data, answer.body.data)
    const unchanged = await get(made.valuation_id, {
      'svc-claim-token': made.claim_token,
      'if-none-match': '"r1"',
    })
    assert.equal(unchanged.status, 304)
  })

  it('answers the same 404 for a wrong token, none, that of another valuation, and no such valuation', async () => {
    const [made, other] = await Promise.all([world.made(), world.made()])
    const { claim } = await world.claimer()
    const claimed = await world.made()
    await claim(claimed)
    const expired = await world.made()
    await world.expire(expired.valuation_id)
    const answers = await Promise.all([
      get(absent),
      get(absent, { 'svc-claim-token': wrongToken }),
      get(absent, { 'svc-claim-token': made.claim_token }),
      get(made.valuation_id),
      get(made.valuation_id, { 'svc-claim-token': '' }),
      get(made.valuation_id, { 'svc-claim-token': wrongToken }),
      get(made.valuation_id, { 'svc-claim-token': other.claim_token }),
      get(made.valuation_id, { 'svc-claim-token': made.claim_token.toLowerCase() }),
      get(made.valuation_id, { 'svc-claim-token': `${made.claim_token}x` }),
      get(made.valuation_id, { 'svc-claim-token': 'x'.repeat(7000) }),
      get(expired.valuation_id, { 'svc-claim-token': wrongToken }),
      withToken(claimed),
    ])
    for (const answer of answers) {
      assertProblem(answer, 'not_found')
      assert.deepEqual(withoutIds(answer), withoutIds(answers[0]))
    }
  })

  it('is 410 after 30 days for whoever has the token', async () => {
    const made = await world.made()
    await world.expire(made.valuation_id)
    assertProblem(await withToken(made), 'gone')
    await world.expire(made.valuation_id, 29)
    assertProblem(await withToken(made), 'gone')
  })

  it('asks those who have an account for a Workspace, in which the token opens nothing', async () => {
    const made = await world.made()
    const { owner, workspace_id } = await world.claimer()
    const { secret } = await world.service.apiKey(workspace_id, owner, ['valuations:read'])
    for (const headers of [{ authorization: `Bearer ${owner.token}` }, { 'x-svc-api-key': secret }]) {
      const token = { 'svc-claim-token': made.claim_token }
      const { errors } = assertProblem(
        await get(made.valuation_id, { ...headers, ...token }),
        'validation_error',
      )
      assert.deepEqual(
        errors?.map(one => one.pointer),
        ['/SVC-Workspace-Id'],
      )
      const inWorkspace = { ...headers, ...token, 'svc-workspace-id': workspace_id }
      const answer = await get(made.valuation_id, inWorkspace)
      assertProblem(answer, 'not_found')
      assert.deepEqual(withoutIds(answer), withoutIds(await get(absent, inWorkspace)))
    }
  })

  it('is for the header alone: a token in the query string is refused and not told back', async () => {
    const made = await world.made()
    for (const name of ['claim_token', 'SVC-Claim-Token', 'token']) {
      const answer = await get(made.valuation_id, {}, `?${name}=${made.claim_token}`)
      const { detail, errors } = assertProblem(answer, 'validation_error')
      assert.ok(!JSON.stringify([detail, errors]).includes(made.claim_token))
    }
  })

  it('refuses a repeated header, and characters that no token has', async () => {
    const { valuation_id, claim_token } = await world.made()
    const raw = (...headers: string[]) =>
      sendRaw(
        world.service.base_url,
        lines(`GET /v1/valuations/${valuation_id} HTTP/1.1`, 'Host: here', ...headers),
      )
    const repeated = await raw(`SVC-Claim-Token: ${claim_token}`, `SVC-Claim-Token: ${wrongToken}`)
    assertProblem(repeated, 'validation_error')
    assert.ok(!repeated.body.includes('clm_'))
    for (const strange of [`${claim_token}\u0001`, `${claim_token}\u0000`, `${claim_token}\u007f`])
      assert.ok([400, 404].includes((await raw(`SVC-Claim-Token: ${strange}`)).status))
    assertProblem(await raw(`SVC-Claim-Token: ${claim_token}é`), 'not_found')
    // White space around a value does not belong to it (RFC 9110, 5.5).
    assert.equal((await raw(`SVC-Claim-Token:   ${claim_token}  `)).status, 200)
  })

  it('is all that a token can do: changes and lists need an account', async () => {
    const made = await world.made()
    const { anonymous } = world.service
    const { valuation_id } = made
    const { business_id } = await world.claimer()
    for (const attempt of [
      () => anonymous.listValuations({}),
      () => anonymous.updateValuation({ valuation_id, expected_revision: 1, currency: 'EUR' }),
      () => anonymous.runValuation({ valuation_id, expected_revision: 1 }),
      () => anonymous.claimValuation({ ...made, business_id }),
    ])
      await refused(attempt(), 'unauthenticated')
  })
})
