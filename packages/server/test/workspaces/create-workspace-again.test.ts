import assert from 'node:assert/strict'
import { randomUUID } from 'node:crypto'
import { after, before, describe, it } from 'node:test'
import { startTestService, type Person, type TestService } from '../harness/service.ts'

describe('POST /v1/workspaces with a key that was used', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  const post = (person: Person, idempotency_key: string, body: string) =>
    service.request('/v1/workspaces', {
      method: 'POST',
      body,
      token: person.token,
      headers: { 'content-type': 'application/json', 'idempotency-key': idempotency_key },
    })
  const create = (person: Person, idempotency_key: string, name: string) =>
    post(person, idempotency_key, JSON.stringify({ name }))
  const workspacesOf = async (person: Person) => (await person.client.listWorkspaces()).data.length

  it('replays the first Workspace and status, and names the first request', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    const first = await create(olivia, key, 'Once')
    const again = await create(olivia, key, 'Once')
    assert.equal(again.status, 201)
    assert.equal(again.headers.get('idempotent-replayed'), 'true')
    assert.equal(again.headers.get('svc-request-id'), again.body.request_id)
    assert.notEqual(again.body.request_id, first.body.request_id)
    assert.deepEqual(again.body, {
      ...first.body,
      request_id: again.body.request_id,
      original_request_id: first.body.request_id,
      idempotent_replay: true,
    })
    assert.equal(await workspacesOf(olivia), 1)
  })

  it('answers 16 duplicates at once with one and the same Workspace', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    const answers = await Promise.all(
      Array.from({ length: 16 }, () =>
        olivia.client.createWorkspace({ name: 'Once' }, { idempotency_key: key }),
      ),
    )
    assert.equal(new Set(answers.map(answer => answer.workspace.id)).size, 1)
    assert.equal(answers.filter(answer => !answer.idempotent_replay).length, 1)
    assert.equal(new Set(answers.map(answer => answer.original_request_id)).size, 1)
    assert.equal(new Set(answers.map(answer => answer.request_id)).size, 16)
    const [counts] = await service.sql(
      `select (select count(*)::int from memberships where user_id = $1) as memberships,
              (select count(*)::int from receipts where actor ->> 'user_id' = $1::text) as receipts,
              (select count(*)::int from events where actor ->> 'user_id' = $1::text) as events`,
      [olivia.user_id],
    )
    assert.deepEqual(counts, { memberships: 1, receipts: 1, events: 1 })
  })

  it('treats another encoding of the same name as the same request', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    const first = await post(olivia, key, '{"name":"Caf\u00e9"}')
    for (const body of [
      '{ "name" : "Caf\\u00e9" }\n',
      '{"name":"  Caf\u00e9 \\t"}',
      '{"\\u006eame":"Caf\u00e9"}',
    ]) {
      const again = await post(olivia, key, body)
      assert.equal(again.status, 201, body)
      assert.equal(again.body.workspace.id, first.body.workspace.id)
    }
    assert.equal(
      (await post(olivia, key, '{"name":"Cafe\u0301"}')).status,
      422,
      'but not other characters that look the same',
    )
    assert.equal((await post(olivia, key, '{"name":"caf\u00e9"}')).status, 422, 'nor another case')
  })

  it('refuses another name, and names the request that used the key', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    const first = await create(olivia, key, 'One')
    const { status, body, headers } = await create(olivia, key, 'Another')
    assert.equal(status, 422)
    assert.equal(body.code, 'idempotency_key_reused')
    assert.equal(body.original_request_id, first.body.request_id)
    assert.equal(body.retryable, false)
    assert.equal(headers.get('idempotent-replayed'), null)
    assert.doesNotMatch(JSON.stringify(body), /One|Another/)
    assert.equal(await workspacesOf(olivia), 1)
    assert.equal(
      (await create(olivia, key, 'One')).body.workspace.id,
      first.body.workspace.id,
      'and the key stays what it was',
    )
  })

  it('stores the key without an end', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    const first = await create(olivia, key, 'Old')
    const aged = await service.sql(
      `update commands set created_at = created_at - interval '20 years', expires_at = expires_at - interval '20 years'
       where idempotency_key = $1 returning expires_at`,
      [key],
    )
    assert.deepEqual(aged, [{ expires_at: null }])
    const again = await create(olivia, key, 'Old')
    assert.equal(again.body.workspace.id, first.body.workspace.id)
    assert.equal(again.body.idempotent_replay, true)
    assert.equal((await create(olivia, key, 'New')).status, 422)
  })

  it('stores keys separately for each person', async () => {
    const [olivia, peter] = [service.person('Olivia'), service.person('Peter')]
    const key = randomUUID()
    const hers = await create(olivia, key, 'Ours')
    const his = await create(peter, key, 'Ours')
    assert.equal(his.status, 201)
    assert.equal(his.body.idempotent_replay, false)
    assert.notEqual(his.body.workspace.id, hers.body.workspace.id)
    assert.equal((await create(peter, key, 'Another')).body.original_request_id, his.body.request_id)
  })

  it('recognizes the same person with a newer token', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    const first = await create(olivia, key, 'Once')
    const token = service.issuer.sign({
      ...service.issuer.claims(),
      sub: olivia.subject,
      jti: 'newer',
      email: 'new@example.com',
    })
    const again = await create({ ...olivia, token }, key, 'Once')
    assert.equal(again.body.workspace.id, first.body.workspace.id)
  })

  it('replays the first answer although the Workspace has changed since', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    const first = await create(olivia, key, 'Before')
    await service.sql(`update workspaces set name = 'After', revision = 2 where id = $1`, [
      first.body.workspace.id,
    ])
    assert.deepEqual((await create(olivia, key, 'Before')).body.workspace, first.body.workspace)
  })

  it('does not replay to a caller who has lost their standing', async () => {
    for (const loss of [
      `update memberships set status = 'removed' where workspace_id = $1`,
      `update workspaces set status = 'closed' where id = $1`,
    ]) {
      const olivia = service.person('Olivia')
      const key = randomUUID()
      const first = await create(olivia, key, 'Lost')
      await service.sql(loss, [first.body.workspace.id])
      const { status, text } = await create(olivia, key, 'Lost')
      assert.equal(status, 403, loss)
      assert.equal(text.includes(first.body.workspace.id), false)
      assert.equal(text.includes('Lost'), false)
    }
  })

  it('can be used again after a refused request', async () => {
    const olivia = service.person('Olivia')
    const key = randomUUID()
    assert.equal((await create(olivia, key, '')).status, 400)
    assert.equal(
      (await create(service.person('Anonymous', { is_anonymous: true }), key, 'Refused')).status,
      403,
    )
    const { status, body } = await create(olivia, key, 'Accepted')
    assert.equal(status, 201)
    assert.equal(body.idempotent_replay, false)
  })
})

