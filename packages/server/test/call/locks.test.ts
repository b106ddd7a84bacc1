import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { lockExclusive, lockShared } from '../../src/database/locks.ts'
import type { Transaction } from '../../src/database/connections/writer.ts'
import { lockWaits } from '../harness/lock-waits.ts'
import { startTestService, type Person, type TestService } from '../harness/service.ts'
import { refused } from '../harness/refused.ts'

describe('a caller without the permission neither waits for those who have it, nor blocks anybody', () => {
  let service: TestService
  let workspace_id: string
  let owner: Person
  let viewer: Person
  let outsider: Person
  before(async () => {
    service = await startTestService()
    ;[owner, viewer, outsider] = ['Olivia', 'Viktor', 'Otto'].map(name => service.person(name)) as [
      Person,
      Person,
      Person,
    ]
    workspace_id = await service.workspace('Harbor', owner, { viewer })
    await outsider.client.createWorkspace({ name: 'Elsewhere' })
  })
  after(() => service.close())

  const as = (person: Person) => service.client({ access_token: person.token, workspace_id, attempts: 1 })

  /** While another change holds a lock. A request that waited for it would not be answered. */
  const meanwhile = (hold: (tx: Transaction) => Promise<unknown>, work: () => Promise<unknown>) =>
    service.database.writers.transaction({ workspace_id, user_id: owner.user_id }, async tx => {
      await hold(tx)
      await work()
    })

  it('who tries to close the Workspace during changes in it', async () => {
    for (const person of [viewer, outsider])
      await meanwhile(
        tx => lockShared(tx, workspace_id, [['workspace', '']]),
        () => refused(as(person).closeWorkspace({ workspace_id, expected_revision: 1 }), 'forbidden'),
      )
  })

  it('who tries to change the team during another change of it', async () => {
    for (const person of [viewer, outsider])
      await meanwhile(
        tx => lockExclusive(tx, workspace_id, [['team', '']]),
        () =>
          refused(as(person).createTeamInvitation({ email: 'zoe@example.com', role: 'viewer' }), 'forbidden'),
      )
  })

  it('while those who have the permission wait', async () => {
    let ended = false
    let inviting: Promise<unknown> | undefined
    await meanwhile(
      tx => lockExclusive(tx, workspace_id, [['team', '']]),
      async () => {
        inviting = as(owner)
          .createTeamInvitation({ email: 'zoe@example.com', role: 'viewer' })
          .then(() => {
            ended = true
          })
        while ((await lockWaits(service)) === 0) assert.equal(ended, false)
      },
    )
    await inviting
    assert.equal(ended, true)
  })
})
