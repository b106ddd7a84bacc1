import assert from 'node:assert/strict'
import { describe, it } from 'node:test'
import { forbiddenForKeys, roles, scopes, type Role, type Scope } from '@wbs/contract/scopes'
import fc from 'fast-check'
import type { KeyCaller } from '../../../src/call/authority/caller.ts'
import { effectivePermissions, memberPermissions } from '../../../src/call/authority/permissions.ts'
import { missingToGrant } from '../../../src/workspaces/team/grant-rules.ts'
import {
  changedFields,
  editMember,
  removesOwner,
  findObstacle,
  type Changer,
  type Member,
} from '../../../src/workspaces/team/team-rules.ts'

const overrides = fc.dictionary(fc.constantFrom(...scopes), fc.boolean()) as fc.Arbitrary<
  Partial<Record<Scope, boolean>>
>
const members: fc.Arbitrary<Member> = fc.record({ role: fc.constantFrom(...roles), permissions: overrides })

const person = (member: Member): Changer => ({
  role: member.role,
  permissions: memberPermissions(member),
  in_person: true,
})
const plain = (role: Role): Member => ({ role, permissions: {} })

describe('what a member may do', () => {
  it('follows from the role and single permissions', () => {
    assert.ok(memberPermissions(plain('member')).has('rooms:write'))
    assert.ok(!memberPermissions(plain('member')).has('team:manage'))
    const changed = memberPermissions({
      role: 'member',
      permissions: { 'team:manage': true, 'rooms:write': false },
    })
    assert.ok(changed.has('team:manage') && !changed.has('rooms:write'))
  })

  it('grows with the role', () => {
    const sets = (['viewer', 'member', 'admin', 'owner'] as const).map(role => memberPermissions(plain(role)))
    for (const [i, set] of sets.slice(1).entries())
      for (const scope of sets[i] ?? []) assert.ok(set.has(scope), scope)
  })

  it("is limited for a key to its scopes, its owner's permissions and what keys may do", () => {
    fc.assert(
      fc.property(members, fc.subarray([...scopes]), (member, granted) => {
        const caller: KeyCaller = {
          kind: 'key',
          presented: { prefix: '', digest: Buffer.alloc(32), address: '' },
          key_id: '',
          key_name: '',
          workspace_id: '',
          user_id: '',
          scopes: granted,
          has_networks: false,
        }
        const allowed = effectivePermissions(caller, member)
        const inPerson = memberPermissions(member)
        for (const scope of scopes)
          assert.equal(
            allowed.has(scope),
            granted.includes(scope) && inPerson.has(scope) && !forbiddenForKeys.includes(scope),
          )
      }),
    )
  })
})

describe('a change of a membership', () => {
  it('never grants more than the caller has, except deciding approvals', () => {
    fc.assert(
      fc.property(members, members, members, (maker, before, after) => {
        if (findObstacle(person(maker), before, after)) return
        for (const state of [before, after])
          for (const scope of memberPermissions(state))
            assert.ok(memberPermissions(maker).has(scope) || scope === 'approvals:decide')
      }),
    )
  })

  it('of an owner requires an owner in person', () => {
    const byKey = { ...person(plain('owner')), in_person: false }
    for (const [before, after] of [
      ['owner', 'viewer'],
      ['member', 'owner'],
      ['owner', null],
      ['owner', 'owner'],
    ] as const)
      for (const changer of [person(plain('admin')), byKey]) {
        const why = findObstacle(changer, plain(before), after && plain(after))
        assert.match(why?.detail ?? '', /^Only an owner can change who owns a Workspace/)
        assert.equal(findObstacle(person(plain('owner')), plain(before), after && plain(after)), undefined)
      }
  })

  it('by a key never makes an admin, who could create keys', () => {
    const key = {
      role: 'owner',
      permissions: new Set(scopes.filter(one => !forbiddenForKeys.includes(one))),
      in_person: false,
    } as const
    assert.equal(findObstacle(key, plain('viewer'), plain('admin'))?.required_permission, 'api_keys:manage')
    assert.equal(findObstacle(key, plain('viewer'), plain('member')), undefined)
  })

  it('names the first missing permission', () => {
    const lacking = missingToGrant(memberPermissions(plain('viewer')), plain('member'))
    assert.equal(lacking, 'businesses:write')
    assert.equal(missingToGrant(memberPermissions(plain('member')), plain('viewer')), null)
  })

  it('keeps fields that are not given, and clears the single permissions of a new owner', () => {
    const member = { role: 'viewer', permissions: { 'team:read': false } } as const
    assert.deepEqual(editMember(member, { role: 'member' }), {
      role: 'member',
      permissions: { 'team:read': false },
    })
    assert.deepEqual(editMember(member, { permissions: {} }), { role: 'viewer', permissions: {} })
    assert.deepEqual(editMember(member, { role: 'owner' }), { role: 'owner', permissions: {} })
  })

  it('finds differences whatever the order of keys', () => {
    const a = { role: 'viewer', permissions: { 'team:read': false, 'rooms:write': true } } as const
    const b = { role: 'viewer', permissions: { 'rooms:write': true, 'team:read': false } } as const
    assert.deepEqual(changedFields(a, b), [])
    assert.deepEqual(changedFields(a, { ...a, role: 'member' }), ['role'])
    assert.deepEqual(changedFields(a, { ...a, permissions: { 'team:read': true, 'rooms:write': true } }), [
      'permissions',
    ])
    assert.deepEqual(changedFields(a, { ...a, permissions: { 'team:read': false } }), ['permissions'])
  })

  it('removes an owner by demotion or removal', () => {
    assert.ok(removesOwner(plain('owner'), plain('admin')) && removesOwner(plain('owner'), null))
    assert.ok(!removesOwner(plain('owner'), plain('owner')) && !removesOwner(plain('admin'), null))
  })
})
