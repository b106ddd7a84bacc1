import { parseArgs } from 'node:util'
import { events, type EventName } from './events.ts'

/** What a run does. */
interface Plan {
  /** In order. */
  events: EventName[]
  /** How many members etcd has. */
  etcd: number
  /** Whether it has events of all kinds. Only then its figures are kept. */
  isWhole: boolean
}

/**
 * Reads the options: `--rounds N`, how often the leader's machine dies; `--others N`, how often each other event happens;
 * `--only EVENT`, which leaves the others out; `--etcd 1` or `3`. Throws a sentence about what is not valid.
 */
export function readPlan(argv: string[]): Plan {
  const { values } = parseArgs({
    args: argv,
    options: {
      rounds: { type: 'string', default: '10' },
      others: { type: 'string', default: '2' },
      only: { type: 'string' },
      etcd: { type: 'string', default: '3' },
    },
  })
  const { only } = values
  const names = Object.keys(events) as EventName[]
  if (only !== undefined && !names.some(name => name === only))
    throw new Error(`--only must be one of ${names.join(', ')}.`)
  if (values.etcd !== '1' && values.etcd !== '3') throw new Error('--etcd must be 1 or 3.')
  const rounds = count('--rounds', values.rounds)
  const others = count('--others', values.others)
  return {
    events: names
      .filter(name => only === undefined || name === only)
      .flatMap(name => Array.from({ length: name === 'machine' ? rounds : others }, () => name)),
    etcd: Number(values.etcd),
    isWhole: only === undefined,
  }
}

function count(option: string, text: string): number {
  if (!/^\d{1,3}$/.test(text)) throw new Error(`${option} must be a number from 0 to 999.`)
  return Number(text)
}
