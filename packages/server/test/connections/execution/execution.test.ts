import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { approvalStatuses } from '@wbs/contract/connections/approvals'
import { verdictOn, type ExecutionState } from '../../../src/connections/execution/execution.ts'

const ready: ExecutionState = {
  status: 'approved',
  saved_status: 'approved',
  held_for: null,
  sent_seconds: null,
  connection_status: 'live',
  is_allowed: true,
  requester_may: true,
  decider_may: true,
  room_is_active: true,
  workspace_is_active: true,
}

const verdict = (over: Partial<ExecutionState>) => {
  const found = verdictOn({ ...ready, ...over }, 60)
  return found.do === 'cancel' ? found.reason : found.do
}

describe('what is done about an approval', () => {
  it('sends an approved action that nobody has sent', () => assert.equal(verdict({}), 'send'))

  it('does nothing about one that waits or has ended', () => {
    for (const status of approvalStatuses)
      if (status !== 'approved') assert.equal(verdict({ status, saved_status: status }), 'nothing')
    assert.equal(verdict({ held_for: 'resume' }), 'nothing')
  })

  it('saves the end of one that has ended by itself', () => {
    for (const status of ['expired', 'canceled'] as const) {
      assert.equal(verdict({ status }), 'end')
      assert.equal(verdict({ status, saved_status: 'pending' }), 'end')
    }
  })

  it('never sends what was sent, and gives up on its result after a minute', () => {
    for (const sent_seconds of [0, 59.9]) assert.equal(verdict({ sent_seconds }), 'wait')
    for (const sent_seconds of [60, 1e9]) assert.equal(verdict({ sent_seconds }), 'give_up')
    // What has changed since does not matter any more.
    const changed = { requester_may: false, connection_status: 'stopped' } as const
    assert.equal(verdict({ sent_seconds: 60, ...changed }), 'give_up')
  })

  it('holds one while the connection is not live', () => {
    for (const connection_status of ['paused', 'error'] as const)
      assert.equal(verdict({ connection_status }), 'hold')
  })

  it('cancels one that somebody may not ask or approve any more, even while it would be held', () => {
    for (const connection_status of ['live', 'paused', 'error'] as const) {
      assert.equal(verdict({ connection_status, requester_may: false }), 'requester_lost_authority')
      assert.equal(verdict({ connection_status, decider_may: false }), 'decider_lost_authority')
      assert.equal(verdict({ connection_status, room_is_active: false }), 'room_archived')
      assert.equal(verdict({ connection_status, workspace_is_active: false }), 'workspace_not_active')
      assert.equal(verdict({ connection_status, is_allowed: false }), 'operation_not_allowed')
    }
  })
})
