import assert from 'node:assert/strict'
import { stat } from 'node:fs/promises'
import type { ChildProcess } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { where } from '../../../server/test/lists/list-fixture.ts'
import { addBusinesses } from '../../../server/test/harness/businesses.ts'
import { isBulk, listCommands, numbersOf, proxyTo, recordsOf, type Commands } from './list-commands.ts'

type List = Awaited<ReturnType<Commands['world']['list']>>

const newColumns = [
  { name: 'Stage', value_type: 'text' },
  { name: 'Owner age', value_type: 'number' },
  { name: 'Family owned', value_type: 'boolean' },
  { name: 'Met on', value_type: 'date' },
] as const

describe('wbs lists import-values', () => {
  let commands: Commands
  before(async () => void (commands = await listCommands()))
  after(() => commands.close())
  const client = () => commands.world.as(commands.world.people.member)

  let made = 0
  /** A List with columns of all types, and Businesses of its own as members. */
  async function listOf(count: number, facts: (at: number) => object = () => ({})) {
    const prefix = `Group ${++made} of`
    const ids = await addBusinesses(
      commands.world.service,
      Array.from({ length: count }, (_, at) => ({ name: `${prefix} ${at}`, ...facts(at) })),
    )
    const rule = {
      kind: 'or',
      rules: Array.from({ length: Math.ceil(count / 100) }, (_, part) => ({
        kind: 'field',
        field: 'id',
        operator: 'in',
        value: ids.slice(part * 100, part * 100 + 100),
      })),
    }
    const list = await commands.world.list(rule, [...newColumns])
    return { list, list_id: list.id, ids, names: ids.map((_, at) => `${prefix} ${at}`) }
  }

  async function importing(
    list_id: string,
    rows: readonly (readonly string[])[],
    args: readonly string[] = [],
    options: { env?: Record<string, string>; onStart?: (child: ChildProcess) => void } = {},
  ) {
    const file = await commands.write(rows.map(cells => cells.map(quote).join(',')).join('\n'))
    const rejects = commands.path()
    const ended = await commands.run(['import-values', list_id, file, '--rejects', rejects, ...args], options)
    const rejected = await commands.read(rejects).then(recordsOf, () => null)
    return { ...ended, rejected, numbers: numbersOf(ended) }
  }
  const quote = (cell: string) => (/[",\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell)

  /** The values of a List by member and by the name of the column. */
  async function valuesOf({ id: list_id, columns }: Pick<List, 'id' | 'columns'>) {
    const found = new Map<string, Record<string, unknown>>()
    for await (const { member_id, values } of client().listListEntries.each({ list_id, limit: 100 }))
      found.set(
        member_id,
        Object.fromEntries(
          values.map(({ column_id, value }) => [
            columns.find(one => one.column_id === column_id)?.name ?? column_id,
            value.value,
          ]),
        ),
      )
    return found
  }
  const versionOf = async (list_id: string) => (await client().getList({ list_id })).data.version
  const all = { set: 0, cleared: 0, unchanged: 0, rejected: 0 }

  it('sets values of all types, and nothing the second time', async () => {
    const { list, list_id, ids } = await listOf(3)
    const rows = [
      ['id', 'Stage', 'OWNER AGE', 'Family owned', String(list.columns[3]?.column_id)],
      [ids[0] as string, "'=1+1", ' 61.50 ', 'Yes', '2026-02-28'],
      [ids[1] as string, ' a "b", c\nd ', '-1', 'FALSE', ''],
      ['', '', '', '', ''],
    ]
    const first = await importing(list_id, rows)
    assert.equal(first.code, 0, first.stderr)
    assert.match(first.stdout, /^2 rows read\n/)
    assert.deepEqual([first.numbers, first.rejected], [{ ...all, set: 7 }, null])
    const expected = new Map<string, object>([
      [ids[0] as string, { Stage: '=1+1', 'Owner age': 61.5, 'Family owned': true, 'Met on': '2026-02-28' }],
      [ids[1] as string, { Stage: ' a "b", c\nd ', 'Owner age': -1, 'Family owned': false }],
      [ids[2] as string, {}],
    ])
    assert.deepEqual(await valuesOf(list), new Map([...expected].toSorted(([a], [b]) => (a < b ? -1 : 1))))
    const version = await versionOf(list_id)
    const second = await importing(list_id, rows)
    assert.deepEqual([second.code, second.numbers], [0, { ...all, unchanged: 7 }])
    assert.equal(await versionOf(list_id), version)
  })

  it('leaves values alone where the cell is empty, or clears them if that is asked for', async () => {
    const { list, list_id, ids } = await listOf(1)
    const id = ids[0] as string
    await importing(list_id, [
      ['id', 'Stage', 'Owner age'],
      [id, 'New', '5'],
    ])
    const rows = [
      ['id', 'Stage', 'Owner age', 'Met on'],
      [id, 'Old', '', ''],
    ]
    assert.deepEqual((await importing(list_id, rows)).numbers, { ...all, set: 1 })
    const cleared = await importing(list_id, rows, ['--clear-empty'])
    assert.deepEqual([cleared.code, cleared.numbers], [0, { ...all, cleared: 1, unchanged: 2 }])
    assert.deepEqual(await valuesOf(list), new Map([[id, { Stage: 'Old' }]]))
  })

  it('says what it would do, and writes nothing, in a dry run', async () => {
    const { list, list_id, ids } = await listOf(2)
    const rows = [
      ['id', 'Stage'],
      [ids[0] as string, 'New'],
      ['biz_0', 'New'],
    ]
    const { code, stdout, numbers } = await importing(list_id, rows, ['--dry-run', '--clear-empty'])
    assert.deepEqual([code, numbers], [2, { ...all, set: 1, rejected: 1 }])
    assert.match(stdout, /^2 rows read, nothing was written\n/)
    assert.equal(await versionOf(list_id), 1)
    assert.ok([...(await valuesOf(list)).values()].every(values => Object.keys(values).length === 0))
  })

  it('rejects rows with their line and reason, and the file of them can be corrected and imported', async () => {
    const { list, list_id, ids } = await listOf(3)
    const [a, b, c] = ids as [string, string, string]
    const text = [
      'id,Stage,Owner age,Met on,note',
      `${a},"two\nlines",5,2026-01-01,x`,
      `${b},New,many,soon,x`,
      `${a},Again,6,,x`,
      'biz_00000000000000000000000000,New,6,,x',
      ',New,6,,x',
      `${c},New,6`,
      `"${c},New,6,,x`,
    ].join('\r\n')
    const file = await commands.write(text)
    const rejects = commands.path()
    const args = ['--map', 'note=', '--rejects', rejects]
    const { code, stdout, ...rest } = await commands.run(['import-values', list_id, file, ...args])
    assert.equal(code, 2, rest.stderr)
    assert.deepEqual(numbersOf({ code, stdout, ...rest }), { ...all, set: 3, rejected: 6 })
    assert.ok(stdout.includes(`, see ${rejects}\n`) && stdout.includes('Not imported: note'), stdout)
    assert.deepEqual(recordsOf(await commands.read(rejects)), [
      ['id', 'Stage', 'Owner age', 'Met on', 'note', 'reject_line', 'reject_reason'],
      [
        b,
        'New',
        'many',
        'soon',
        'x',
        '4',
        'Owner age: a number must be a plain decimal, such as -1234.5. Met on: a date must be a day from 1000-01-01 to 2199-12-31, as YYYY-MM-DD.',
      ],
      [a, 'Again', '6', '', 'x', '5', 'Line 2 is about the same member.'],
      ['biz_00000000000000000000000000', 'New', '6', '', 'x', '6', 'No member of the List has this id.'],
      ['', 'New', '6', '', 'x', '7', 'The row has no id.'],
      [c, 'New', '6', '', '', '8', 'The row has 3 cells and the header has 5.'],
      [`"${c},New,6,,x`, '', '', '', '', '9', 'The quotes of the row are broken.'],
    ])
    const [header = [], ...rows] = recordsOf(await commands.read(rejects))
    const corrected = rows.slice(0, 1).map(cells => cells.with(2, '7').with(3, '2026-05-05'))
    const again = await importing(list_id, [header, ...corrected], ['--map', 'note='])
    assert.deepEqual([again.code, again.numbers, again.rejected], [0, { ...all, set: 3 }, null])
    assert.deepEqual((await valuesOf(list)).get(b), { Stage: 'New', 'Owner age': 7, 'Met on': '2026-05-05' })
  })

  it('finds members by their website, or by name and state', async () => {
    const { list, list_id, ids, names } = await listOf(4, at => ({
      website_url: `https://example.com/${Math.min(at, 2)}`,
      locations: [{ state: at === 0 ? 'OH' : 'IN' }],
    }))
    await commands.world.service.sql('update businesses set name = $2 where id = $1', [ids[3], names[2]])
    await commands.world.service.sql('update published_businesses set name = $2 where id = $1', [
      ids[3],
      names[2],
    ])
    const byWebsite = await importing(
      list_id,
      [
        ['Web', 'Stage'],
        [' https://example.com/0 ', 'By website'],
        ['https://example.com/2', 'Two of them'],
        ['HTTPS://example.com/1', 'Other case'],
      ],
      ['--match', 'website', '--map', 'Web=website_url'],
    )
    assert.deepEqual([byWebsite.code, byWebsite.numbers], [2, { ...all, set: 1, rejected: 2 }])
    assert.deepEqual(
      byWebsite.rejected?.slice(1).map(cells => cells.at(-1)),
      ['2 members of the List have this website_url.', 'No member of the List has this website_url.'],
    )
    const byName = await importing(
      list_id,
      [
        ['name', 'state', 'Owner age'],
        [`  ${names[0]?.toUpperCase()}`, 'oh', '1'],
        [names[1] as string, 'OH', '2'],
        [names[2] as string, 'IN', '3'],
        [names[1] as string, '', '4'],
      ],
      ['--match', 'name_state'],
    )
    assert.deepEqual([byName.code, byName.numbers], [2, { ...all, set: 1, rejected: 3 }])
    assert.deepEqual(
      byName.rejected?.slice(1).map(cells => cells.at(-1)),
      [
        'No member of the List has this name and state.',
        '2 members of the List have this name and state.',
        'The row has no state.',
      ],
    )
    assert.deepEqual((await valuesOf(list)).get(ids[0] as string), { Stage: 'By website', 'Owner age': 1 })
  })

  it('writes in requests of at most 500 values, and goes on where somebody else edits the List', async () => {
    const { list, list_id, ids } = await listOf(300)
    const rows = ids.map((id, at) => [id, `Stage ${at}`, String(at), 'yes', '2026-01-01'])
    let bulks = 0
    let edits = 0
    const proxy = await proxyTo(commands.world.service.base_url, async request => {
      if (!isBulk(request) || bulks++ % 2 === 1) return
      edits++
      const { version } = (await client().getList({ list_id })).data
      await client().updateList({ list_id, expected_version: version, description: `Edit ${edits}` })
    })
    const { code, numbers, stderr } = await importing(
      list_id,
      [['id', ...newColumns.map(({ name }) => name)], ...rows],
      [],
      { env: { WBS_URL: proxy.url } },
    )
    await proxy.close()
    assert.deepEqual([code, numbers], [0, { ...all, set: 1200 }], stderr)
    // Three requests, each refused once.
    assert.deepEqual([bulks, edits, await versionOf(list_id)], [6, 3, 1 + 3 + 3])
    const values = await valuesOf(list)
    for (const [at, id] of ids.entries())
      assert.deepEqual(values.get(id), {
        Stage: `Stage ${at}`,
        'Owner age': at,
        'Family owned': true,
        'Met on': '2026-01-01',
      })
  })

  it('gives up where others change the List all the time, and says how far it came', async () => {
    const { list_id, ids } = await listOf(200)
    let bulks = 0
    const proxy = await proxyTo(commands.world.service.base_url, async request => {
      if (!isBulk(request) || bulks++ === 0) return
      const { version } = (await client().getList({ list_id })).data
      await client().updateList({ list_id, expected_version: version, description: `Edit ${bulks}` })
    })
    const rows = ids.map(id => [id, 'a', '1', 'no', '2026-01-01'])
    const { code, numbers, stderr } = await importing(
      list_id,
      [['id', ...newColumns.map(({ name }) => name)], ...rows],
      [],
      { env: { WBS_URL: proxy.url } },
    )
    await proxy.close()
    assert.deepEqual([code, numbers, bulks], [1, { ...all, set: 500 }, 12])
    assert.equal(
      stderr,
      'Stopped: Others change the List too often for a request to come between. The values are in up to line 126; run the same command again for the rest.\n',
    )
  })

  it('says how far it came when it is interrupted, and a second run writes the rest', async () => {
    const { list, list_id, ids } = await listOf(300)
    let bulks = 0
    let child: ChildProcess | undefined
    const proxy = await proxyTo(commands.world.service.base_url, async request => {
      if (!isBulk(request) || ++bulks < 2) return
      const killed = new Promise(resolve => child?.once('exit', resolve))
      child?.kill('SIGINT')
      await killed
    })
    const rows = [['id', 'Stage', 'Owner age'], ...ids.map((id, at) => [id, `Stage ${at}`, String(at)])]
    const first = await importing(list_id, rows, [], {
      env: { WBS_URL: proxy.url },
      onStart: started => (child = started),
    })
    await proxy.close()
    assert.deepEqual([first.code, first.numbers], [130, { ...all, set: 500 }], first.stderr)
    assert.equal(
      first.stderr,
      'Interrupted. The values are in up to line 251; run the same command again for the rest.\n',
    )
    const second = await importing(list_id, rows)
    assert.equal(second.code, 0)
    assert.equal((second.numbers['set'] ?? 0) + (second.numbers['unchanged'] ?? 0), 600)
    assert.ok((second.numbers['unchanged'] ?? 0) >= 500)
    assert.deepEqual((await valuesOf(list)).get(ids[299] as string), { Stage: 'Stage 299', 'Owner age': 299 })
  })

  it('rejects the row of a Business that is no member any more, and writes the others', async () => {
    const { list_id, ids } = await listOf(3)
    const proxy = await proxyTo(commands.world.service.base_url, async request => {
      if (!isBulk(request) || (await versionOf(list_id)) > 1) return
      await client().setListOverride({
        list_id,
        member_id: ids[1] as string,
        mode: 'exclude',
        expected_version: 1,
      })
    })
    const rows = [['id', 'Stage'], ...ids.map(id => [id, 'New'])]
    const { code, numbers, rejected } = await importing(list_id, rows, [], { env: { WBS_URL: proxy.url } })
    await proxy.close()
    assert.deepEqual([code, numbers], [2, { ...all, set: 2, rejected: 1 }])
    assert.deepEqual(rejected?.[1], [ids[1], 'New', '3', 'The Business is no member of the List any more.'])
  })

  it('ends with one plain sentence where nothing can be imported', async () => {
    const { world } = commands
    const { list_id, ids } = await listOf(1)
    const twins = await world.list(where('id', 'eq', ids[0]), [
      { name: 'Stage', value_type: 'text' },
      { name: 'Stage', value_type: 'text' },
      { name: 'status', value_type: 'text' },
    ])
    const twinIds = twins.columns.map(({ column_id }) => column_id)
    const archived = await listOf(1)
    await client().archiveList({ list_id: archived.list_id, expected_version: 1 })
    for (const [id, text, args, message] of [
      [list_id, '', [], / is empty\. Its first line must have the headers\.$/],
      [list_id, 'id,Phase\n', [], /^The List has no column "Phase"\. Say what the header means by --map/],
      [list_id, 'id,source\n', [], /^No header of the file names a column of the List\.$/],
      [list_id, 'Stage\n', [], /^--match id requires the header id\./],
      [
        list_id,
        'name,Stage\n',
        ['--match', 'name_state'],
        /^--match name_state requires the headers name and state\./,
      ],
      [list_id, 'id,Stage,stage\n', [], /^The headers "Stage" and "stage" mean the same\./],
      [list_id, 'id,Stage\n', ['--map', 'Phase=Stage'], /^--map "Phase=Stage" names no header of the file\./],
      [list_id, 'id,Phase\n', ['--map', 'Phase=Nothing'], /^The List has no column "Nothing"\.$/],
      [
        twins.id,
        'id,Stage\n',
        [],
        new RegExp(
          `^The List has 2 columns named "Stage". Name one by its ID: ${twinIds[0]}, ${twinIds[1]}\\.$`,
        ),
      ],
      [
        twins.id,
        `id,${twinIds[0]},status\n`,
        [],
        /^"status" may be the fact of the Business or the column of the List\./,
      ],
      [
        archived.list_id,
        'id,Stage\n',
        [],
        /^The List "Candidates" is archived, so its values cannot be set\.$/,
      ],
    ] as const) {
      const file = await commands.write(text)
      const { code, stdout, stderr } = await commands.run(['import-values', id, file, ...args])
      assert.deepEqual([code, stdout], [1, ''], message.source)
      assert.match(stderr.trimEnd(), message)
      assert.equal(stderr.trim().split('\n').length, 1, stderr)
    }
    const file = await commands.write('id,Stage\n')
    const own = await commands.run(['import-values', list_id, file, '--rejects', file])
    assert.match(
      own.stderr,
      /^The file for rejected rows cannot be written: .* is the file that is imported\.\n$/,
    )
    assert.equal(await commands.read(file), 'id,Stage\n')
    const none = await commands.run(['import-values', list_id, commands.path('none.csv')])
    assert.match(none.stderr, /none\.csv cannot be read: there is no such file\n$/)
    await assert.rejects(stat(commands.path('none.csv')))
  })
})
