import { nextState, type StateMachine } from '@wbs/contract/state-machine'
import {
  ofOperators,
  ofService,
  shownAs,
  stateMachines,
  type MachineName,
} from '@wbs/contract/state-machines'

const introduction = `# State machines

The states of each resource, and the moves between them. \`npm run generate\` writes this file from the tables in
\`packages/contract/src/state-machines.ts\`. A test tries every move in every state
(\`packages/server/test/model/states/moves.test.ts\`).

A column is a state in which the resource is, and a row is a move. The cell is the state to which the move leads; it is the
same state if the move is possible and does not change it. In the other states a request is refused, with the code
\`state_conflict\` unless the resource is hidden by then, and the service does nothing. The first state is that of a new
resource.
`

/** docs/api/state-machines.md */
export function stateMachinesDocument(): string {
  const sections = (Object.keys(stateMachines) as MachineName[]).map(
    name => `## ${name.replaceAll('_', ' ')}\n\n${notesOf(name)}${tableOf(name)}\n`,
  )
  return `${introduction}\n${sections.join('\n')}`
}

const notesOf = (name: MachineName): string =>
  Object.entries(shownAs[name] ?? {})
    .map(([state, shown]) => `An answer shows \`${state}\` as \`${shown}\`.\n\n`)
    .join('')

function tableOf(name: MachineName): string {
  const machine: StateMachine = stateMachines[name]
  const states = [machine.initial, ...machine.states.filter(state => state !== machine.initial)]
  const rows = Object.keys(machine.moves).map(move => [
    move,
    makerOf(name, move),
    ...states.map(state => nextState(machine, move, state) ?? ''),
  ])
  const head = [['Move', ...states], ['', ...states].map(() => '---')]
  return [...head, ...rows].map(cells => `| ${cells.join(' | ')} |`).join('\n')
}

function makerOf(name: MachineName, move: string): string {
  const isIn = (moves: readonly string[] | undefined) => moves?.includes(move) === true
  if (isIn(ofService[name])) return 'the service'
  return isIn(ofOperators[name]) ? 'operators' : 'a request'
}
