import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { inputParts, type Operation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import { createClient, type Items } from '@wbs/sdk'

type Each = (input: object) => Items<number>

const lists = (operations as readonly Operation[]).filter(
  ({ name, output }) => /^(?:list|search)_/.test(name) || 'page' in output,
)

/** The method of an operation, with a fetch function that gives such answers and keeps the addresses. */
function methodOf({ name }: Operation, answers: object[]) {
  const urls: URL[] = []
  const client = createClient({
    base_url: 'https://api.example',
    fetch: async url => {
      urls.push(url as URL)
      return Response.json(answers.shift())
    },
  })
  const key = name.replaceAll(/_(\w)/g, (_, letter: string) => letter.toUpperCase())
  return { each: (client as unknown as Record<string, { each?: Each }>)[key]?.each, urls }
}

/** A page as an operation declares it. */
function pageOf({ output }: Operation, items: number[], cursor: string | null, has_more: boolean): object {
  const key = 'data' in output ? 'data' : (Object.keys(output).find(name => name.endsWith('s')) ?? '')
  const place =
    'page' in output
      ? { page: { cursor, has_more } }
      : { has_more, ...('next_cursor' in output ? { next_cursor: cursor } : { cursor }) }
  return 'page' in output || 'has_more' in output ? { [key]: items, ...place } : { [key]: items }
}

describe('each', () => {
  it('is there for every list, and for nothing else', () => {
    assert.ok(lists.length > 30)
    for (const operation of operations as readonly Operation[])
      if (!operation.name.startsWith('stream'))
        assert.equal(methodOf(operation, []).each !== undefined, lists.includes(operation), operation.name)
  })

  for (const operation of lists)
    it(`yields all items of ${operation.name}, by the parameters that it has`, async () => {
      const isPaged = 'page' in operation.output || 'has_more' in operation.output
      const { each, urls } = methodOf(operation, [
        pageOf(operation, [1, 2], 'c1', true),
        pageOf(operation, [3], 'c2', false),
      ])
      const input = Object.fromEntries(Object.keys(inputParts(operation).path).map(name => [name, 'id_1']))
      const items: number[] = []
      for await (const item of (each as Each)(input)) items.push(item)
      assert.deepEqual(items, isPaged ? [1, 2, 3] : [1, 2])
      assert.deepEqual(
        urls.map(({ searchParams }) => [...searchParams]),
        isPaged ? [[], [['cursor' in operation.input ? 'cursor' : 'after', 'c1']]] : [[]],
      )
    })

  const named = (name: string) => lists.find(operation => operation.name === name) as Operation

  it('says where to go on, which moves with the last item of each page', async () => {
    const changes = named('list_event_changes')
    const { each, urls } = methodOf(changes, [
      pageOf(changes, [1, 2], 'c1', true),
      pageOf(changes, [], 'c2', true),
      pageOf(changes, [3], 'c3', false),
    ])
    const items = (each as Each)({ cursor: 'c0' })
    const cursors = [items.cursor]
    for await (const _ of items) cursors.push(items.cursor)
    assert.deepEqual(cursors, ['c0', 'c0', 'c1', 'c3'])
    assert.equal(items.cursor, 'c3')
    assert.deepEqual(
      urls.map(({ searchParams }) => searchParams.get('cursor')),
      ['c0', 'c1', 'c2'],
    )
  })

  it('begins at after, and says null at the end of a list with an end', async () => {
    const events = named('list_events')
    const { each } = methodOf(events, [pageOf(events, [1], null, false)])
    const items = (each as Each)({ after: 'c7' })
    assert.equal(items.cursor, 'c7')
    for await (const _ of items);
    assert.equal(items.cursor, null)
  })

  it('stops at a cursor that does not advance', async () => {
    for (const name of ['list_events', 'list_event_changes', 'list_participants']) {
      const stuck = () => pageOf(named(name), [1], 'c1', true)
      const { each, urls } = methodOf(named(name), [stuck(), stuck(), stuck()])
      const items = (each as Each)({ room_id: 'rom_1' })
      await assert.rejects(async () => {
        for await (const _ of items);
      }, /does not advance/)
      assert.equal(urls.length, 2)
    }
  })
})
