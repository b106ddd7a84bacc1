import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { hasUnseenChange, notePublicChange } from '../../../src/database/replicas/public-changes.ts'
import { startTestService, type Person, type TestService } from '../../harness/service.ts'

describe('a change of public facts is unseen', () => {
  let service: TestService
  let olivia: Person
  let sam: Person
  let harbor: string
  let elsewhere: string
  before(async () => {
    service = await startTestService()
    ;[olivia, sam] = [service.person('Olivia'), service.person('Sam')]
    harbor = await service.workspace('Harbor', olivia)
    elsewhere = await service.workspace('Elsewhere', sam)
  })
  after(() => service.close())

  const snapshot = async (): Promise<string> => {
    const [row] = await service.sql<{ now: string }>('select pg_current_snapshot()::text as now')
    return row?.now ?? ''
  }
  const change = (workspace_id: string, { user_id }: Person, meanwhile = async () => {}) =>
    service.database.writers.transaction({ workspace_id, user_id }, async tx => {
      notePublicChange(tx, { workspace_id, user_id })
      // A read is answered after what was sent before it.
      await hasUnseenChange(tx, { workspace_id, user_id }, await snapshot())
      await meanwhile()
    })
  const isUnseen = (workspace_id: string | null, { user_id }: Person, since: string) =>
    hasUnseenChange(
      service.database.readers.scoped({ workspace_id, user_id }),
      { workspace_id, user_id },
      since,
    )

  it('by a snapshot from before it, for whoever made it, and for all in the Workspace', async () => {
    const before = await snapshot()
    await change(harbor, olivia)
    const since = await snapshot()
    assert.equal(await isUnseen(harbor, olivia, before), true)
    assert.equal(await isUnseen(null, olivia, before), true)
    assert.equal(await isUnseen(elsewhere, olivia, before), true)
    assert.equal(await isUnseen(harbor, sam, before), true)
    assert.equal(await isUnseen(elsewhere, sam, before), false)
    assert.equal(await isUnseen(null, sam, before), false)
    for (const workspace_id of [harbor, elsewhere, null])
      assert.equal(await isUnseen(workspace_id, olivia, since), false)
  })

  it('by a snapshot in which it was not committed, though a later one was', async () => {
    let between = ''
    await change(harbor, olivia, async () => {
      await change(elsewhere, sam)
      between = await snapshot()
    })
    assert.equal(await isUnseen(harbor, olivia, between), true)
    assert.equal(await isUnseen(elsewhere, sam, between), false)
  })

  it('unless its number is of another server, as after a restore', async () => {
    const before = await snapshot()
    await service.sql('update public_changes set transaction_id = $1 where workspace_id = $2', [
      '9000000000',
      harbor,
    ])
    assert.equal(await isUnseen(harbor, olivia, before), false)
  })
})
