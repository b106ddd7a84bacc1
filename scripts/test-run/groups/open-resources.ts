import { createHook } from 'node:async_hooks'

/** The resources that can keep a process alive, as async_hooks names them. */
const KEEPING = new Set([
  'Timeout',
  'TCPWRAP',
  'TCPSERVERWRAP',
  'PIPEWRAP',
  'PIPESERVERWRAP',
  'PROCESSWRAP',
  'WORKER',
  'MESSAGEPORT',
  'UDPWRAP',
  'FSEVENTWRAP',
  'STATWATCHER',
])

/** How Node marks a timer that has run or was cleared. */
const destroyed = '_destroyed'

interface Opened {
  type: string
  resource: WeakRef<object>
}

const opened = new Map<string, Opened[]>()
let file: string | undefined

const hook = createHook({
  init(_id, type, _trigger, resource) {
    if (file !== undefined && KEEPING.has(type))
      opened.get(file)?.push({ type, resource: new WeakRef(resource) })
  },
})

/** Notes from now on that a file of a group opens what is opened. */
export function countForFile(next: string): void {
  for (const [name, resources] of opened) opened.set(name, resources.filter(isOpen))
  file = next
  opened.set(next, [])
  hook.enable()
}

/** What each file of a group opened and nobody closed: ` a.test.ts opened 1 Timeout.` */
export function whatFilesLeftOpen(): string {
  return [...opened]
    .map(([name, resources]) => [name, countsOf(resources.filter(isOpen))] as const)
    .filter(([, counts]) => counts !== '')
    .map(([name, counts]) => ` ${name} opened ${counts}.`)
    .join('')
}

/** Handles and timers that are closed keep nothing alive. */
function isOpen({ resource }: Opened): boolean {
  const object: { hasRef?(): boolean; [destroyed]?: boolean } | undefined = resource.deref()
  return object !== undefined && object[destroyed] !== true && object.hasRef?.() === true
}

function countsOf(resources: readonly { type: string }[]): string {
  const counts = Map.groupBy(resources, ({ type }) => type)
  return [...counts].map(([type, { length }]) => `${length} ${type}`).join(', ')
}
