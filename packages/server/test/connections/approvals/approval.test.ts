import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { approvalMachine, approvalStatuses } from '@wbs/contract/connections/approvals'
import { accessLevels } from '@wbs/contract/scopes'
import {
  afterMove,
  approvingWhile,
  expiryOf,
  mayCancel,
  mayDecide,
  oneLine,
  stateOf,
} from '../../../src/connections/approvals/approval.ts'

const now = new Date('2026-11-23T03:00:00.000Z')
const inSeconds = (seconds: number) => new Date(now.getTime() + seconds * 1000).toISOString()

describe('the rules of approvals', () => {
  it('let a request expire in 7 days, or from 1 second to 30 days ahead', () => {
    assert.equal(expiryOf(undefined, now)?.toISOString(), '2026-11-30T03:00:00.000Z')
    for (const seconds of [1, 30 * 86_400]) {
      const asked = inSeconds(seconds)
      assert.equal(expiryOf(asked, now)?.toISOString(), asked)
    }
    for (const seconds of [-1, 0, 0.999, 30 * 86_400 + 0.001])
      assert.equal(expiryOf(inSeconds(seconds), now), null)
  })

  it('show the state held as the status approved', () => {
    assert.equal(stateOf({ status: 'approved', held_for: 'resume' }), 'held')
    for (const status of approvalStatuses) assert.equal(stateOf({ status, held_for: null }), status)
  })

  it('make of each approval what the state machine says', () => {
    for (const [move, table] of Object.entries(approvalMachine.moves))
      for (const state of approvalMachine.states) {
        const before =
          state === 'held'
            ? ({ status: 'approved', held_for: 'resume' } as const)
            : { status: state, held_for: null }
        const next = afterMove(move as keyof typeof approvalMachine.moves, before)
        assert.equal(next && stateOf(next), (table as Record<string, string>)[state], `${move} from ${state}`)
      }
  })

  it('wait with an action while the connection is not live', () => {
    assert.equal(approvingWhile('live'), 'approve')
    for (const status of ['paused', 'error'] as const)
      assert.equal(approvingWhile(status), 'approve_while_paused')
  })

  it('let the sharer decide at any level while the sharing lasts, and whoever has full access', () => {
    for (const access_level of accessLevels)
      for (const user_id of ['sharer', 'somebody'])
        for (const sharing_lasts of [true, false])
          assert.equal(
            mayDecide({ asked_of_user_id: 'sharer', sharing_lasts }, { user_id, key_id: null, access_level }),
            access_level === 'full_access' || (user_id === 'sharer' && sharing_lasts),
          )
  })

  it('let the requester cancel in person or with the API key that asked, and whoever has full access', () => {
    const request = { requested_by: 'requester', requester_key_id: 'key' }
    const may = (
      user_id: string,
      key_id: string | null,
      access_level: (typeof accessLevels)[number] = 'view',
    ) => mayCancel(request, { user_id, key_id, access_level })
    assert.ok(may('requester', null))
    assert.ok(may('requester', 'key'))
    assert.ok(!may('requester', 'another key'))
    assert.ok(!may('requester', 'another key', 'full_access'))
    assert.ok(!may('somebody', 'key', 'full_access'))
    assert.ok(!may('somebody', null, 'edit'))
    assert.ok(may('somebody', null, 'full_access'))
    const inPerson = { ...request, requester_key_id: null }
    assert.ok(!mayCancel(inPerson, { user_id: 'requester', key_id: 'key', access_level: 'edit' }))
  })

  it('show a summary in one line of at most 200 characters, whatever a plugin returns', () => {
    assert.equal(oneLine(' Pay\r\n  100\u2028 now\u0000\t'), 'Pay 100 now')
    assert.equal(oneLine('Pay \u202e001\u202c to \u2066us'), 'Pay 001 to us')
    assert.equal(oneLine('\ud800 half'), '\ufffd half')
    assert.equal(oneLine('😀'.repeat(201)), '😀'.repeat(200))
  })
})
