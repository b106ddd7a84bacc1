import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { teamInvitationMessage, type TeamInvitation } from '../../src/mail/invitation-message.ts'
import { unlinkedLine } from '../../src/mail/mail-line.ts'
import { hostileTexts } from '../hostile/hostile-text.ts'

const invitation: TeamInvitation = {
  to: 'zoe@example.com',
  workspace_name: 'Harbor Street Partners',
  inviter_name: 'Olivia Bennett',
  role: 'admin',
  link: 'https://service.example/invitations#token=svi_abc',
  expires_at: new Date('2026-12-04T16:49:30Z'),
}

const textOf = (html: string) =>
  html.replaceAll(/<[^>]*>/g, '').replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code)))

describe('the mail that invites into a team', () => {
  it('says who invites, where to, as what, until when, and that nothing happens by itself', () => {
    const { to, subject, text, html } = teamInvitationMessage(invitation)
    assert.equal(to, 'zoe@example.com')
    assert.equal(subject, 'Invitation to the Workspace “Harbor Street Partners”')
    for (const body of [text, textOf(html)]) {
      assert.match(
        body,
        /Olivia Bennett invites you to the Workspace “Harbor Street Partners”, as an admin\./,
      )
      assert.match(body, /for zoe@example\.com alone, and good until December 4, 2026 at 16:49 UTC\./)
      assert.match(body, /opening the link joins nothing/)
      assert.ok(body.includes(invitation.link))
    }
    assert.ok(html.includes(`href="${invitation.link}"`))
  })

  it('loads nothing, runs nothing and counts nobody', () => {
    const { html } = teamInvitationMessage(invitation)
    assert.doesNotMatch(html, /<(?:img|script|link|iframe|object|form)\b|\bsrc=|url\(|@import|\son\w+=/i)
    assert.deepEqual(
      [...html.matchAll(/href="([^"]*)"/g)].map(match => match[1]),
      [invitation.link],
    )
  })

  it('goes without the name of an inviter who has none', () => {
    const { text } = teamInvitationMessage({ ...invitation, inviter_name: null })
    assert.match(text, /^Somebody invites you/)
  })

  it('escapes what people call things', () => {
    const name = `</p><script>alert(1)</script><a href="javascript:x">&amp;'"`
    const { html, text } = teamInvitationMessage({ ...invitation, workspace_name: name, inviter_name: name })
    assert.doesNotMatch(html, /<script|<a href="javascript/)
    assert.ok(textOf(html).includes(unlinkedLine(name, 100)))
    assert.ok(text.includes('<script>'))
  })

  it('takes no line, nothing unseen and no length from a name', () => {
    for (const hostile of [
      ...hostileTexts,
      'a\r\nBcc: eve@example.com\r\n\r\nx',
      '\u202egnp.exe',
      'a'.repeat(5000),
    ]) {
      const { subject, text, html } = teamInvitationMessage({
        ...invitation,
        workspace_name: hostile,
        inviter_name: hostile,
      })
      // U+200B breaks up the links.
      assert.doesNotMatch(subject.replaceAll('\u200b', ''), /[\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]/u)
      assert.ok(subject.length < 300)
      assert.doesNotMatch(text.replaceAll(/[\n\u200b]/g, ''), /[\p{Cc}\p{Cf}\p{Cs}]/u)
      assert.equal(text.split('\n').length, teamInvitationMessage(invitation).text.split('\n').length)
      assert.equal(html.split('\n').length, teamInvitationMessage(invitation).html.split('\n').length)
    }
  })

  it('makes no link of a name: whoever names a Workspace cannot mail addresses to strangers', () => {
    const name = 'Win now: https://evil.example/x www.evil.example eve@evil.example'
    const { subject, text, html } = teamInvitationMessage({ ...invitation, workspace_name: name })
    for (const body of [subject, text, textOf(html)])
      assert.doesNotMatch(body, /https:\/\/evil|evil\.example|eve@evil/)
  })
})
