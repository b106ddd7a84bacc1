import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { connectionConfig } from '../../../src/database/connections/connection.ts'
import { statements } from '../../database/all-statements.ts'
import { planOf } from '../../database/statement-plan.ts'
import { createTestDatabase, type TestDatabase } from '../../harness/database.ts'

/** The functions that say who sees what of a Room (migrations/0036_who_sees_rooms.sql). */
const rules = [
  'membership_of',
  'is_participation_active',
  'active_membership',
  'membership_lasts',
  'participation_in_room',
  'readable_business',
  'general_level',
  'level_in_room',
  'rooms_maybe_seen_by',
  'masks_guests',
  'is_known_person',
  'known_people',
  'level_on_placed',
  'lasting_basis',
  'permission_on_room_file',
  'keeps_guest_files',
  'is_open_in_room',
  'level_on_room_file',
]

// A function that is called is planned by itself, reads without an index on its arguments, and runs once for each row.
describe('the planner replaces each rule of who sees what by its body', () => {
  let testDatabase: TestDatabase
  const clients = new Map<string, pg.Client>()
  before(async () => {
    testDatabase = await createTestDatabase()
    for (const [access, role] of [
      ['read', 'svc_reader'],
      ['write', 'svc_writer'],
    ] as const)
      clients.set(
        access,
        new pg.Client(
          connectionConfig(testDatabase.address, role, { plan_cache_mode: 'force_generic_plan' }),
        ),
      )
    for (const client of clients.values()) await client.connect()
  })
  after(async () => {
    for (const client of clients.values()) await client.end()
    await testDatabase.drop()
  })

  const isCalled = new RegExp(`\\b(${rules.join('|')})\\(`)
  const callsIn = async (access: string, name: string, text: string): Promise<string[]> => {
    const plan = JSON.stringify(await planOf(clients.get(access) as pg.Client, name, text))
    return rules.filter(rule => new RegExp(`\\b${rule}\\(`).test(plan))
  }

  it('each rule is used', () => {
    const unused = rules.filter(rule => !statements.some(({ text }) => text.includes(`${rule}(`)))
    assert.deepEqual(unused, [])
  })

  for (const { name, text, access } of statements.filter(statement => isCalled.test(statement.text)))
    it(name, async () => {
      assert.deepEqual(await callsIn(access, name, text), [])
    })

  it('finds a call whose argument has a sub-select', async () => {
    const planted = `select access_level from level_on_placed($1, $2, $3, $4, $5, array(select id from users)) as v (access_level)`
    assert.deepEqual(await callsIn('read', 'planted', planted), ['level_on_placed'])
  })
})
