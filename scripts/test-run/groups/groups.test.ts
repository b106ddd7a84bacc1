import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { planGroups } from './plan-groups.ts'
import { shuffled } from './shuffle.ts'

const rooms = ['a', 'b', 'c', 'd'].map(name => `packages/server/test/rooms/${name}.test.ts`)
const [a, b, c, d] = rooms as [string, string, string, string]
const lists = 'packages/server/test/lists/x.test.ts'
const sdk = 'packages/sdk/test/y.test.ts'

describe('the groups of test files', () => {
  it('hold the files of one slice each, the longest group first', () => {
    const times = new Map([[sdk, 9], [lists, 20], ...rooms.map(file => [file, 7] as const)])
    assert.deepEqual(planGroups([lists, ...rooms, sdk], times, 1), [
      { name: 'server-rooms', files: rooms },
      { name: 'server-lists', files: [lists] },
      { name: 'sdk', files: [sdk] },
    ])
  })

  it('are several of a slice that takes longer than the share of each process', () => {
    const times = new Map([
      [a, 50],
      [b, 25],
      [c, 20],
      [d, 5],
    ])
    assert.deepEqual(planGroups(rooms, times, 2), [
      { name: 'server-rooms-1', files: [a] },
      { name: 'server-rooms-2', files: [b, c, d] },
    ])
    assert.deepEqual(planGroups(rooms, times, 1), [{ name: 'server-rooms', files: rooms }])
  })

  it('are shared by slices that take less than a tenth of the share of each process', () => {
    const tasks = 'packages/server/test/tasks/z.test.ts'
    const times = new Map([[lists, 4], [tasks, 5], [sdk, 6], ...rooms.map(file => [file, 25] as const)])
    assert.deepEqual(planGroups([lists, tasks, sdk, ...rooms], times, 1), [
      { name: 'server-rooms', files: rooms },
      { name: 'sdk-server-tasks', files: [sdk, tasks].toSorted() },
      { name: 'server-lists', files: [lists] },
    ])
  })

  it('take a file without a time to be middling', () => {
    const times = new Map([
      [a, 1],
      [b, 30],
      [c, 35],
    ])
    for (const [files, expected] of [
      [
        [lists, a],
        [[lists], [a]],
      ],
      [
        [lists, c],
        [[c], [lists]],
      ],
    ] as const)
      assert.deepEqual(
        planGroups(files, times, 1).map(group => group.files),
        expected,
      )
  })

  it('are made of files that take no time, too', () => {
    const times = new Map(rooms.map(file => [file, 0]))
    assert.deepEqual(planGroups(rooms, times, 2), [{ name: 'server-rooms', files: rooms }])
    assert.deepEqual(
      planGroups(
        [a, lists],
        new Map([
          [a, 0],
          [lists, 9],
        ]),
        2,
      ).length,
      2,
    )
  })

  it('leave a file alone that says so', () => {
    const groups = planGroups(rooms, new Map(rooms.map(file => [file, 1])), 1, file => file === b)
    assert.deepEqual(
      groups.map(group => group.files),
      [[a, c, d], [b]],
    )
  })
})

describe('a shuffled order', () => {
  it('has each item once, and is the same for the same seed', () => {
    assert.deepEqual(shuffled(rooms, 7), shuffled(rooms, 7))
    assert.deepEqual(shuffled(rooms, 7).toSorted(), rooms)
    const orders = new Set(Array.from({ length: 50 }, (_, seed) => shuffled(rooms, seed).join()))
    assert.ok(orders.size > 10, `${orders.size} orders`)
  })
})
