import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { newId } from '@wbs/contract/ids'
import type { Client } from '@wbs/sdk'
import { refused } from '../../harness/refused.ts'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'

describe('GET /v1/lists/{list_id}/overrides', () => {
  let world: ListWorld
  let mia: Client
  let list_id: string
  let published: string[]
  let drafts: string[]
  before(async () => {
    world = await makeListWorld()
    mia = world.as(world.people.member)
    list_id = (await world.list({ kind: 'none' })).id
    published = []
    drafts = []
    let expected_version = 1
    for (const mode of ['include', 'exclude', 'include', 'exclude'] as const) {
      for (const [ids, member_id] of [
        [drafts, await world.linked()],
        [published, await world.business()],
        [drafts, await world.linked()],
      ] as const) {
        const { data } = await mia.setListOverride({ list_id, member_id, mode, expected_version })
        expected_version = data.version
        ids.push(member_id)
      }
    }
  })
  after(() => world.close())

  async function pages(client: Client, limit: number, mode?: 'include' | 'exclude') {
    const found: string[][] = []
    let cursor: string | undefined
    do {
      const { data, page } = await client.listListOverrides({
        list_id,
        limit,
        ...(mode && { mode }),
        ...(cursor && { cursor }),
      })
      assert.equal(page.has_more, page.cursor !== null)
      assert.ok(page.cursor === null || page.cursor === data.at(-1)?.member_id)
      found.push(data.map(({ member_id }) => member_id))
      cursor = page.cursor ?? undefined
    } while (cursor !== undefined)
    return found
  }

  it('shows every override once, by the ID of the Business', async () => {
    const all = [...published, ...drafts].sort()
    assert.deepEqual((await pages(mia, 5)).flat(), all)
    assert.deepEqual((await pages(world.as(world.people.viewer), 12)).flat(), all)
  })

  it('filters by the mode', async () => {
    const { data } = await mia.listListOverrides({ list_id, mode: 'exclude', limit: 100 })
    assert.equal(data.length, 6)
    assert.ok(data.every(({ mode }) => mode === 'exclude'))
  })

  it('leaves out Businesses that the caller cannot see, without a sign of them', async () => {
    const key = await world.withKey(['lists:read', 'list_members:read'])
    assert.deepEqual(
      await pages(key, 2),
      [published.slice(0, 2), published.slice(2)],
      'pages are full, and the last one says that it is the last',
    )
    assert.deepEqual((await pages(key, 1, 'include')).flat().length, 2)
  })

  it('requires to read Lists and their members', async () => {
    for (const [held, missing] of [
      ['lists:read', 'list_members:read'],
      ['list_members:read', 'lists:read'],
    ] as const) {
      const key = await world.withKey([held])
      assert.equal(
        (await refused(key.listListOverrides({ list_id }), 'forbidden')).required_permission,
        missing,
      )
    }
  })

  it('is not found for a List that the caller cannot see', async () => {
    const otto = world.service.person('Otto')
    const elsewhere = await world.service.workspace('Elsewhere', otto)
    const there = world.service.client({ access_token: otto.token, workspace_id: elsewhere })
    await refused(there.listListOverrides({ list_id }), 'not_found')
    await refused(mia.listListOverrides({ list_id: newId('list') }), 'not_found')
  })
})
