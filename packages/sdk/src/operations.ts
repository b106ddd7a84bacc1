import { table } from './generated/table.ts'

/** What the client knows of an operation. */
export interface Operation {
  /** Such as `create_room`. */
  name: string
  method: string
  /** The path template, such as `/v1/rooms/{room_id}`. */
  path: string
  /** The request may name a Workspace, or must. */
  workspace: boolean
  /** It changes something, so the request needs an Idempotency-Key. */
  changes: boolean
  /** People without an account may call it, with a claim token. */
  visitors: boolean
  /** The answer is JSON, content, either of them as the parameter `format` says, or a stream of events. */
  answers: 'json' | 'bytes' | 'either' | 'stream'
  /** The answer is a list or a page of one. */
  list: boolean
}

const methods: Readonly<Record<string, string>> = { '': 'GET', '+': 'POST', '=': 'PUT', '~': 'PATCH' }

/** Every operation of the service. */
export const operations: readonly Operation[] = table
  .trim()
  .split('\n')
  .flatMap(line => {
    const [path = '', ...operations] = line.split(' ')
    return operations.map(text => read(path, text))
  })

/** Reads an operation: `+create_room`, or with letters `+preview_list:q`. */
function read(path: string, text: string): Operation {
  const [, sign = '', name = '', letters = ''] = /^(\W?)(\w+):?(\w*)$/.exec(text) ?? []
  const has = (letter: string) => letters.includes(letter)
  return {
    name,
    method: methods[sign] as string,
    path,
    workspace: !has('o'),
    changes: sign !== '' && !has('q'),
    visitors: has('v'),
    answers: has('b') ? 'bytes' : has('f') ? 'either' : has('s') ? 'stream' : 'json',
    list: has('l'),
  }
}

/** Whether the answer to an input is content: always, or because the input asks for a form other than JSON. */
export const answersBytesTo = ({ answers }: Operation, { format = 'json' }: { format?: unknown }): boolean =>
  answers === 'bytes' || (answers === 'either' && format !== 'json')
