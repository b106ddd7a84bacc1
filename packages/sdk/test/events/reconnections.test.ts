import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { setTimeout as pass } from 'node:timers/promises'
import { problem, startScriptedServer, text, type ScriptedServer } from '../scripted-server.ts'
import { changes, comment, followed, message, opening, streamAndEnd, take } from './streams.ts'

let server: ScriptedServer
before(async () => void (server = await startScriptedServer()))
after(() => server.close())

/** How many requests a feed sends after its first event in so many milliseconds: hundreds if it does not wait. */
async function requestsWithin(milliseconds: number): Promise<number> {
  const feed = followed(server)
  assert.deepEqual(await take(feed, 1), ['evt_6'])
  const next = feed.next()
  await pass(milliseconds)
  await feed.return?.()
  assert.equal((await next).done, true)
  return server.seen.length - 1
}

describe('A feed does not ask again and again', () => {
  it('a service that says to wait for no time', async () => {
    server.script(streamAndEnd(opening('5') + message(6)), problem('unavailable', { 'retry-after': '0' }))
    assert.ok((await requestsWithin(1500)) <= 20, `${server.seen.length} requests`)
  })

  it('a service that says to wait for longer than a timer can', async () => {
    server.script(
      streamAndEnd(opening('5') + message(6)),
      problem('unavailable', { 'retry-after': '9999999' }),
    )
    assert.equal(await requestsWithin(500), 1)
    server.script(streamAndEnd(`retry: 9999999999\n\n${comment('5')}${message(6)}`))
    assert.equal(await requestsWithin(500), 0)
  })

  it('a service that ends its streams at once, and says to come back at once', async () => {
    server.script(streamAndEnd(`retry: 0\n\n${comment('5')}${message(6)}`), streamAndEnd('retry: 0\n\n'))
    assert.ok((await requestsWithin(1500)) <= 20, `${server.seen.length} requests`)
  })

  it('for a page that leads to itself', async () => {
    server.script(text(200, '<form>'), changes([], '5'), changes([6], '6', true))
    assert.ok((await requestsWithin(1500)) <= 20, `${server.seen.length} requests`)
  })
})
