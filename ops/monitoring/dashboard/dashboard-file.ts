import { rowsOfAnswers } from './answers.ts'
import { rowsOfWaits } from './waits.ts'

const rows = [...rowsOfAnswers, ...rowsOfWaits]

/** The dashboard as Grafana imports it. `npm run generate` writes it. */
export function dashboardFile(): string {
  const source = { type: 'prometheus', uid: '${datasource}' }
  const variable = (name: string, label: string, query: string, multi: boolean) => ({
    name,
    label,
    type: 'query',
    datasource: source,
    query: { query, refId: name },
    refresh: 2,
    multi,
    includeAll: multi,
    current: multi ? { text: 'All', value: '$__all' } : {},
  })
  let id = 0
  let y = 0
  const panels: object[] = []
  for (const [question, shown] of rows) {
    panels.push({
      id: ++id,
      type: 'row',
      title: question,
      collapsed: false,
      panels: [],
      gridPos: { x: 0, y, w: 24, h: 1 },
    })
    y += 1
    shown.forEach(({ title, description, unit, queries }, at) => {
      panels.push({
        id: ++id,
        type: 'timeseries',
        title,
        description,
        datasource: source,
        fieldConfig: { defaults: { unit, min: 0 }, overrides: [] },
        options: { legend: { displayMode: 'list', placement: 'bottom' }, tooltip: { mode: 'multi' } },
        targets: queries.map(([expr, legendFormat], n) => ({
          refId: String.fromCharCode(65 + n),
          datasource: source,
          expr,
          legendFormat,
        })),
        gridPos: { x: (at % 3) * 8, y: y + Math.floor(at / 3) * 8, w: 8, h: 8 },
      })
    })
    y += Math.ceil(shown.length / 3) * 8
  }
  const dashboard = {
    uid: 'workspace-business-service',
    title: 'Workspace Business Service',
    tags: ['wbs'],
    schemaVersion: 39,
    version: 1,
    editable: true,
    timezone: 'browser',
    refresh: '30s',
    time: { from: 'now-3h', to: 'now' },
    templating: {
      list: [
        { name: 'datasource', label: 'Data source', type: 'datasource', query: 'prometheus', current: {} },
        variable('job', 'Job', 'label_values(svc_http_connections, job)', false),
        variable('instance', 'Node', 'label_values(svc_http_connections{job="$job"}, instance)', true),
      ],
    },
    panels,
  }
  return `${JSON.stringify(dashboard, null, 2)}\n`
}
