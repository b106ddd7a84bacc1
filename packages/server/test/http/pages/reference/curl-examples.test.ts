import assert from 'node:assert/strict'
import { execFile, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { after, before, beforeEach, describe, it } from 'node:test'
import { promisify } from 'node:util'
import { claimValuation } from '@wbs/contract/valuations/claims'
import { setHolding } from '@wbs/contract/valuations/portfolios'
import { acceptInvitation } from '@wbs/contract/invitations'
import { openApiDocument } from '@wbs/contract/openapi'
import { isStream as isStreaming } from '@wbs/contract/operation'
import type { OperationName } from '@wbs/contract/registry'
import { curlExample } from '../../../../src/http/pages/reference/curl-example.ts'
import { endpointsOf, type ApiDocument } from '../../../../src/http/pages/reference/document.ts'
import { insertInvitations } from '../../../harness/invitations.ts'
import { isFullProof, proofSeed } from '../../../harness/proof.ts'
import { startTestService, type TestService } from '../../../harness/service.ts'
import { createTestApp } from '../../../harness/test-app.ts'
import { performerOf } from '../../../operations/performing.ts'
import { operations, samples } from '../../../operations/samples.ts'
import { makeWorld, restore, type World } from '../../../operations/world.ts'

const missing = ['curl', 'openssl'].filter(program => spawnSync(program, ['--version']).error !== undefined)
const document = openApiDocument() as ApiDocument

/** In npm test a quarter of the examples, which the seed draws. */
const drawn = endpointsOf(document).filter((_, at) => isFullProof || at % 4 === proofSeed() % 4)

const isStream = (name: OperationName) =>
  operations.some(operation => operation.name === name && isStreaming(operation))

describe(
  'the examples of the reference',
  { skip: missing.length > 0 && `${missing.join(' and ')} not found` },
  () => {
    let service: TestService
    let world: World
    before(async () => {
      service = await startTestService({ plugins: [{ ...createTestApp('http_json'), kind: 'source' }] })
      world = await makeWorld(service)
    })
    const exampleOf = (schema: object): string => (schema as { examples: string[] }).examples[0] ?? ''

    /** The token of the examples can be used once, so Olivia is invited again. */
    beforeEach(async () => {
      const token = exampleOf(acceptInvitation.input.token)
      await service.sql('delete from team_invitations where token_digest = sha256($1::bytea)', [token])
      const { owner } = world.people
      const sam = service.person('Sam')
      const elsewhere = await service.workspace('Elsewhere', sam)
      await insertInvitations(service, elsewhere, sam, [{ email: owner.email, token }])
      // The holding of the examples is of an asset that only the reader knows.
      const [subject] = (setHolding.input.subject as unknown as { examples: { id: string }[] }).examples
      await service.sql(
        `insert into assets (workspace_id, id, class, cost_amount, cost_currency, acquired_on, condition, created_by, created_at, updated_at)
         values ($1, $2, 'equipment', '18000', 'USD', '2024-01-15', 'good', $3, now(), now()) on conflict do nothing`,
        [world.workspace_id, subject?.id, owner.user_id],
      )
    })
    after(() => service.close())

    /** The variables of the reader: ids come from the operation's sample. */
    async function variablesFor(name: OperationName): Promise<Record<string, string>> {
      const sample = await samples[name].input(world)
      const ids = [...scalarsIn(sample)]
        .toReversed()
        .map(([key, value]) => [key.toUpperCase(), String(value)])
      return {
        BASE_URL: service.base_url,
        ACCESS_TOKEN: performerOf(world, { name }).token,
        WORKSPACE_ID: world.workspace_id,
        ...Object.fromEntries(ids),
      }
    }

    for (const endpoint of drawn) {
      const example = curlExample(endpoint, document)
      it(`${endpoint.operation.operationId} is answered as it stands`, async () => {
        const name = endpoint.operation.operationId as OperationName
        const variables = await variablesFor(name)
        // The examples assume unchanged resources, a connection to an app of http_json, and an action without arguments.
        await service.sql('update workspaces set revision = 1')
        await service.sql(`update room_connections set allowed_operations = '{get,post,look,change}'`)
        await service.sql(`update approvals set arguments = '{}', arguments_sha256 = $1`, [
          hash('sha256', '{}', 'hex'),
        ])
        // So does the token of a visitor, which is another one in each answer.
        await service.sql(
          'update visitor_valuations set claim_digest = sha256($1::bytea) where claimed_at is null',
          [exampleOf(claimValuation.input.claim_token)],
        )
        const named = Array.from(example.matchAll(/\$([A-Z_]+)/g), ([, variable = '']) => variable)
        const unset = named.filter(variable => !(variable in variables))
        assert.deepEqual(unset, [], 'the test has no value for these variables yet')
        // A parameter may be called like a variable of the shell, such as path.
        const given = Object.fromEntries(named.map(variable => [variable, variables[variable]]))
        const { stdout } = await promisify(execFile)(
          'sh',
          // A stream is read for a second; curl reports the timeout as a failure.
          [
            '-c',
            `${example} -s -o /dev/null -w '%{http_code}' ${isStream(name) ? '-m 1 || [ $? = 28 ]' : ''}`,
          ],
          { env: { ...process.env, ...given } },
        )
        assert.match(stdout, /^20[01]$/)
        await restore(world)
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
        { env: { ...process.env, ROOM_ID: 'rom_1' } },
      )
      assert.deepEqual(stdout.trimEnd().split('\n').slice(-1), [`{"room_id":"rom_1","note":"it's $HOME"}`])
      assert.ok(stdout.includes('-X\nPATCH\n'))
    })

    it('have a line for each field of a long body', () => {
      const endpoint = endpointsOf(document).find(one => one.operation.operationId === 'create_valuation')
      assert.ok(endpoint)
      assert.match(curlExample(endpoint, document), /\n {2}"currency": "USD",\n/)
    })
  },
)

/** The fields of an input, those of its objects and arrays included. The first of several with one name counts. */
function* scalarsIn(value: object): Generator<[string, unknown]> {
  for (const [key, inner] of Object.entries(value))
    if (typeof inner === 'object' && inner !== null) yield* scalarsIn(inner)
    else yield [key, inner]
}
