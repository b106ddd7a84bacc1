import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { nextState } from '@wbs/contract/state-machine'
import { taskMachine, taskStatuses, unfinishedStatuses } from '@wbs/contract/tasks/task-schema'
import { accessLevels } from '@wbs/contract/scopes'
import {
  changedFields,
  evidenceRule,
  includesRight,
  levelToCreate,
  moveTo,
  rightsOn,
  rightsToUpdate,
  type EditableTask,
} from '../../src/tasks/task.ts'

const edited: EditableTask = {
  title: 'Send the lease',
  description: null,
  section: null,
  business_id: null,
  goal_id: null,
  assignee_user_id: null,
  due_at: null,
  priority: 'none',
  requires_evidence: false,
  status: 'open',
}

describe('what somebody who sees a Task may do with it', () => {
  const roles = {
    nobody: ['a', 'b'],
    creator: ['me', 'b'],
    assignee: ['a', 'me'],
    both: ['me', 'me'],
  } as const
  const expected = {
    view: { nobody: 'comment', creator: 'everything', assignee: 'progress', both: 'everything' },
    edit: { nobody: 'everything', creator: 'everything', assignee: 'everything', both: 'everything' },
    full_access: { nobody: 'everything', creator: 'everything', assignee: 'everything', both: 'everything' },
  } as const
  for (const access_level of accessLevels)
    for (const [role, [created_by, assignee_user_id]] of Object.entries(roles))
      it(`${role} with ${access_level}`, () =>
        assert.equal(
          rightsOn({ access_level, created_by, assignee_user_id }, 'me'),
          expected[access_level][role as keyof typeof roles],
        ))

  it('a right includes those before it', () => {
    assert.equal(includesRight('everything', 'progress'), true)
    assert.equal(includesRight('progress', 'progress'), true)
    assert.equal(includesRight('comment', 'progress'), false)
  })

  it('only the status may be updated by the assignee', () => {
    assert.equal(rightsToUpdate(['status']), 'progress')
    assert.equal(rightsToUpdate(['status', 'title']), 'everything')
    assert.equal(rightsToUpdate(['due_at']), 'everything')
  })
})

describe('the rules of a new Task', () => {
  it('a question takes view access, everything else edit access', () => {
    assert.equal(levelToCreate('question'), 'view')
    assert.equal(levelToCreate('task'), 'edit')
    assert.equal(levelToCreate('evidence_request'), 'edit')
  })

  it('a request for evidence requires it, and cannot be said not to', () => {
    assert.equal(evidenceRule('task', undefined), false)
    assert.equal(evidenceRule('question', true), true)
    assert.equal(evidenceRule('evidence_request', undefined), true)
    assert.equal(evidenceRule('evidence_request', true), true)
    assert.equal(evidenceRule('evidence_request', false), undefined)
  })
})

it('the changed fields of a Task are those that differ', () => {
  assert.deepEqual(changedFields(edited, edited), [])
  for (const field of Object.keys(edited) as (keyof EditableTask)[])
    assert.deepEqual(changedFields(edited, { ...edited, [field]: 'other' }), [field])
})

it('an update moves a Task freely between the statuses of unfinished ones, and only between these', () => {
  for (const to of unfinishedStatuses)
    for (const from of taskStatuses)
      assert.equal(
        nextState(taskMachine, moveTo[to], from),
        from === 'done' || from === 'canceled' ? undefined : to,
        `${from} to ${to}`,
      )
})
