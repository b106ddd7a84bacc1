import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import pg from 'pg'
import { connectionConfig } from '../../src/database/connections/connection.ts'
import { openPools, type Database } from '../../src/database/database.ts'
import { serviceSecret } from '../../src/database/service-secret.ts'
import { createTestDatabase, type TestDatabase } from '../harness/database.ts'
import { quietLog } from '../harness/quiet-log.ts'

describe('the secret of the service', () => {
  let testDatabase: TestDatabase
  let nodes: Database[]
  before(async () => {
    testDatabase = await createTestDatabase()
    nodes = Array.from({ length: 4 }, () => openPools(testDatabase.address, quietLog))
  })
  after(async () => {
    await Promise.all(nodes.map(node => node.close()))
    await testDatabase.drop()
  })

  it('is made once, when many nodes start at once, and found by every later one', async () => {
    const secrets = await Promise.all(nodes.map(node => serviceSecret(node.writers, null)))
    const [first] = secrets as [Buffer]
    assert.equal(first.length, 32)
    for (const secret of secrets) assert.deepEqual(secret, first)
    const [node] = nodes as [Database]
    assert.deepEqual(await serviceSecret(node.writers, null), first)
  })

  it('is the configured one if there is one, which is not stored', async () => {
    const [node] = nodes as [Database]
    const configured = 'configured by the operator, long enough'
    assert.equal((await serviceSecret(node.writers, configured)).toString(), configured)
    const admin = new pg.Client(testDatabase.address)
    await admin.connect()
    const { rows } = await admin.query<{ value: Buffer }>('select value from svc.service_secrets')
    await admin.end()
    for (const { value } of rows) assert.notEqual(value.toString(), configured)
  })

  it('is hidden from the role that reads', async () => {
    const reader = new pg.Client(connectionConfig(testDatabase.address, 'svc_reader'))
    await reader.connect()
    await assert.rejects(reader.query('select value from service_secrets'), { code: '42501' })
    await reader.end()
  })
})
