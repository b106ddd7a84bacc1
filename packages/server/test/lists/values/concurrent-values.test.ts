import assert from 'node:assert/strict'
import { after, before, beforeEach, describe, it } from 'node:test'
import type { Client } from '@wbs/sdk'
import { isProblem } from '@wbs/sdk'
import { makeListWorld, type ListWorld } from '../list-fixture.ts'
import { makeSheet, number, type Sheet } from './value-fixture.ts'

const columns = ['number', 'text'] as const

/** A write that succeeded. */
interface Winner {
  version: number
  column: (typeof columns)[number]
  value: string | number
}

describe('two people who edit the values of one List at the same time', () => {
  let world: ListWorld
  let sheet: Sheet
  before(async () => void (world = await makeListWorld()))
  beforeEach(async () => void (sheet = await makeSheet(world)))
  after(() => world.close())

  let written = 0

  /** Writes a value that nobody wrote before; null if the version is stale. */
  async function write(client: Client, column: Winner['column'], expected: number): Promise<Winner | null> {
    const value = (written += 1)
    const given =
      column === 'number' ? number(value) : ({ value_type: 'text', value: `No ${value}` } as const)
    try {
      const { data } = await sheet.set(column, given, expected, client)
      assert.equal(data.version, expected + 1)
      return { version: data.version, column, value: given.value }
    } catch (error) {
      if (!isProblem(error, 'revision_conflict')) throw error
      assert.equal(error.problem.expected, expected)
      assert.ok(error.problem.current > expected)
      return null
    }
  }

  /** Asserts that the history has exactly these writes, and no version is missing. */
  async function assertKept(winners: readonly Winner[]): Promise<void> {
    const found: Winner[] = []
    for (const column of columns) {
      const us = world.as(world.people.member)
      const { list_id, member_id } = sheet
      const cell = { list_id, member_id, column_id: sheet.columns[column], limit: 100 }
      const { data, page } = await us.listListEntryValueHistory(cell)
      assert.equal(page.has_more, false)
      found.push(
        ...data.map(({ version, value }) => ({ version, column, value: value?.value as string | number })),
      )
    }
    const inOrder = (some: readonly Winner[]) => some.toSorted((one, other) => one.version - other.version)
    assert.deepEqual(inOrder(found), inOrder(winners))
    assert.deepEqual(
      inOrder(found).map(one => one.version),
      Array.from({ length: winners.length }, (_, i) => i + 2),
    )
    assert.equal(await sheet.version(), winners.length + 1)
  }

  const editors = () => [world.as(world.people.member), world.as(world.people.owner)]

  it('win once for each version; every other write is refused as stale', async () => {
    const winners: Winner[] = []
    for (let round = 1; round <= 8; round++) {
      const writes = editors().flatMap(client =>
        Array.from({ length: 6 }, (_, i) => write(client, columns[i % 2] ?? 'text', round)),
      )
      const won = (await Promise.all(writes)).filter(one => one !== null)
      assert.equal(won.length, 1)
      winners.push(...won)
    }
    await assertKept(winners)
  })

  it('lose nothing if they read the version again and repeat what was stale', async () => {
    const winners: Winner[] = []
    const edit = async (client: Client, column: Winner['column']) => {
      for (let done = 0; done < 12;) {
        const won = await write(client, column, await sheet.version())
        if (won === null) continue
        winners.push(won)
        done++
      }
    }
    const [mia, olivia] = editors() as [Client, Client]
    await Promise.all([edit(mia, 'number'), edit(olivia, 'number'), edit(mia, 'text'), edit(olivia, 'text')])
    assert.equal(winners.length, 48)
    await assertKept(winners)
  })
})
