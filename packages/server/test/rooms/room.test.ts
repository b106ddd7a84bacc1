import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { changedFields, editRoom, findConflict, type Room } from '../../src/rooms/room.ts'

const room: Room = {
  title: 'Sale of Glacier Credit Union',
  purpose: null,
  status: 'active',
  business_id: 'biz_1',
  parent_id: null,
  general_access: 'invited_only',
  general_access_level: null,
  participant_visibility: 'everyone',
  guest_files: null,
}

describe('a Room that is edited', () => {
  it('gets the general level view unless another one is given', () => {
    assert.equal(editRoom(room, { general_access: 'workspace' }).general_access_level, 'view')
    const edited = editRoom(room, { general_access: 'business', general_access_level: 'edit' })
    assert.equal(edited.general_access_level, 'edit')
    assert.equal(editRoom(edited, { general_access: 'workspace' }).general_access_level, 'edit')
  })

  it('has no general level once it is invited_only', () => {
    const open = editRoom(room, { general_access: 'workspace', general_access_level: 'edit' })
    assert.equal(editRoom(open, { general_access: 'invited_only' }).general_access_level, null)
  })

  it('keeps fields that are not given, and clears fields that are null', () => {
    const purpose = editRoom(room, { purpose: 'To find a buyer' })
    assert.deepEqual(editRoom(purpose, { title: 'New' }), {
      ...room,
      title: 'New',
      purpose: 'To find a buyer',
    })
    assert.equal(editRoom(purpose, { purpose: null }).purpose, null)
  })

  it('separates changes of its description from changes of access', () => {
    const after = editRoom(room, {
      title: 'New',
      general_access: 'workspace',
      participant_visibility: 'managers',
    })
    assert.deepEqual(changedFields(room, after), {
      described: ['title'],
      access: ['general_access', 'general_access_level', 'participant_visibility'],
    })
    assert.deepEqual(changedFields(room, editRoom(room, { title: room.title })), {
      described: [],
      access: [],
    })
  })
})

describe('a conflicting change of a Room', () => {
  const fieldOf = (...[of, changes]: Parameters<typeof findConflict>) => findConflict(of, changes)?.field

  it('is general access to a sub-room', () => {
    const sub = { ...room, parent_id: 'rom_1' }
    assert.equal(fieldOf(sub, { general_access: 'workspace' }), 'general_access')
    assert.equal(fieldOf(sub, { general_access: 'invited_only' }), undefined)
    assert.equal(fieldOf(sub, { title: 'New' }), undefined)
  })

  it('is general access by Business without a Business', () => {
    assert.equal(fieldOf({ ...room, business_id: null }, { general_access: 'business' }), 'general_access')
    assert.equal(fieldOf(room, { general_access: 'business' }), undefined)
  })

  it('is a general level of an invited_only Room', () => {
    assert.equal(fieldOf(room, { general_access_level: 'edit' }), 'general_access_level')
    assert.equal(fieldOf(room, { general_access: 'workspace', general_access_level: 'edit' }), undefined)
  })
})
