import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { guideBlocks } from '../docs/guide-blocks.ts'
import { usedDataFolder, type DataFolder } from '../harness/process.ts'
import { eventually } from '../harness/eventually.ts'
import { startCollector, type Collector } from './collector.ts'

const missing = spawnSync('sh', ['-c', 'jq --version']).status === 0 ? false : 'jq is not installed'

describe('the log of a night', () => {
  let folder: DataFolder
  let collector: Collector
  let workspace_id = ''
  const requests: Record<string, string> = {}
  let principal = ''
  let answer: (at: number, env: Record<string, string>) => string[]
  before(async () => {
    folder = await usedDataFolder()
    collector = await startCollector()
    const service = await folder.start({
      SVC_SAMPLE_DATA: 'off',
      LOG_LEVEL: 'info',
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.url,
      OTEL_SERVICE_NAME: 'at-night',
      OTEL_TRACES_SAMPLER: 'always_on',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
    })
    const { users } = await service.quickstart()
    const { access_token, user_id } = users['owner'] as { access_token: string; user_id: string }
    principal = `user:${user_id}`
    async function ask(name: string, method: string, path: string, body?: object) {
      const response = await fetch(`${service.base_url}${path}`, {
        method,
        headers: {
          authorization: `Bearer ${access_token}`,
          ...(workspace_id !== '' && { 'svc-workspace-id': workspace_id }),
          ...(body && { 'content-type': 'application/json', 'idempotency-key': randomUUID() }),
        },
        ...(body && { body: JSON.stringify(body) }),
      })
      requests[name] = response.headers.get('svc-request-id') ?? ''
      return (await response.json()) as Record<string, Record<string, string>>
    }
    workspace_id =
      (await ask('workspace', 'POST', '/v1/workspaces', { name: 'Night' }))['workspace']?.['id'] ?? ''
    await ask('room', 'POST', '/v1/rooms', { title: 'Night watch' })
    await ask('refused', 'GET', `/v1/rooms/room_${'0'.repeat(26)}`)
    await (await fetch(`${service.base_url}/v1/businesses?limit=1`)).text()
    await eventually(() => service.output().includes(requests['refused'] ?? 'none'))
    await service.end()
    await writeFile(join(folder.path, 'service.log'), service.output())
    const blocks = await guideBlocks('logs-and-traces.md', 'log-questions.test.ts')
    assert.equal(blocks.length, 5)
    answer = (at, env) =>
      execFileSync('sh', ['-c', blocks[at] as string], {
        cwd: folder.path,
        env: { ...process.env, ...env },
        encoding: 'utf8',
      })
        .split('\n')
        .filter(line => line !== '')
  })
  after(async () => {
    await folder.remove()
    await collector.close()
  })

  it('says what happened to a request', { skip: missing }, () => {
    const [line, ...more] = answer(0, { REQUEST: requests['room'] ?? '' })
    assert.deepEqual(more, [])
    const { time, ms: _, trace_id, ...rest } = JSON.parse(line ?? '{}') as Record<string, unknown>
    assert.match(String(time), /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
    assert.match(String(trace_id), /^[0-9a-f]{32}$/)
    assert.deepEqual(rest, {
      level: 30,
      request_id: requests['room'],
      operation: 'create_room',
      method: 'POST',
      path_pattern: '/v1/rooms',
      status: 201,
      principal,
      workspace_id,
      msg: 'request',
    })
  })

  it('says why a caller was refused', { skip: missing }, () => {
    const refusals = answer(1, { PRINCIPAL: principal }).map(line => JSON.parse(line) as unknown[])
    assert.equal(refusals.length, 1)
    const [, operation, status, code, where, request_id] = refusals[0] ?? []
    assert.deepEqual([operation, where, request_id], ['get_room', workspace_id, requests['refused']])
    assert.ok(Number(status) >= 400 && typeof code === 'string')
  })

  it('says which operations were slow', { skip: missing }, () => {
    const slow = answer(2, { FROM: '2020-01-01T02:00', TO: '2120-01-01T02:10' })
    const rows = slow.map(line => JSON.parse(line) as [string | null, number, number, number])
    assert.deepEqual(
      rows
        .map(([operation]) => operation)
        .filter(Boolean)
        .toSorted((a, b) => String(a).localeCompare(String(b))),
      ['create_room', 'create_workspace', 'get_room', 'search_businesses'],
    )
    for (const [, count, median, slowest] of rows) assert.ok(count > 0 && median > 0 && slowest >= median)
    assert.deepEqual(answer(2, { FROM: '2020-01-01', TO: '2020-01-02' }), [])
  })

  it('says what was changed in a Workspace', { skip: missing }, () => {
    const changes = answer(3, { WORKSPACE: workspace_id }).map(line => JSON.parse(line) as unknown[])
    assert.deepEqual(
      changes.map(([, operation, who]) => [operation, who]),
      [['create_room', principal]],
    )
  })

  it('has nothing to say of faults where all was well', { skip: missing }, () => {
    assert.deepEqual(answer(4, {}), [])
  })

  it('has traces beside it, which the process sent before it ended, by its own name', () => {
    const names = collector.spans.map(span => span.name)
    assert.ok(names.includes('POST /v1/rooms') && names.includes('GET /v1/businesses'))
    assert.equal(collector.resource['service.name'], 'at-night')
    assert.equal(collector.resource['deployment.environment.name'], 'test')
  })
})
