import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { isProblem, ProblemError, UnexpectedAnswer } from '@wbs/sdk'
import {
  hangUp,
  problem,
  silence,
  startScriptedServer,
  text,
  type ScriptedServer,
} from '../scripted-server.ts'
import { eventually } from '../../../server/test/harness/eventually.ts'
import { askedFor, comment, followed, message, opening, stream, streamAndEnd, take } from './streams.ts'

let server: ScriptedServer
before(async () => void (server = await startScriptedServer()))
after(() => server.close())

describe('client.events.follow', () => {
  it('yields the events of the stream that it asks for, with the credential and the Workspace', async () => {
    server.script(stream(opening('5') + message(6) + message(7)))
    const workspace_id = '0190a7a2-0000-7000-8000-000000000001'
    const options = {
      room_id: 'rom_1',
      types: ['room.*' as const, 'file.created' as const],
      cursor: '5',
      workspace_id,
    }
    const feed = followed(server, options)
    assert.deepEqual(await take(feed, 2), ['evt_6', 'evt_7'])
    await feed.return?.()
    const [request] = server.seen
    assert.equal(request?.url, '/v1/events/stream?room_id=rom_1&types=room.*%2Cfile.created&cursor=5')
    assert.equal(request?.headers.accept, 'text/event-stream')
    assert.equal(request?.headers.authorization, 'Bearer token')
    assert.equal(request?.headers['svc-workspace-id'], workspace_id)
    server.script(stream(opening('5') + message(6)))
    const withKey = followed(server, {}, { access_token: undefined, api_key: 'key' } as object)
    await take(withKey, 1)
    await withKey.return?.()
    assert.equal(server.seen[0]?.headers['x-svc-api-key'], 'key')
  })

  it('requests nothing before the first event is asked for', async () => {
    server.script(stream(opening('5') + message(6)))
    const feed = followed(server)
    await pass(50)
    assert.equal(server.seen.length, 0)
    assert.equal(feed.cursor, null)
    await feed.return?.()
    assert.deepEqual(await feed.next(), { done: true, value: undefined })
    assert.equal(server.seen.length, 0)
  })

  it('says where to go on: after the event that was read, and after comments', async () => {
    server.script(stream(opening('5') + message(6) + message(7), later(100, comment('9'))))
    const feed = followed(server, { cursor: '5' })
    const cursors = [feed.cursor]
    for (let event = 6; event <= 7; event++) {
      await feed.next()
      cursors.push(feed.cursor)
    }
    assert.deepEqual(cursors, ['5', '6', '7'])
    const last = feed.next()
    await eventually(() => feed.cursor === '9')
    await feed.return?.()
    assert.equal((await last).done, true)
  })

  describe('goes on after the last event', () => {
    const cut = Buffer.from(message(7)).subarray(0, 20)
    for (const [when, first] of [
      ['the stream ends', streamAndEnd(opening('5') + message(6))],
      [
        'the connection is lost in the middle of an event',
        stream(Buffer.concat([Buffer.from(opening('5') + message(6)), cut]), later(30, null)),
      ],
      ['only the id of an event came', stream(opening('5') + message(6) + 'id: 7\n', later(30, null))],
    ] as const)
      it(`when ${when}`, async () => {
        server.script(first, stream(opening('6') + message(7) + message(8)))
        const feed = followed(server, { cursor: '5' })
        assert.deepEqual(await take(feed, 3), ['evt_6', 'evt_7', 'evt_8'])
        await feed.return?.()
        assert.deepEqual(askedFor(server), ['stream 5', 'stream 6'])
      })

    it('when the connection is lost before the first one, from where the stream began', async () => {
      server.script(streamAndEnd(opening('5')), streamAndEnd(comment('9')), stream(message(10)))
      const feed = followed(server)
      assert.deepEqual(await take(feed, 1), ['evt_10'])
      await feed.return?.()
      assert.deepEqual(askedFor(server), ['stream null', 'stream 5', 'stream 9'])
    })

    it('through the restart of the service: refused connections, 502, 503 and 429 with their Retry-After', async () => {
      server.script(
        streamAndEnd(opening('5') + message(6)),
        hangUp,
        text(502, 'bad gateway'),
        problem('unavailable', { 'retry-after': '1' }),
        problem('rate_limited', { 'retry-after': '1' }, { 'violated-policies': ['read'] }),
        stream(message(7)),
      )
      const feed = followed(server)
      assert.deepEqual(await take(feed, 2), ['evt_6', 'evt_7'])
      await feed.return?.()
      assert.equal(server.seen.length, 6)
      const pauses = server.seen.slice(1).map(({ at }, i) => at - (server.seen[i]?.at ?? 0))
      assert.ok((pauses[3] ?? 0) >= 990 && (pauses[4] ?? 0) >= 990, pauses.join())
      assert.equal(new Set(askedFor(server).slice(1)).size, 1)
    })

    it('with a fresh access token for each connection', async () => {
      let asked = 0
      server.script(
        streamAndEnd(opening('5')),
        problem('unavailable', { 'retry-after': '0' }),
        stream(message(6)),
      )
      const feed = followed(server, {}, { access_token: async () => `token-${++asked}` })
      await take(feed, 1)
      await feed.return?.()
      assert.deepEqual(
        server.seen.map(({ headers }) => headers.authorization),
        ['Bearer token-1', 'Bearer token-2', 'Bearer token-3'],
      )
    })

    it('when the connection is dead: it has sent comments, and then nothing for too long', async () => {
      const beating = stream(opening('5') + message(6), response => {
        for (const at of [1000, 2000, 3000, 4000]) setTimeout(() => response.write(comment('6')), at)
      })
      server.script(beating, stream(message(7)))
      const feed = followed(server, {}, {}, { opening: 3500, silence: 2000 })
      const start = performance.now()
      assert.deepEqual(await take(feed, 2), ['evt_6', 'evt_7'])
      assert.ok(performance.now() - start > 5900, 'the connection was given up while it lived')
      await feed.return?.()
      assert.deepEqual(askedFor(server), ['stream null', 'stream 6'])
    })
  })

  it('yields an event that is sent twice once, on one connection and on two', async () => {
    server.script(
      streamAndEnd(opening('5') + message(6) + message(6) + message(7)),
      stream(message(6) + message(7) + message(8)),
    )
    const feed = followed(server)
    assert.deepEqual(await take(feed, 3), ['evt_6', 'evt_7', 'evt_8'])
    await feed.return?.()
  })

  describe('ends', () => {
    const codes = ['unauthenticated', 'forbidden', 'not_found'] as const
    for (const code of codes)
      it(`with the problem ${code} when access ends`, async () => {
        server.script(streamAndEnd(opening('5') + message(6)), problem(code))
        const feed = followed(server)
        assert.deepEqual(await take(feed, 1), ['evt_6'])
        await assert.rejects(feed.next(), error => isProblem(error, code))
        assert.deepEqual(await feed.next(), { done: true, value: undefined })
        assert.equal(server.seen.length, 2)
        assert.equal(feed.cursor, '6')
      })

    it('with the problem of a wrong parameter', async () => {
      server.script(problem('validation_error', {}, { errors: [] }))
      await assert.rejects(followed(server, { cursor: 'x' }).next(), ProblemError)
      assert.equal(server.seen.length, 1)
    })

    it('with the error of its first connection, if three attempts or as many as are set fail', async () => {
      server.script(hangUp)
      await assert.rejects(followed(server).next(), TypeError)
      assert.equal(server.seen.length, 3)
      server.script(problem('unavailable', { 'retry-after': '0' }))
      await assert.rejects(followed(server, {}, { attempts: 1 }).next(), ProblemError)
      assert.equal(server.seen.length, 1)
    })

    it('with an error if something in the stream is no event', async () => {
      server.script(stream(`${opening('5')}data: {"id"\n\n`))
      await assert.rejects(followed(server).next(), UnexpectedAnswer)
    })
  })

  describe('ends without an error, and closes its connection at once', () => {
    const closed = async (closings: number) => {
      await eventually(() => closedStreams >= closings)
      assert.equal(closedStreams, closings)
    }
    let closedStreams = 0
    const open = (content: string) => stream(content, response => response.on('close', () => closedStreams++))

    it('when its signal is aborted while it waits for an event', async () => {
      closedStreams = 0
      server.script(open(opening('5')))
      const end = new AbortController()
      const bounds = { silence: 60_000 }
      void eventually(() => server.seen.length > 0)
        .then(() => pass(100))
        .then(() => end.abort())
      const start = performance.now()
      for await (const _ of followed(server, { signal: end.signal }, {}, bounds)) assert.fail()
      assert.ok(performance.now() - start < 30_000)
      await closed(1)
    })

    it('when its signal is aborted while an event is handled, whatever else has arrived', async () => {
      closedStreams = 0
      server.script(open(opening('5') + message(6) + message(7)))
      const end = new AbortController()
      const ids: string[] = []
      for await (const { id } of followed(server, { signal: end.signal })) {
        ids.push(id)
        end.abort()
        await closed(1)
      }
      assert.deepEqual(ids, ['evt_6'])
    })

    it('when its signal is aborted while it waits to reconnect, or for an answer', async () => {
      for (const last of [problem('unavailable', { 'retry-after': '29' }), silence]) {
        server.script(streamAndEnd(opening('5')), last)
        const end = new AbortController()
        void eventually(() => server.seen.length > 1)
          .then(() => pass(100))
          .then(() => end.abort())
        const start = performance.now()
        for await (const _ of followed(server, { signal: end.signal }, {}, { opening: 60_000 })) assert.fail()
        assert.ok(performance.now() - start < 28_000)
      }
      const requests = server.seen.length
      await pass(100)
      assert.equal(server.seen.length, requests)
    })

    it('when its loop is left', async () => {
      closedStreams = 0
      server.script(open(opening('5') + message(6) + message(7)))
      for await (const event of followed(server)) {
        assert.equal(event.id, 'evt_6')
        break
      }
      await closed(1)
      await pass(100)
      assert.equal(server.seen.length, 1)
    })

    it('when return is called while it waits for an event', async () => {
      closedStreams = 0
      server.script(open(opening('5')))
      const feed = followed(server)
      const next = feed.next()
      await eventually(() => server.seen.length > 0)
      await pass(80)
      await feed.return?.()
      assert.deepEqual(await next, { done: true, value: undefined })
      await closed(1)
    })

    it('when its signal was aborted before, without a request', async () => {
      server.script(open(opening('5')))
      for await (const _ of followed(server, { signal: AbortSignal.abort() })) assert.fail()
      assert.equal(server.seen.length, 0)
    })
  })
})

/** Writes after some milliseconds, or closes the connection for null. */
function later(milliseconds: number, content: string | null) {
  return (response: import('node:http').ServerResponse) =>
    void setTimeout(() => (content === null ? response.destroy() : response.write(content)), milliseconds)
}
