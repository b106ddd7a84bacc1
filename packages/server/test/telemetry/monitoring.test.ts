import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after, before, describe, it } from 'node:test'
import { operations } from '@wbs/contract/registry'
import { isBytes, type Operation } from '@wbs/contract/operation'
import { openStream } from '../activity/event-reader.ts'
import { eventually } from '../harness/eventually.ts'
import { startMeasuredService, type MeasuredService } from './measured-service.ts'
import type { Scrape } from './scrape.ts'

const root = join(import.meta.dirname, '../../../..')
const folder = join(root, 'ops/monitoring')
const dashboard = readFileSync(join(folder, 'dashboard.json'), 'utf8')
const rules = readFileSync(join(folder, 'alerts.rules.yaml'), 'utf8')
const guide = readFileSync(join(root, 'docs/guides/metrics.md'), 'utf8')

/** The metrics that a text of PromQL names; labels that look alike are in braces or after `by`. */
const namedIn = (text: string): string[] => [
  ...new Set(
    [...text.matchAll(/\b(?:svc|http|db|process|nodejs|v8js)_[a-z0-9_]+|\btarget_info\b/g)].map(
      ([name]) => name,
    ),
  ),
]
const withoutLabels = (promql: string) =>
  promql.replaceAll(/\{[^}]*\}/g, '').replaceAll(/\bby \([^)]*\)/g, '')
const queriesOfDashboard = [...dashboard.matchAll(/"expr": "((?:[^"\\]|\\.)*)"/g)].map(
  ([, text = '']) => JSON.parse(`"${text}"`) as string,
)
const metricOf = (name: string) => name.replace(/_seconds_(?:bucket|sum|count)$/, '_seconds')
const expressionsOfRules = [...rules.matchAll(/expr: >-\n((?: {10}.*\n)+)/g)].map(([, text = '']) => text)

/** The rows of the table of metrics: the name, and its labels. */
const documented = new Map(
  [...guide.matchAll(/^\| `([a-z_0-9]+)` \| (?:counter|gauge|histogram) \|([^|]*)\|/gm)].map(
    ([, name = '', labels = '']) => [
      name,
      [...labels.matchAll(/`([a-z0-9_]+)`/g)].map(([, label = '']) => label),
    ],
  ),
)

