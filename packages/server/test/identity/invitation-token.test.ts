import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { emailKey, maskedEmail, spellingsOf } from '../../src/identity/email-address.ts'
import { createInvitationTokens, digestOfToken, kindOfToken } from '../../src/identity/invitation-token.ts'

describe('the token of an invitation', () => {
  const tokens = createInvitationTokens(Buffer.from('a secret of more than thirty-two characters'), 'team')
  const id = '0190a7a2-0000-7000-8000-000000000001'

  it('is the same on every node, and another for each invitation, each number and each secret', () => {
    const token = tokens.tokenOf(id, 1)
    assert.match(token, /^svi_[\w-]{43}$/)
    assert.equal(
      createInvitationTokens(Buffer.from('a secret of more than thirty-two characters'), 'team').tokenOf(
        id,
        1,
      ),
      token,
    )
    const others = [
      tokens.tokenOf(id, 2),
      tokens.tokenOf(id.replace(/1$/, '2'), 1),
      createInvitationTokens(Buffer.from('another secret of more than thirty-two'), 'team').tokenOf(id, 1),
    ]
    assert.equal(new Set([token, ...others]).size, 4)
  })

  it('is found by the digest that is kept of it', () => {
    assert.deepEqual(digestOfToken(tokens.tokenOf(id, 1), 'team'), tokens.digestOf(id, 1))
    for (const none of ['', 'svi_', tokens.tokenOf(id, 1).slice(1), `${tokens.tokenOf(id, 1)}=`])
      assert.equal(digestOfToken(none, 'team'), null)
  })

  it('tells what it is for: one into a team finds no Room, nor is it made from the same', () => {
    const ofRooms = createInvitationTokens(Buffer.from('a secret of more than thirty-two characters'), 'room')
    const [team, room] = [tokens.tokenOf(id, 1), ofRooms.tokenOf(id, 1)]
    assert.match(room, /^svr_[\w-]{43}$/)
    assert.notEqual(team.slice(4), room.slice(4))
    assert.deepEqual([team, room, 'svx_', ''].map(kindOfToken), ['team', 'room', null, null])
    assert.deepEqual(digestOfToken(room, 'room'), ofRooms.digestOf(id, 1))
    assert.deepEqual([digestOfToken(room, 'team'), digestOfToken(team, 'room')], [null, null])
  })
})

describe('an address', () => {
  it('is compared in lower case, with its domain in ASCII', () => {
    for (const spelling of ['Zoe+A@Häfen.Example', 'zoe+a@xn--hfen-loa.example', 'ZOE+A@HÄFEN.example'])
      assert.equal(emailKey(spelling), 'zoe+a@xn--hfen-loa.example')
    assert.equal(emailKey('"odd@local"@example.com'), '"odd@local"@example.com')
    for (const none of ['', 'zoe', '@example.com', 'zoe@', 'zoe@a b.example', 'zoe@127.0.0.1', 'zoe@[::1]'])
      assert.equal(emailKey(none), null, none)
  })

  it('has two spellings where its domain is international', () => {
    assert.deepEqual(spellingsOf('zoe@xn--hfen-loa.example'), [
      'zoe@xn--hfen-loa.example',
      'zoe@häfen.example',
    ])
  })

  it('is shown by its edges alone', () => {
    assert.equal(maskedEmail('olivia@example.com'), 'o…@e….com')
    assert.equal(maskedEmail('o@mail.example.co.uk'), 'o…@m….uk')
    assert.equal(maskedEmail('zoe@𠮷野.example'), 'z…@𠮷….example')
  })
})
