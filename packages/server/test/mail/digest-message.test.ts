import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { digestMessage, type DigestPlace } from '../../src/mail/digest-message.ts'

const place = (title: string, tasks: number, approvals: number): DigestPlace => ({
  room: { room_id: 'rom_00000000000000000000000000', title },
  tasks,
  approvals,
})
const digest = (places: readonly DigestPlace[], workspace_name = 'Harbor') =>
  digestMessage({ to: 'zoe@example.com', workspace_name, places })

describe('the digest of mail that was held back', () => {
  it('says how much of what is asked where', () => {
    const { to, subject, text } = digest([
      place('Glacier', 380, 1),
      place('Moraine', 0, 1200),
      { room: null, tasks: 1, approvals: 0 },
    ])
    assert.equal(to, 'zoe@example.com')
    assert.equal(
      subject,
      'Waiting for you in the Workspace “Harbor”: 381 Tasks and 1,201 requested approvals',
    )
    assert.match(
      text,
      /^In the Room “Glacier” \(rom_00000000000000000000000000\): 380 Tasks and one requested approval\.$/m,
    )
    assert.match(text, /^In the Room “Moraine” \(rom_0+\): 1,200 requested approvals\.$/m)
    assert.match(text, /^In no Room: one Task\.$/m)
    assert.match(text, /SVC_TASK_MAIL=off/)
  })

  it('names a limited number of places, and counts the others', () => {
    const { text } = digest(Array.from({ length: 25 }, (_, at) => place(`Room ${at}`, 1, 0)))
    assert.equal(text.match(/In the Room/g)?.length, 20)
    assert.match(text, /And in more places: 5\./)
  })

  it('makes no link, line or element of a name', () => {
    const { subject, text, html } = digest(
      [place('</p>\r\n<script> https://evil.example', 1, 0)],
      'Win\r\nBcc: a@b.example www.evil.example',
    )
    assert.doesNotMatch(subject, /\r|\n|evil\.example/)
    assert.doesNotMatch(text, /evil\.example|a@b|\r/)
    assert.doesNotMatch(html, /<script|<a /)
  })
})
