import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createClient, type Client } from '@wbs/sdk'
import {
  sampleDataFolder,
  type DataFolder,
  type ServiceProcess,
} from '../../../server/test/harness/process.ts'
import { eventLine } from '../../src/follow/event-line.ts'
import { openTerminal, type Running, type Terminal } from '../login/terminal.ts'

describe('wbs events follow', () => {
  let data: DataFolder
  let service: ServiceProcess
  let sample: Awaited<ReturnType<ServiceProcess['quickstart']>>
  let terminal: Terminal
  let client: Client
  let env: Record<string, string>
  before(async () => {
    data = await sampleDataFolder()
    service = await data.start()
    sample = await service.quickstart()
    terminal = await openTerminal()
    const access_token = sample.users.owner?.access_token ?? ''
    client = createClient({
      base_url: service.base_url,
      workspace_id: sample.workspace_id,
      access_token,
      attempts: 20,
    })
    await newRoom('The first') // so that there is a place to begin at
    env = { WBS_URL: service.base_url, WBS_TOKEN: access_token, WBS_WORKSPACE: sample.workspace_id }
  })
  after(async () => {
    await data.remove()
    await terminal.remove()
  })

  const newRoom = async (title: string) => (await client.createRoom({ title })).room
  const latestCursor = async () => {
    const events = client.listEventChanges.each({})
    for await (const _ of events);
    return events.cursor ?? ''
  }
  const start = (...args: string[]) => terminal.start(['events', 'follow', ...args], { env })

  async function lines(running: Running, count: number): Promise<string[]> {
    for (;;) {
      const all = running.said.stdout.split('\n').slice(0, -1)
      if (all.length >= count) return all
      assert.equal(running.child.exitCode, null, running.said.stderr)
      await sleep(20)
    }
  }

  async function stop(running: Running) {
    running.child.kill('SIGINT')
    return running.ended
  }

  it('prints a line for each event of a Room as it happens, until it is interrupted', async () => {
    const cursor = await latestCursor()
    const room = await newRoom('Lease renewal')
    await newRoom('Another')
    const running = start('--room', room.room_id, '--since-cursor', cursor)
    await lines(running, 1)
    await client.updateRoom({ room_id: room.room_id, expected_revision: room.revision, title: 'Leases' })
    const [created = '', updated = ''] = await lines(running, 2)
    assert.match(
      created,
      new RegExp(
        `^20\\S+Z {2}Olivia Bennett by Development client {2}room\\.created {2}“.*” \\(${room.room_id}\\)$`,
      ),
    )
    assert.match(updated, / {2}room\.updated {2}“Leases” /)
    const { code, stderr } = await stop(running)
    assert.deepEqual([code, stderr], [130, ''])
  })

  it('prints JSON of the types that are asked for', async () => {
    const cursor = await latestCursor()
    const running = start('--json', '--types', 'room.archived, room.restored', '--since-cursor', cursor)
    const { room_id, revision } = await newRoom('Closed deal')
    await client.archiveRoom({ room_id, expected_revision: revision })
    const [line = ''] = await lines(running, 1)
    const event = JSON.parse(line) as { type: string; room: { id: string } }
    assert.deepEqual([event.type, event.room.id], ['room.archived', room_id])
    await stop(running)
  })

  it('goes on where an earlier run ended, and leaves nothing out while the service restarts', async () => {
    const file = join(terminal.folder, 'cursor')
    await writeFile(file, `${await latestCursor()}\n`)
    const first = start('--json', '--cursor-file', file)
    const one = await newRoom('One')
    await lines(first, 1)
    await stop(first)
    assert.match(await readFile(file, 'utf8'), /^[1-9]\d*\n$/)
    const two = await newRoom('Two')
    const second = start('--json', '--cursor-file', file)
    await lines(second, 1)
    const { port } = new URL(service.base_url)
    await service.end()
    service = await data.start({ PORT: port })
    const three = await newRoom('Three')
    const printed = (await lines(second, 2)).map(
      line => (JSON.parse(line) as { room: { id: string } }).room.id,
    )
    assert.deepEqual(printed, [two.room_id, three.room_id])
    assert.ok(!printed.includes(one.room_id))
    await stop(second)
  })

  it('ends with the output that nobody reads any more', async () => {
    const cursor = await latestCursor()
    await newRoom('Unread')
    const running = start('--since-cursor', cursor)
    running.child.stdout?.destroy()
    assert.equal((await running.ended).code, 0)
  })

  it('ends after as many events as are asked for', async () => {
    const cursor = await latestCursor()
    const [first] = [await newRoom('First'), await newRoom('Second'), await newRoom('Third')]
    const file = join(terminal.folder, 'limited')
    const begin = ['events', 'follow', '--limit', '1', '--json']
    const one = await terminal.run([...begin, '--since-cursor', cursor, '--cursor-file', file], { env })
    const two = await terminal.run([...begin, '--cursor-file', file], { env })
    const titles = [one, two].map(
      ({ stdout }) => (JSON.parse(stdout) as { room: { title: string } }).room.title,
    )
    assert.deepEqual([one.code, two.code, titles], [0, 0, [first.title, 'Second']])
    assert.equal((await terminal.run(['events', 'follow', '--limit', '0'], { env })).code, 1)
  })

  it('says what is wrong before it follows', async () => {
    const file = join(terminal.folder, 'damaged')
    await writeFile(file, 'yesterday\n')
    for (const [args, code, reason] of [
      [['--since-cursor', 'yesterday'], 1, /^--since-cursor has no place in the feed/],
      [['--cursor-file', file], 1, /damaged has no place in the feed/],
      [['--types', 'room.exploded'], 2, /^The events cannot be followed: .*\(validation_error\)\.\n$/],
      [['--room', 'rom_01JD0000000000000000000000'], 5, /\(not_found\)\.\n$/],
      [['--url', 'http://127.0.0.1:1'], 8, /^The events cannot be followed: /],
    ] as const) {
      const ended = await terminal.run(['events', 'follow', ...args], { env })
      assert.equal(ended.code, code, ended.stderr)
      assert.match(ended.stderr, reason)
    }
    assert.equal(await readFile(file, 'utf8'), 'yesterday\n')
    const refused = await terminal.run(['events', 'follow'], { env: { ...env, WBS_TOKEN: 'x' } })
    assert.deepEqual([refused.code, refused.stdout], [3, ''])
  })

  it('shows the service and apps as actors', () => {
    const event = {
      occurred_at: '2026-11-23T12:00:00Z',
      actor: { type: 'system', user_id: null, name: null, via: null },
      type: 'task.overdue',
      subject: { type: 'task', id: 'tsk_1', name: null },
      room: { id: 'rom_1', title: 'A\u202eB\nC' },
    } as unknown as Parameters<typeof eventLine>[0]
    assert.equal(
      eventLine(event),
      '2026-11-23T12:00:00Z  the service  task.overdue  tsk_1  in “A B C” (rom_1)',
    )
    const by = {
      ...event,
      actor: {
        ...event.actor,
        type: 'person' as const,
        name: 'Ann',
        via: { kind: 'api_key' as const, name: 'Robot', client_id: null },
      },
    }
    assert.match(eventLine(by), / {2}Ann by Robot {2}/)
  })
})
