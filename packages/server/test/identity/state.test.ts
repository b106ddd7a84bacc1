import assert from 'node:assert/strict'
import { test } from 'node:test'

import { inMemoryState } from '../../src/identity/development/state.ts'

test('what expired is gone, and what has no end stays', async t => {
  t.mock.timers.enable({ apis: ['Date'], now: 0 })
  const sessions = inMemoryState()('Session')
  await sessions.upsert('a', { uid: 'u' }, 60)
  await sessions.upsert('b', { uid: 'v' })
  t.mock.timers.setTime(59_999)
  assert.deepEqual(await sessions.find('a'), { uid: 'u' })
  assert.deepEqual(await sessions.findByUid('u'), { uid: 'u' })
  t.mock.timers.setTime(60_000)
  assert.equal(await sessions.find('a'), undefined)
  assert.equal(await sessions.findByUid('u'), undefined)
  assert.deepEqual(await sessions.find('b'), { uid: 'v' })
})

test('kinds of things are kept apart, and a grant takes all of its own along', async () => {
  const state = inMemoryState()
  const [codes, tokens] = [state('AuthorizationCode'), state('RefreshToken')]
  await codes.upsert('1', { grantId: 'g' }, 60)
  await tokens.upsert('1', { grantId: 'g', uid: 'x' }, 60)
  await tokens.upsert('2', { grantId: 'other' }, 60)
  assert.equal(await codes.findByUid('x'), undefined)
  await tokens.revokeByGrantId('g')
  assert.equal(await codes.find('1'), undefined)
  assert.equal(await tokens.find('1'), undefined)
  assert.deepEqual(await tokens.find('2'), { grantId: 'other' })
})

test('a flood of registrations pushes out the oldest and keeps what is used', async () => {
  const state = inMemoryState(100)
  const [sessions, clients] = [state('Session'), state('Client')]
  await sessions.upsert('mine', { uid: 'u' }, 60)
  for (let index = 0; index < 1_000; index += 1) {
    await clients.upsert(String(index), {}, 60)
    if (index % 50 === 0) await sessions.upsert('mine', { uid: 'u' }, 60)
  }
  assert.deepEqual(await sessions.find('mine'), { uid: 'u' })
  assert.equal(await clients.find('899'), undefined)
  assert.deepEqual(await clients.find('999'), {})
})
