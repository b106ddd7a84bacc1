import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import serverPackage from '../../package.json' with { type: 'json' }
import { checkBackup } from '../../src/backup/read-archive.ts'
import { restoreBackup } from '../../src/backup/restore-backup.ts'
import { selfTest } from '../../src/database/self-test.ts'
import { createTestDatabase } from '../harness/database.ts'
import { proofDraws } from '../harness/proof.ts'
import { startTestService, type TestService } from '../harness/service.ts'
import { sameAnswer } from './same-answer.ts'
import {
  addressPlaceholder,
  backupOf,
  keptReleases,
  readRelease,
  type RecordedRequest,
} from './recorded-release.ts'

it('the data of a release is kept for the tests of later ones', () => {
  const releases = keptReleases()
  assert.ok(releases.length > 0)
  assert.ok(
    releases.every(version => version.localeCompare(serverPackage.version, 'en', { numeric: true }) <= 0),
  )
})

for (const version of proofDraws(keptReleases()))
  describe(`the data of ${version}, upgraded to this version`, () => {
    const release = readRelease(version)
    let service: TestService
    before(async () => {
      const testDatabase = await createTestDatabase()
      const { address } = testDatabase
      service = await startTestService({ testDatabase, namespace: release.namespace })
      const backup = await checkBackup(backupOf(version))
      await restoreBackup({ address, backup, store: service.blobs })
      await selfTest(address)
      await moveEndsBy(service, Date.now() - Date.parse(release.recorded_at))
    })
    after(() => service.close())

    const tokenOf = ({ subject, name, email }: RecordedRequest['person']) =>
      service.issuer.sign({ ...service.issuer.claims(), sub: subject, name, email, email_verified: true })

    for (const { operation, method, target, headers, body, person, answer } of release.requests) {
      const isChange = 'idempotency-key' in headers
      it(`${operation} ${isChange ? 'is repeated with its old key' : 'reads'} as before`, async () => {
        const now = await service.request(target, {
          method,
          headers,
          token: tokenOf(person),
          ...(body !== undefined && { body }),
        })
        assert.equal(now.status, answer.status, now.text)
        assert.deepEqual(
          sameAnswer(answer.body, now.text.replaceAll(service.base_url, addressPlaceholder)),
          [],
        )
      })
    }
  })

/**
 * Moves what ends by its time, such as Idempotency-Keys and invitations, as if the release had been recorded now. An upload ends
 * so long after it was begun.
 */
async function moveEndsBy({ sql }: TestService, milliseconds: number): Promise<void> {
  const columns = await sql<{ moved: string }>(
    `select format('update %I.%I set %I = %I + make_interval(secs => $1)', table_schema, table_name, column_name, column_name) as moved
     from information_schema.columns join information_schema.tables using (table_schema, table_name)
     where table_schema = 'svc' and table_type = 'BASE TABLE' and data_type like 'timestamp%'
       and (column_name like '%expires_at' or column_name like '%until' or (table_name, column_name) = ('file_uploads', 'created_at'))`,
  )
  assert.ok(columns.length > 0)
  for (const { moved } of columns) await sql(moved, [milliseconds / 1000])
}