describe('an Idempotency-Key', () => {
  let service: TestService
  let olivia: Person
  before(async () => {
    service = await startTestService()
    olivia = service.person('Olivia')
  })
  after(() => service.close())

  const create = (headers: Record<string, string>) =>
    service.request('/v1/workspaces', {
      method: 'POST',
      body: JSON.stringify({ name: 'Keyed' }),
      token: olivia.token,
      headers: { 'content-type': 'application/json', ...headers },
    })

  it('has 8 to 200 visible characters of ASCII', async () => {
    for (const key of ['a'.repeat(8), 'a'.repeat(200), '!"#$%&\'()*+,-./:;<=>?@[\\]^_`{|}~', '00000000'])
      assert.equal((await create({ 'idempotency-key': key })).status, 201, key)
  })

  const refused: [title: string, headers: Record<string, string>, code: string][] = [
    ['none', {}, 'required'],
    ['7 characters', { 'idempotency-key': 'a'.repeat(7) }, 'too_short'],
    ['an empty one', { 'idempotency-key': '' }, 'too_short'],
    ['201 characters', { 'idempotency-key': 'a'.repeat(201) }, 'too_long'],
    ['a space inside', { 'idempotency-key': 'with a space' }, 'format'],
    ['a letter beyond ASCII', { 'idempotency-key': 'k\u00e9y-of-mine' }, 'format'],
  ]
  for (const [title, headers, code] of refused)
    it(`is refused with ${title}`, async () => {
      const { status, body } = await create(headers)
      assert.equal(status, 400)
      assert.deepEqual(
        body.errors.map((error: { in: string; pointer: string; code: string }) => [
          error.in,
          error.pointer,
          error.code,
        ]),
        [['header', '/Idempotency-Key', code]],
      )
    })
})
