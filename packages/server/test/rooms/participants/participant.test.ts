import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { accessLevels } from '@wbs/contract/scopes'
import {
  removesManager,
  hasNotEnded,
  mayEnd,
  type Participant,
} from '../../../src/rooms/participants/participant.ts'

const active: Participant = { status: 'active', access_level: 'full_access', invited_by: 'inviter' }

describe('a participant', () => {
  it('has not ended while invited or active', () => {
    const statuses = ['pending', 'active', 'revoked', 'expired', 'declined'] as const
    assert.deepEqual(
      statuses.filter(status => hasNotEnded({ status })),
      ['pending', 'active'],
    )
  })

  it('stops managing a Room by losing full access', () => {
    for (const level of [...accessLevels, null])
      assert.equal(removesManager(active, level), level !== 'full_access')
    for (const other of [
      { ...active, access_level: 'edit' },
      { ...active, status: 'pending' },
      { ...active, status: 'expired' },
    ] as const)
      assert.equal(removesManager(other, null), false)
  })

  it('can be ended by managers, and while pending by the sender', () => {
    const pending = { ...active, status: 'pending' } as const
    assert.equal(mayEnd('full_access', 'other', active), true)
    assert.equal(mayEnd('edit', 'inviter', active), false)
    assert.equal(mayEnd('view', 'inviter', pending), true)
    assert.equal(mayEnd('edit', 'other', pending), false)
    assert.equal(mayEnd('view', 'inviter', { ...pending, invited_by: null }), false)
  })
})
