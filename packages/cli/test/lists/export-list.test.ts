import assert from 'node:assert/strict'
import { readdir, stat, writeFile } from 'node:fs/promises'
import { dirname } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { where } from '../../../server/test/lists/list-fixture.ts'
import { listCommands, proxyTo, recordsOf, type Commands } from './list-commands.ts'

describe('wbs lists export', () => {
  let commands: Commands
  let list_id: string
  let columns: string[]
  let ids: string[]

  before(async () => {
    commands = await listCommands()
    const { world } = commands
    ids = [
      await world.business({
        name: '=Glacier, "Air"',
        website_url: 'https://glacier.example',
        locations: [{ state: 'MT', city: 'Helena' }],
        classifications: [{ code: '238220' }],
      }),
      await world.business({ name: 'Ünïon Glacier', locations: [{ state: 'ID' }] }),
      await world.business({ name: 'Glacier Third' }),
    ]
    const made = await world.list(where('name', 'contains', 'glacier'), [
      { name: 'Stage', value_type: 'text' },
      { name: 'Owner age', value_type: 'number' },
      { name: 'Stage', value_type: 'boolean' },
      { name: 'status', value_type: 'date' },
    ])
    list_id = made.id
    columns = made.columns.map(({ column_id }) => column_id)
    const given = [
      { value_type: 'text', value: '+1 "call"\nlater' },
      { value_type: 'number', value: -1.5e-7 },
      { value_type: 'boolean', value: true },
      { value_type: 'date', value: '2026-03-01' },
    ] as const
    await world.as(world.people.member).setListEntryValues({
      list_id,
      expected_version: 1,
      values: given.map((value, at) => ({
        member_id: ids[0] as string,
        column_id: String(columns[at]),
        value,
      })),
    })
  })
  after(() => commands.close())

  const runExport = (...args: string[]) => commands.run(['export', list_id, ...args])

  it('writes every member with its facts and values to standard output', async () => {
    const { code, stdout, stderr } = await runExport()
    assert.equal(code, 0, stderr)
    assert.equal(stderr, '3 entries written.\n')
    assert.ok(stdout.endsWith('\r\n'))
    const [header, ...rows] = recordsOf(stdout)
    assert.deepEqual(header, [
      'id',
      'name',
      'source',
      'website_url',
      'status',
      'city',
      'state',
      'naics_code',
      `Stage [${columns[0]}]`,
      'Owner age',
      `Stage [${columns[2]}]`,
      `status [${columns[3]}]`,
    ])
    const byId = new Map(rows.map(([id, ...cells]) => [id, cells]))
    assert.deepEqual(new Set(byId.keys()), new Set<string>(ids))
    assert.deepEqual(byId.get(String(ids[0])), [
      '\'=Glacier, "Air"',
      'rule',
      'https://glacier.example',
      'active',
      'Helena',
      'MT',
      '238220',
      '\'+1 "call"\nlater',
      '-0.00000015',
      'true',
      '2026-03-01',
    ])
    assert.deepEqual(byId.get(String(ids[1])), [
      'Ünïon Glacier',
      'rule',
      '',
      'active',
      '',
      'ID',
      '',
      '',
      '',
      '',
      '',
    ])
  })

  it('writes the chosen facts and columns, sorted and filtered', async () => {
    const chosen = ['--fields', 'city', '--columns', 'owner age', '--sort', '-name']
    const sorted = recordsOf((await runExport(...chosen)).stdout)
    assert.deepEqual(
      sorted.map(cells => cells.toSpliced(0, 1).toSpliced(1, 1)),
      [
        ['name', 'city', 'Owner age'],
        ['Ünïon Glacier', '', ''],
        ['Glacier Third', '', ''],
        ['\'=Glacier, "Air"', 'Helena', '-0.00000015'],
      ],
    )
    const filter = JSON.stringify({ column_id: columns[1], operator: 'lt', value: 5 })
    const filtered = await runExport(
      '--fields',
      '',
      '--filter',
      filter,
      '--columns',
      `${columns[1]},${columns[0]}`,
    )
    assert.equal(filtered.code, 0, filtered.stderr)
    assert.deepEqual(
      recordsOf(filtered.stdout).map(([id]) => id),
      ['id', ids[0]],
    )
  })

  it('writes a file that is there only when it is complete, and replaces one only with --force', async () => {
    const file = commands.path()
    const first = await runExport('--output', file)
    assert.deepEqual([first.code, first.stdout, first.stderr], [0, '', `3 entries written to ${file}.\n`])
    assert.equal((await stat(file)).mode & 0o777, 0o600)
    const written = await commands.read(file)
    assert.equal(recordsOf(written).length, 4)
    await writeFile(file, 'mine')
    const second = await runExport('--output', file)
    assert.deepEqual([second.code, second.stderr], [1, `${file} exists. --force replaces it.\n`])
    assert.equal(await commands.read(file), 'mine')
    assert.equal((await runExport('--output', file, '--force')).code, 0)
    assert.equal(await commands.read(file), written)
    assert.deepEqual(
      (await runExport('--output', '/dev/null', '--force')).stderr,
      '/dev/null exists and is not a file.\n',
    )
    assert.deepEqual(
      (await readdir(dirname(file))).filter(name => name.startsWith('.')),
      [],
    )
  })

  it('follows pages to the end, also past empty ones', async () => {
    const { world } = commands
    for (let i = 0; i < 150; i++) await world.business({ name: `Follower ${i}` })
    const many = await world.list(where('name', 'starts_with', 'follower'))
    let pages = 0
    const proxy = await proxyTo(world.service.base_url, async request => {
      if (/\/entries/.test(request.url ?? '')) pages++
    })
    const { stdout } = await commands.run(['export', many.id], { env: { WBS_URL: proxy.url } })
    await proxy.close()
    assert.equal(recordsOf(stdout).length, 151)
    assert.ok(pages >= 2)
  })

  it('says that the List changed meanwhile', async () => {
    const { world } = commands
    let version = 0
    const client = world.as(world.people.member)
    const proxy = await proxyTo(world.service.base_url, async request => {
      if (!/\/entries/.test(request.url ?? '')) return
      version = (await client.getList({ list_id })).data.version
      await client.updateList({ list_id, expected_version: version, description: `Version ${version}` })
    })
    const { code, stderr } = await commands.run(['export', list_id], { env: { WBS_URL: proxy.url } })
    await proxy.close()
    assert.equal(code, 0)
    assert.match(stderr, new RegExp(`changed meanwhile, from version ${version} to ${version + 1}:`))
  })

  it('leaves no file where it fails half-way, and says why', async () => {
    const { world } = commands
    const proxy = await proxyTo(world.service.base_url, async request => {
      if (/\/entries/.test(request.url ?? ''))
        await world.service.sql(
          `update memberships set permissions = '{"list_members:read": false}' where user_id = $1`,
          [world.people.viewer.user_id],
        )
    })
    const file = commands.path()
    const { code, stderr } = await commands.run(['export', list_id, '--output', file], {
      as: world.people.viewer,
      env: { WBS_URL: proxy.url },
    })
    await proxy.close()
    assert.equal(code, 1)
    assert.match(stderr, /^The entries cannot be read: .*list_members:read.* \(forbidden\)\.\n$/)
    await assert.rejects(stat(file))
  })

  it('ends with one plain sentence where nothing can be written', async () => {
    for (const [args, message] of [
      [['--fields', 'revenue'], /^"revenue" is not a fact\. --fields takes: /],
      [['--columns', 'Nothing'], /^The List has no column "Nothing"\.$/],
      [
        ['--columns', 'Stage'],
        new RegExp(
          `^The List has 2 columns named "Stage". Name one by its ID: ${columns[0]}, ${columns[2]}\\.$`,
        ),
      ],
      [['--sort', 'Stage'], /^The List has 2 columns named "Stage"/],
      [['--filter', 'x'], /^The entries cannot be read: .*\(validation_error\)\.$/],
      [
        ['--output', '/nowhere/at/all.csv'],
        /^\/nowhere\/at\/all\.csv cannot be written: there is no such file or folder\.$/,
      ],
    ] as const) {
      const { code, stdout, stderr } = await runExport(...args)
      assert.equal(code, 1, args.join(' '))
      assert.match(stderr.trimEnd(), message)
      assert.equal(recordsOf(stdout).length <= 1, true)
    }
    const unknown = await commands.run(['export', `list_${'0'.repeat(26)}`])
    assert.match(unknown.stderr, /^The List list_0+ cannot be read at http:.*\(not_found\)\.\n$/)
  })
})
