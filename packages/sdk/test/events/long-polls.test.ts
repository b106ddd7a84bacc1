import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { isProblem, UnexpectedAnswer } from '@wbs/sdk'
import { problem, silence, startScriptedServer, text, type ScriptedServer } from '../scripted-server.ts'
import {
  askedFor,
  changes,
  followed,
  message,
  opening,
  shortBounds,
  stream,
  streamAndEnd,
  take,
} from './streams.ts'

let server: ScriptedServer
before(async () => void (server = await startScriptedServer()))
after(() => server.close())

describe('client.events.follow falls back to long polls, and keeps its place,', () => {
  const bodyless: typeof fetch = async (input, init) => {
    const response = await fetch(input, init)
    return (input as URL).href.includes('/stream')
      ? new Response(null, { headers: response.headers })
      : response
  }
  const unfit = {
    'if the answer to the stream is a page of something else': [text(200, '<form>'), {}, {}],
    'if something else refuses the stream': [text(405, 'no streams here'), {}, {}],
    'if the answer to the stream has no body to read': [streamAndEnd(opening('5')), { fetch: bodyless }, {}],
    'if a proxy holds back the head of the stream': [silence, {}, shortBounds],
    'if a proxy holds back the opening of the stream': [stream(''), {}, shortBounds],
    'if a proxy holds back all but the opening of the stream': [stream(opening('5')), {}, shortBounds],
  } as const
  for (const [when, [reaction, settings, bounds]] of Object.entries(unfit))
    it(when, async () => {
      server.script(reaction, changes([6, 7], '7', true), changes([], '9'), changes([10], '10'))
      const options = { cursor: '5', room_id: 'rom_1', types: ['room.*' as const] }
      const feed = followed(server, options, settings, bounds)
      assert.deepEqual(await take(feed, 2), ['evt_6', 'evt_7'])
      assert.equal(feed.cursor, '7')
      assert.deepEqual(await take(feed, 1), ['evt_10'])
      await feed.return?.()
      assert.deepEqual(askedFor(server), ['stream 5', 'changes 5', 'changes 7', 'changes 9'])
      assert.equal(
        server.seen[1]?.url,
        '/v1/events/changes?room_id=rom_1&types=room.*&cursor=5&limit=100&wait_seconds=25',
      )
    })

  it('if a proxy answers for the stream three times that it waits too long', async () => {
    server.script(...[1, 2, 3].map(() => text(504, 'timeout')), changes([6], '6'))
    const feed = followed(server, { cursor: '5' }, { attempts: 5 })
    assert.deepEqual(await take(feed, 1), ['evt_6'])
    await feed.return?.()
    assert.deepEqual(askedFor(server), ['stream 5', 'stream 5', 'stream 5', 'changes 5'])
  })

  it('and tries the stream again later', async () => {
    const feed = followed(server, { cursor: '5' }, {}, { polling: 0 })
    server.script(text(200, '<form>'), stream(message(7)))
    assert.deepEqual(await take(feed, 1), ['evt_7'])
    await feed.return?.()
    assert.deepEqual(askedFor(server), ['stream 5', 'stream 5'])
  })

  it('beginning at the end of the list if it has no place to keep', async () => {
    server.script(text(200, '<form>'), changes([1, 2], '2', true), changes([3], '3'), changes([4], '4'))
    const feed = followed(server)
    assert.deepEqual(await take(feed, 1), ['evt_4'])
    await feed.return?.()
    assert.deepEqual(askedFor(server), ['stream null', 'changes null', 'changes 2', 'changes 3'])
    const waits = server.seen
      .slice(1)
      .map(({ url }) => new URL(url, 'http://x').searchParams.get('wait_seconds'))
    assert.deepEqual(waits, ['0', '0', '25'])
  })

  it('beginning before the first event of all if the stream began there', async () => {
    server.script(streamAndEnd('retry: 20\n\n: nothing new\n\n'), changes([1], '1'), stream(message(2)))
    const feed = followed(server)
    assert.deepEqual(await take(feed, 2), ['evt_1', 'evt_2'])
    await feed.return?.()
    assert.deepEqual(askedFor(server), ['stream null', 'changes null', 'stream 1'])
  })

  it('keeping the place before a page until the last event of it', async () => {
    server.script(text(200, '<form>'), changes([6, 7, 8], '8'))
    const feed = followed(server, { cursor: '5' })
    const cursors: (string | null)[] = []
    for (let event = 6; event <= 8; event++) {
      await feed.next()
      cursors.push(feed.cursor)
    }
    await feed.return?.()
    assert.deepEqual(cursors, ['5', '5', '8'])
  })

  it('and repeats a poll that fails, for as long as that may help', async () => {
    server.script(
      text(200, '<form>'),
      changes([6], '6'),
      problem('unavailable', { 'retry-after': '0' }),
      text(502, 'bad gateway'),
      problem('unavailable', { 'retry-after': '0' }),
      text(504, 'timeout'),
      changes([7], '7'),
      problem('not_found'),
    )
    const feed = followed(server, { cursor: '5' })
    assert.deepEqual(await take(feed, 2), ['evt_6', 'evt_7'])
    await assert.rejects(feed.next(), error => isProblem(error, 'not_found'))
  })

  it('and does not ask again and again a service that answers at once', async () => {
    server.script(text(200, '<form>'), changes([], '5'))
    const feed = followed(server, { cursor: '5' })
    const next = feed.next()
    await new Promise(resolve => setTimeout(resolve, 1500))
    await feed.return?.()
    assert.equal((await next).done, true)
    assert.ok(server.seen.length <= 3, `${server.seen.length} requests`)
  })

  it('and ends with what answers its polls if that is not the service either', async () => {
    server.script(text(200, '<form>'))
    await assert.rejects(followed(server, { cursor: '5' }).next(), UnexpectedAnswer)
    assert.deepEqual(askedFor(server), ['stream 5', 'changes 5'])
  })
})
