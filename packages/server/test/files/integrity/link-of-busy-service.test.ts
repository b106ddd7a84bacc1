import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { createDownloadTokens } from '../../../src/files/downloads/download-token.ts'
import { createOpenLink } from '../../../src/files/downloads/open-link.ts'
import { startTestService, testSecret, type TestService } from '../../harness/service.ts'

describe('a link that is opened while the database has no answer', () => {
  let service: TestService
  before(async () => void (service = await startTestService()))
  after(() => service.close())

  it('is not said to be no longer valid, and still works afterwards', async () => {
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Harbor', olivia)
    const client = service.client({ access_token: olivia.token, workspace_id })
    const { file } = await client.createTextFile({ name: 'A.md', content: 'A' })
    const { url } = await client.createDownloadLink({ file_id: file.file_id })
    const busy = new Error('The database is busy.')
    const openLink = createOpenLink({
      tokens: createDownloadTokens(testSecret),
      blobs: service.blobs,
      writers: service.database.writers,
      now: () => new Date(),
      readers: {
        scoped(scope) {
          const reader = service.database.readers.scoped(scope)
          return {
            ...reader,
            one: (statement, values) =>
              statement.name === 'file_visible_to_download'
                ? Promise.reject(busy)
                : reader.one(statement, values),
          }
        },
      },
    })
    const token = url?.split('/').at(-1) ?? ''
    await assert.rejects(openLink(token, { address: '127.0.0.1' }), busy)
    assert.equal((await fetch(url ?? '')).status, 200)
  })
})