describe('the metrics of a service in use', () => {
  let measured: MeasuredService
  let scrape: Scrape
  before(async () => {
    measured = await startMeasuredService({
      mailer: { async send() {} },
      rateLimitScale: 1,
      // Nothing listens there, so it is left out.
      replicas: () => ({ urls: ['postgres://nobody@127.0.0.1:1/none'], most_lag: 1 }),
    })
    const { service } = measured
    const olivia = service.person('Olivia')
    const workspace_id = await service.workspace('Harbor', olivia)
    const us = service.client({ access_token: olivia.token, workspace_id })
    const { room } = await us.createRoom({ title: 'Quay' }, { idempotency_key: 'sent-twice' })
    await us.createRoom({ title: 'Quay' }, { idempotency_key: 'sent-twice' })
    await service.request('/v1/businesses?query=credit')
    await service.request('/v1/nothing')
    const reader = await openStream({ service, workspace_id }, { authorization: `Bearer ${olivia.token}` })
    await us.createTeamInvitation({ email: 'zoe@example.com', role: 'member' })
    let revision = 1
    await eventually(async () => {
      await us.updateRoom({ room_id: room.room_id, expected_revision: revision++, title: `${revision}` })
      scrape = await measured.scrape()
      return ['svc_feed_delay', 'svc_jobs_duration', 'v8js_gc_duration'].every(name =>
        scrape.sum(`${name}_seconds_count`),
      )
    })
    reader.close()
  })
  after(() => measured.close())

  it('include each metric that the dashboard and the alerts name', () => {
    const exposed = new Set(scrape.samples.map(({ name }) => name))
    const named = [...queriesOfDashboard, ...expressionsOfRules].flatMap(one => namedIn(withoutLabels(one)))
    assert.ok(named.length > 60, `only ${named.length} names were found`)
    assert.deepEqual(
      [...new Set(named)].filter(name => !exposed.has(name)),
      [],
    )
  })

  it('have the labels by which the dashboard and the alerts choose', () => {
    // Those that Prometheus adds.
    const known = new Set(['job', 'instance', ...scrape.samples.flatMap(({ labels }) => Object.keys(labels))])
    for (const one of [...queriesOfDashboard, ...expressionsOfRules]) {
      const chosen = [...one.matchAll(/([a-z0-9_]+)(?:=|!=|=~|!~)"/g)].map(([, label = '']) => label)
      const grouped = [...one.matchAll(/\bby \(([^)]*)\)/g)].flatMap(([, labels = '']) => labels.split(/, ?/))
      for (const label of [...chosen, ...grouped]) assert.ok(known.has(label), `${label} in ${one}`)
    }
  })

  it('are all on the dashboard, and in the table of the guide with their labels, and no others', () => {
    const ofProcess = scrape.samples.map(({ name }) => metricOf(name)).filter(name => name !== 'up')
    const all = new Set([...measured.declared, ...ofProcess])
    assert.deepEqual([...documented.keys()].toSorted(), [...all].toSorted())
    const shown = new Set(queriesOfDashboard.flatMap(one => namedIn(withoutLabels(one))).map(metricOf))
    assert.deepEqual(
      [...all].filter(name => !shown.has(name)),
      [],
    )
    for (const { name, labels } of scrape.samples) {
      if (name === 'target_info') continue
      const wanted = documented.get(metricOf(name))
      assert.deepEqual(
        Object.keys(labels)
          .filter(label => label !== 'le')
          .toSorted(),
        wanted?.toSorted(),
        name,
      )
    }
  })

  it('pass the check of promtool, apart from a name of the semantic conventions', t => {
    if (!hasPromtool) return t.skip('promtool is not installed (Debian: prometheus)')
    const { stdout, stderr } = spawnSync('promtool', ['check', 'metrics'], {
      input: scrape.text,
      encoding: 'utf8',
    })
    assert.deepEqual(
      `${stdout}${stderr}`
        .split('\n')
        .filter(line => line !== '' && !line.startsWith('db_client_connection_count ')),
      [],
    )
  })
})

const hasPromtool = spawnSync('promtool', ['--version']).status === 0

describe('the alerts', () => {
  it('fire where they must and not before, by the tests of promtool', t => {
    if (!hasPromtool) return t.skip('promtool is not installed (Debian: prometheus)')
    for (const check of [
      ['check', 'rules', 'alerts.rules.yaml'],
      ['test', 'rules', 'alerts.test.yaml'],
    ])
      execFileSync('promtool', check, { cwd: folder, stdio: 'pipe' })
  })

  const names = [...rules.matchAll(/- alert: (\w+)/g)].map(([, name = '']) => name)

  it('are each tested', () => {
    const tests = readFileSync(join(folder, 'alerts.test.yaml'), 'utf8')
    assert.ok(names.length >= 15)
    assert.deepEqual(
      names.filter(name => !new RegExp(`\\b${name}\\b`).test(tests)),
      [],
    )
  })

  it('each have a heading of the guide, which they link to', () => {
    const links = [...rules.matchAll(/runbook: (\S+)/g)].map(([, link = '']) => link)
    assert.deepEqual(
      links,
      names.map(name => `docs/guides/metrics.md#${name.toLowerCase()}`),
    )
    const headings = [...guide.matchAll(/^#{3} (Svc\w+)$/gm)].map(([, heading = '']) => heading)
    assert.deepEqual(headings, names)
  })

  it('leave out of latency every operation that waits or sends content', () => {
    const untimed = /health\|ready\|([a-z_|]+)"/.exec(expressionsOfRules.join(''))?.[1]?.split('|') ?? []
    const waiting = (operations as readonly Operation[]).filter(
      one => (one.kind === 'query' && one.waits) || isBytes(one),
    )
    assert.ok(waiting.length >= 3)
    for (const { name } of waiting) assert.ok(untimed.includes(name), `${name} is timed`)
    assert.ok(dashboard.includes(`operation!~\\"health|ready|${untimed.join('|')}\\"`))
  })
})
