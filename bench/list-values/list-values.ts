import { randomUUID } from 'node:crypto'
import { parseArgs } from 'node:util'
import { openHttpConnection, type HttpConnection } from '../http-connection.ts'
import { loadOf, type Load } from '../load.ts'
import { startWithDatabase } from '../mutations/mutations-services.ts'
import { writeResults } from '../results.ts'
import { compare, shown, withProcessor } from '../rounds.ts'
import { startProcess, type MeasuredProcess } from '../service-process.ts'
import {
  makeBusinesses,
  makeFloorSheets,
  makeSheets,
  memberId,
  requireWholeChanges,
  rules,
  type Sheet,
} from './list-values-world.ts'

const connections = 16

/** How many Lists are changed at once, each over a connection of its own and in a Workspace of its own. */
const places = { in_16_workspaces: connections, in_one_list: 1 }
type Place = keyof typeof places

/**
 * Sets values of Lists: one at a time, in 16 Workspaces and in one List, by the service and by the floor of
 * list-values-floor.ts, each in turn for `--seconds S`, in `--rounds N`. Then by the service alone: with a rule of 20
 * leaves, and 500 values at once.
 */
export async function run(argv: string[]): Promise<void> {
  const { values } = parseArgs({
    args: argv,
    options: { rounds: { type: 'string', default: '5' }, seconds: { type: 'string', default: '1.5' } },
  })
  const seconds = Number(values.seconds)
  await using running = new AsyncDisposableStack()
  const { service, address, client } = await startWithDatabase(running)
  const { base_url, owner } = service
  const floorSheets = await makeFloorSheets(client, address, owner.user_id, connections)
  await makeBusinesses(client)
  const floor = await startProcess(new URL('./list-values-floor.ts', import.meta.url), {
    FLOOR: JSON.stringify({ address, user_id: owner.user_id, connections }),
  })
  running.defer(() => floor.stop())
  const sheetsOf = (rule: object) => makeSheets(base_url, owner, connections, rule)
  const token = owner.access_token
  const ours = settingOne(service, await sheetsOf(rules.of_2_leaves), token)
  const set_list_entry_value = await compare(
    Object.keys(places) as Place[],
    { rounds: Number(values.rounds), seconds },
    { ours, floor: settingOne(floor, floorSheets, '') },
  )
  await requireWholeChanges(client)
  const ofManyLeaves = settingOne(service, await sheetsOf(rules.of_20_leaves), token)
  const atOnce = await sheetsOf(rules.of_20_leaves)
  await setMany(base_url, atOnce, token, 1)
  const figures = {
    connections,
    set_list_entry_value,
    with_a_rule_of_20_leaves: {
      in_16_workspaces: shown([await ofManyLeaves('in_16_workspaces', seconds)]),
      in_one_list: shown([await ofManyLeaves('in_one_list', seconds)]),
    },
    set_500_values: shown([await setMany(base_url, atOnce.slice(0, 1), token, Math.max(5, seconds))]),
    memory_mib: service.memory(),
  }
  console.log(JSON.stringify(figures, null, 2))
  console.error(`# written to ${writeResults('list-values', figures)}`)
}

const settingOne =
  (service: MeasuredProcess, sheets: readonly Sheet[], token: string) => (place: Place, seconds: number) =>
    withProcessor(service, () =>
      loadOn(service.base_url, sheets.slice(0, places[place]), seconds, (line, sheet) =>
        setOne(line, sheet, token),
      ),
    )

/** PUTs a value that the cell does not have. */
async function setOne(line: HttpConnection, sheet: Sheet, token: string): Promise<void> {
  const { version } = sheet
  const path = `${sheet.path}/entries/${memberId(version)}/values/${sheet.column_id}`
  const body = { value: { value_type: 'number', value: version }, expected_version: version }
  await line.send('PUT', path, headersOf(sheet, token), JSON.stringify(body))
  sheet.version++
}

const setMany = (base_url: string, sheets: readonly Sheet[], token: string, seconds: number): Promise<Load> =>
  loadOn(base_url, sheets, seconds, async (line, sheet) => {
    const { version, column_id } = sheet
    const values = Array.from({ length: 500 }, (_, i) => ({
      member_id: memberId(version * 500 + i),
      column_id,
      value: { value_type: 'number', value: version },
    }))
    const body = JSON.stringify({ expected_version: version, values })
    await line.send('POST', `${sheet.path}/values`, headersOf(sheet, token), body)
    sheet.version++
  })

/** Sends requests over a connection for each List, for a while. */
async function loadOn(
  base_url: string,
  sheets: readonly Sheet[],
  seconds: number,
  send: (line: HttpConnection, sheet: Sheet) => Promise<void>,
): Promise<Load> {
  const lines = await Promise.all(sheets.map(() => openHttpConnection(base_url)))
  try {
    return await loadOf(i => send(lines[i] as HttpConnection, sheets[i] as Sheet), {
      seconds,
      connections: sheets.length,
    })
  } finally {
    for (const line of lines) line.close()
  }
}

const headersOf = ({ workspace_id }: Sheet, token: string) => ({
  authorization: `Bearer ${token}`,
  'svc-workspace-id': workspace_id,
  'idempotency-key': randomUUID(),
  'content-type': 'application/json',
})
