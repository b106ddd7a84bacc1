import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { after, before, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { openApiDocument } from '@wbs/contract/openapi'
import { curlExample } from '../../src/http/reference/curl-example.ts'
import { endpointsOf, type ApiDocument } from '../../src/http/reference/document.ts'
import { addBusiness } from '../harness/businesses.ts'
import { startTestService, type TestService } from '../harness/service.ts'

const missing = ['curl', 'openssl'].filter(program => spawnSync(program, ['--version']).error !== undefined)
const document = openApiDocument() as ApiDocument

describe(
  'the examples of the reference',
  { skip: missing.length > 0 && `${missing.join(' and ')} not found` },
  () => {
    let service: TestService
    let variables: Record<string, string>

    before(async () => {
      service = await startTestService()
      const olivia = service.person('Olivia')
      const WORKSPACE_ID = await service.workspace('Harbor Street Partners', olivia)
      const BUSINESS_ID = await addBusiness(service, { name: 'Glacier Credit Union' })
      variables = { BASE_URL: service.base_url, ACCESS_TOKEN: olivia.token, WORKSPACE_ID, BUSINESS_ID }
    })
    after(() => service.close())

    for (const endpoint of endpointsOf(document)) {
      const example = curlExample(endpoint, document)
      it(`${endpoint.operation.operationId} is answered as it stands`, async () => {
        const unset = [...example.matchAll(/\$([A-Z_]+)/g)].filter(([, name = '']) => !(name in variables))
        assert.deepEqual(unset, [], 'the test has no value for these variables yet')
        const { stdout } = await promisify(execFile)(
          'sh',
          ['-c', `${example} -s -o /dev/null -w '%{http_code}'`],
          { env: { ...process.env, ...variables } },
        )
        assert.match(stdout, /^20[01]$/)
      })
    }

    it('quote what a shell would read, but put ids in', async () => {
      const body = {
        type: 'object',
        required: ['room_id', 'note'],
        properties: {
          room_id: { type: 'string', format: 'uuid' },
          note: { type: 'string', examples: [`it's $HOME`] },
        },
      }
      const operation = {
        operationId: 'x',
        summary: '',
        description: '',
        tags: [],
        parameters: [],
        responses: {},
        requestBody: { content: { 'application/json': { schema: body } } },
      }
      const example = curlExample({ method: 'PATCH', path: '/x', operation }, document)
      const { stdout } = await promisify(execFile)(
        'sh',
        ['-c', `curl() { printf '%s\\n' "$@"; }\n${example}`],
        { env: { ...process.env, ...variables, ROOM_ID: 'rom_1' } },
      )
      assert.deepEqual(stdout.trimEnd().split('\n').slice(-1), [`{"room_id":"rom_1","note":"it's $HOME"}`])
      assert.ok(stdout.includes('-X\nPATCH\n'))
    })
  },
)
