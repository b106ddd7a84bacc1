import assert from 'node:assert/strict'
import { it } from 'node:test'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { beginPeriod, maintain, passDays } from '../database/partitions/periods.ts'
import { startTestService } from '../harness/service.ts'
import { allRows, shapeOf } from './all-rows.ts'
import { openBackupBench, sqlOn } from './backup-fixture.ts'

it('a restored database has the periods of the backup, without the partitions that were dropped', async t => {
  const service = await startTestService()
  t.after(() => service.close())
  const olivia = service.person('Olivia')
  const workspace_id = await service.workspace('Harbor', olivia)
  for (let period = 0; period < 2; period++) {
    await olivia.client.createRoom({ title: 'A Room' }, { workspace_id })
    await beginPeriod(service)
    await passDays(service, 50)
  }
  await olivia.client.createRoom({ title: 'A Room' }, { workspace_id })
  const { dropped } = await maintain(service, { event_days: 60, receipt_days: null })
  assert.deepEqual(dropped, ['commands_1', 'commands_2', 'events_1'])

  await using bench = await openBackupBench()
  const { address } = service.testDatabase
  const backup = await bench.backUp(address)
  const restored = await bench.target()
  await restoreBackup({ address: restored, backup, store: bench.store })
  assert.deepEqual(await allRows(restored), await allRows(address))
  assert.deepEqual(await shapeOf(restored), await shapeOf(address))
  const periods = 'select number, starts_at::text, dropped from svc.history_periods order by number'
  assert.deepEqual(await sqlOn(restored, periods), await sqlOn(address, periods))
})
