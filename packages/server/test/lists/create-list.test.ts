import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { refused } from '../harness/refused.ts'
import { definitionOf, makeListWorld, where, type ListWorld } from './list-fixture.ts'
import { listRequest } from './list-request.ts'

let world: ListWorld
before(async () => void (world = await makeListWorld()))
after(() => world.close())
const member = () => world.as(world.people.member)
const all = { kind: 'all' }
const not = (rule: object) => ({ kind: 'not', rule })
const either = (...rules: object[]) => ({ kind: 'or', rules })

/** A rule with this many levels: its leaf is one of them. */
const nested = (levels: number): object => (levels === 1 ? all : not(nested(levels - 1)))
/** A body whose rule has this many levels. `opening` opens each of them but the leaf. */
const bodyNested = (levels: number, opening = '{"kind":"not","rule":') =>
  `{"name":"Deep","definition":{"schema_version":"svc.list.v1","subject_type":"business","rule":${opening.repeat(levels - 1)}{"kind":"all"}${'}'.repeat(levels - 1)}}}`

describe('POST /v1/lists', () => {
  it('answers 201 with the List, its columns in their order, a receipt and the version as ETag', async () => {
    const rule = either(where('state', 'in', ['OH', 'IN']), not(where('founded_on', 'before', '2005-01-01')))
    const columns = [
      { name: 'Owner age', value_type: 'number' },
      { name: 'Called on', value_type: 'date' },
    ]
    const input = {
      name: ' HVAC ',
      description: 'In Ohio\nand Indiana',
      definition: definitionOf(rule),
      columns,
    }
    const { status, headers, body } = await listRequest(world, 'POST', '', { body: JSON.stringify(input) })
    assert.deepEqual([status, headers.get('etag')], [201, '"v1"'])
    const { data, action_receipt, idempotent_replay } = body
    const { id, created_at, columns: made, ...rest } = data
    assert.match(id, /^list_[0-9A-HJKMNP-TV-Z]{26}$/)
    assert.deepEqual(rest, {
      workspace_id: world.workspace_id,
      name: 'HVAC',
      description: 'In Ohio\nand Indiana',
      definition: definitionOf(rule),
      version: 1,
      lifecycle_status: 'active',
      count: { status: 'unknown', value: null, as_of: null },
      updated_at: created_at,
      archived_at: null,
    })
    assert.deepEqual(
      made,
      columns.map((column, position) => ({ column_id: made[position].column_id, ...column, position })),
    )
    assert.equal(new Set(made.map((column: { column_id: string }) => column.column_id)).size, 2)
    assert.deepEqual([action_receipt.operation, idempotent_replay], ['create_list', false])
    assert.deepEqual(action_receipt.resource, { type: 'list', id })
    assert.deepEqual((await member().getList({ list_id: id })).data, data)
  })

  it('takes a List without a description and columns, and two Lists with one name', async () => {
    const input = { name: 'Same', definition: definitionOf({ kind: 'none' }) }
    const first = (await member().createList(input)).data
    const second = (await member().createList({ ...input, description: null, columns: [] })).data
    assert.notEqual(first.id, second.id)
    for (const { description, columns } of [first, second])
      assert.deepEqual([description, columns], [null, []])
  })

  it('stores a rule in its normal form: a NAICS code with its vintage, and null where there is no value', async () => {
    const { definition } = await world.list({
      kind: 'and',
      rules: [
        where('naics_code', 'naics', { code: '2382' }),
        { kind: 'field', field: 'city', operator: 'is_set' },
      ],
    })
    assert.deepEqual(definition.rule, {
      kind: 'and',
      rules: [where('naics_code', 'naics', { code: '2382', vintage: '2022' }), where('city', 'is_set', null)],
    })
  })

  it('takes a rule of 64 KiB, and none that is larger', async () => {
    const texts = Array.from({ length: 19 }, () => 'é'.repeat(1670))
    const ruleOf = (last: string) => where('name', 'in', [...texts, last])
    const rest = 64 * 1024 - Buffer.byteLength(JSON.stringify(ruleOf('')))
    const { id, version } = await world.list(ruleOf('x'.repeat(rest)))
    const definition = definitionOf(ruleOf('x'.repeat(rest + 1)))
    for (const call of [
      () => member().createList({ name: 'A', definition }),
      () => member().updateList({ list_id: id, expected_version: version, definition }),
      () => member().previewList({ definition }),
    ]) {
      const { errors } = await refused(call(), 'validation_error')
      assert.deepEqual(
        errors.map(error => [error.pointer, error.code]),
        [['/definition/rule', 'too_long']],
      )
    }
  })

  it('answers 400 for wrong input, with a pointer to it', async () => {
    const valid = { name: 'A', definition: definitionOf(all) }
    const column = { name: 'A', value_type: 'text' }
    for (const [input, pointer, code] of [
      [{ name: undefined }, '/name', 'required'],
      [{ name: ' ' }, '/name', 'too_short'],
      [{ name: 'x'.repeat(201) }, '/name', 'too_long'],
      [{ name: 'a\nb' }, '/name', 'format'],
      [{ description: '' }, '/description', 'too_short'],
      [{ description: 'x'.repeat(10_001) }, '/description', 'too_long'],
      [{ definition: undefined }, '/definition', 'required'],
      [{ definition: null }, '/definition', 'type'],
      [
        { definition: { ...valid.definition, schema_version: 'svc.list.v2' } },
        '/definition/schema_version',
        'unknown',
      ],
      [{ definition: { ...valid.definition, subject_type: 'room' } }, '/definition/subject_type', 'unknown'],
      [{ definition: { ...valid.definition, more: 1 } }, '/definition/more', 'unknown'],
      [{ definition: { ...valid.definition, rule: undefined } }, '/definition/rule', 'required'],
      [{ definition: { ...valid.definition, rule: [] } }, '/definition/rule', 'type'],
      [{ columns: null }, '/columns', 'type'],
      [{ columns: Array.from({ length: 101 }, () => column) }, '/columns', 'too_long'],
      [{ columns: [column, { ...column, value_type: 'money' }] }, '/columns/1/value_type', 'unknown'],
      [{ columns: [{ ...column, name: '' }] }, '/columns/0/name', 'too_short'],
      [{ columns: [{ ...column, position: 0 }] }, '/columns/0/position', 'unknown'],
      [{ lifecycle_status: 'archived' }, '/lifecycle_status', 'unknown'],
    ] as const) {
      const { errors } = await refused(
        member().createList({ ...valid, ...(input as object) }),
        'validation_error',
      )
      assert.deepEqual(
        errors.map(error => [error.pointer, error.code]),
        [[pointer, code]],
      )
    }
  })

  it('answers 400 for a wrong rule, with a pointer into it', async () => {
    const state = where('state', 'eq', 'OH')
    for (const [rule, ...expected] of [
      [{}, '/kind required'],
      [{ kind: 'xor', rules: [all] }, '/kind unknown'],
      [{ kind: 'all', rules: [] }, '/rules unknown'],
      [{ kind: 'and' }, '/rules required'],
      [{ kind: 'and', rules: [] }, '/rules too_short'],
      [{ kind: 'or', rules: Array.from({ length: 21 }, () => all) }, '/rules too_long'],
      [{ kind: 'not', rule: null }, '/rule type'],
      [where('stat', 'eq', 'OH'), '/field unknown'],
      [where('column_id', 'eq', 'OH'), '/field unknown'],
      [where('state', 'gt', 'OH'), '/operator unknown'],
      [where('founded_on', 'before', '2005-02-30'), '/value format'],
      [where('city', 'is_set', 'x'), '/value conflict'],
      [where('state', 'in', []), '/value too_short'],
      [
        either(state, not(where('state', 'eq', 5)), { kind: 'field' }),
        '/rules/1/rule/value type',
        '/rules/2/field required',
        '/rules/2/operator required',
      ],
    ] as const) {
      const { errors } = await refused(world.list(rule), 'validation_error')
      assert.deepEqual(
        errors.map(error => `${error.pointer.replace('/definition/rule', '')} ${error.code}`),
        expected,
      )
    }
  })

  it('takes a rule of 5 levels and 100 leaves, and refuses one more', async () => {
    await world.list(nested(5))
    const { errors } = await refused(world.list(nested(6)), 'validation_error')
    assert.deepEqual(
      errors.map(error => [error.pointer, error.code]),
      [[`/definition/rule${'/rule'.repeat(5)}`, 'out_of_range']],
    )
    const twenty = either(...Array.from({ length: 20 }, () => where('state', 'eq', 'OH')))
    await world.list(either(twenty, twenty, twenty, twenty, twenty))
    const more = await refused(
      world.list(either(twenty, twenty, twenty, twenty, twenty, all)),
      'validation_error',
    )
    assert.deepEqual(
      more.errors.map(error => [error.pointer, error.code]),
      [['/definition/rule', 'too_long']],
    )
  })

  it('answers 400 for a rule of any depth, and takes no longer for it than for a text of its size', async () => {
    const deepest = bodyNested(100_000, '{"rule":')
    const bodies = [6, 29, 30, 31, 32, 80_000].map(levels => bodyNested(levels))
    for (const body of [...bodies, deepest]) {
      const answer = await listRequest(world, 'POST', '', { body })
      assert.deepEqual([answer.status, answer.body.code], [400, 'validation_error'], `${body.length} bytes`)
      assert.match(answer.body.errors[0].detail, /levels/)
    }
    const text = JSON.stringify({ name: 'x'.repeat(deepest.length) })
    const timeOf = async (body: string) => {
      const start = performance.now()
      assert.equal((await listRequest(world, 'POST', '', { body })).status, 400)
      return performance.now() - start
    }
    const [plain, deep] = [await timeOf(text), await timeOf(deepest)]
    assert.ok(deep < 5 * plain + 1_000, `${deep} ms, and ${plain} ms for a text`)
  })

  it('stores nothing for U+0000 or an unpaired surrogate in a rule', async () => {
    for (const text of ['a\u0000b', '\ud800']) {
      const { errors } = await refused(world.list(where('city', 'eq', text)), 'validation_error')
      assert.deepEqual(
        errors.map(error => [error.pointer, error.code]),
        [['/definition/rule/value', 'format']],
      )
    }
  })

  it('answers 409 limit_reached for more than 10,000 Lists of a Workspace, archived ones included', async () => {
    const { service, people } = world
    const workspace_id = await service.workspace('Full', people.owner)
    await service.sql(
      `insert into lists (workspace_id, id, name, name_folded, rule, lifecycle_status, created_by, created_at, updated_at, archived_at)
       select $1, 'list_' || lpad(i::text, 26, '0'), 'List', 'list', '{"kind": "all"}', 'archived', $2, now(), now(), now()
       from generate_series(1, 9999) i`,
      [workspace_id, people.owner.user_id],
    )
    const owner = service.client({ access_token: people.owner.token, workspace_id })
    const input = { name: 'Last', definition: definitionOf(all) }
    await owner.createList(input)
    await refused(owner.createList(input), 'limit_reached')
    await world.list(all)
  })
})
