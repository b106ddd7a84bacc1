import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { unlinkedLine } from '../../src/mail/mail-line.ts'
import { roomInvitationMessage, type RoomInvitation } from '../../src/mail/room-invitation-message.ts'
import { hostileTexts } from '../hostile/hostile-text.ts'

const invitation: RoomInvitation = {
  to: 'zoe@example.com',
  room_title: 'Sale of Glacier',
  workspace_name: 'Harbor Street Partners',
  inviter_name: 'Olivia Bennett',
  access_level: 'view',
  message: 'The data room is ready',
  link: 'https://service.example/invitations#token=svr_abc',
  expires_at: new Date('2026-12-04T16:49:30Z'),
}

const textOf = (html: string) =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

describe('the mail that invites to a Room', () => {
  it('says who invites, where to, with which level, what they say, until when, and that nothing happens by itself', () => {
    const { to, subject, text, html } = roomInvitationMessage(invitation)
    assert.equal(to, 'zoe@example.com')
    assert.equal(subject, 'Invitation to the Room “Sale of Glacier”')
    for (const body of [text, textOf(html)]) {
      assert.match(
        body,
        /Olivia Bennett invites you to the Room “Sale of Glacier” of “Harbor Street Partners”, to view what is in it\./,
      )
      assert.match(body, /Olivia Bennett writes: “The data room is ready”/)
      assert.match(body, /for zoe@example\.com alone, and good until December 4, 2026 at 16:49 UTC\./)
      assert.match(body, /opening the link joins nothing/)
      assert.ok(body.includes(invitation.link))
    }
    assert.ok(html.includes(`href="${invitation.link}"`))
  })

  it('names each level', () => {
    const said = (access_level: string) => roomInvitationMessage({ ...invitation, access_level }).text
    assert.match(said('edit'), /to view and edit what is in it\./)
    assert.match(said('full_access'), /with full access\./)
  })

  it('goes without a message, and without the name of an inviter who has none', () => {
    const { text } = roomInvitationMessage({ ...invitation, inviter_name: null, message: null })
    assert.match(text, /^Somebody invites you/)
    assert.doesNotMatch(text, /writes/)
  })

  it('loads nothing, runs nothing and counts nobody', () => {
    const { html } = roomInvitationMessage(invitation)
    assert.doesNotMatch(html, /<(?:img|script|link|iframe|object|form)\b|\bsrc=|url\(|@import|\son\w+=/i)
    assert.deepEqual(
      [...html.matchAll(/href="([^"]*)"/g)].map(match => match[1]),
      [invitation.link],
    )
  })

  it('escapes what people write', () => {
    const name = `</p><script>alert(1)</script><a href="javascript:x">&amp;'"`
    const message = roomInvitationMessage({
      ...invitation,
      room_title: name,
      inviter_name: name,
      message: name,
    })
    assert.doesNotMatch(message.html, /<script|<a href="javascript/)
    assert.ok(textOf(message.html).includes(unlinkedLine(name, 100)))
  })

  it('takes no line, no header, nothing unseen and no links from what people write', () => {
    const lines = ({ text, html }: { text: string; html: string }) =>
      [text, html].map(body => body.split('\n').length)
    const hostile = [
      'a\r\nBcc: eve@example.com\r\n\r\nx',
      '\u202egnp.exe',
      'a'.repeat(5000),
      'Win now: https://evil.example/x www.evil.example eve@evil.example',
      ...hostileTexts.filter(text => unlinkedLine(text, 2000) !== ''),
    ]
    for (const text of hostile) {
      const message = roomInvitationMessage({
        ...invitation,
        room_title: text,
        workspace_name: text,
        inviter_name: text,
        message: text,
      })
      assert.doesNotMatch(message.subject.replaceAll('\u200b', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      assert.ok(message.subject.length < 300)
      assert.doesNotMatch(message.text.replaceAll(/[\n\u200b]/g, ''), /[\p{Cc}\p{Cf}\p{Cs}]/u)
      assert.deepEqual(lines(message), lines(roomInvitationMessage(invitation)))
      for (const body of [message.subject, message.text, textOf(message.html)])
        assert.doesNotMatch(body, /https:\/\/evil|evil\.example|eve@evil/)
    }
  })
})
