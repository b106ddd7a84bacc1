import type { InputError } from '@wbs/contract/problems'
import type { RequestColumn } from '@wbs/contract/tasks/requests'
import {
  Description,
  priorities,
  Section,
  taskKinds,
  Title,
  type Priority,
  type TaskKind,
} from '@wbs/contract/tasks/task-schema'
import { isDay, parseTimestamp } from '../../call/input/timestamp.ts'
import { emailKey } from '../../identity/email-address.ts'

/** A request as a list has it, before it is a Task. */
export interface ListedRequest {
  title: string
  description: string | null
  section: string | null
  kind: TaskKind
  priority: Priority
  /** As in RFC 3339, in UTC. */
  due_at: string | null
  /** In canonical form. */
  assignee_email: string | null
}

/** What is wrong with a cell. */
export type CellError = Pick<InputError, 'code' | 'detail'>

/** The value of a cell. `Empty`: what it has without text. */
type Cell<Value> = { value: Value } | { error: CellError }

type Cells = { readonly [Column in RequestColumn]: (text: string) => Cell<ListedRequest[Column]> }

const longestEmail = 254

const wrong = (code: InputError['code'], detail: string) => ({ error: { code, detail } })

/** Text by the rules of the same field of a Task. */
function textOf(column: RequestColumn, schema: object, text: string): Cell<string> {
  const { maxLength, pattern } = schema as { maxLength: number; pattern: string }
  // A character has at most two units, so text of a megabyte need not be split to see that it is too long.
  if (text.length > 2 * maxLength || Array.from(text).length > maxLength)
    return wrong('too_long', `${column} must have at most ${maxLength} characters.`)
  if (!new RegExp(pattern, 'u').test(text))
    return wrong(
      'format',
      `${column} must not have control characters${schema === Description ? '' : ' or line breaks'}.`,
    )
  return { value: text }
}

/** One of a set of values, in any case: people type them into a spreadsheet. */
function oneOf<Value extends string>(
  column: RequestColumn,
  values: readonly Value[],
  text: string,
): Cell<Value> {
  const value = values.find(value => value === text.toLowerCase())
  return value ? { value } : wrong('format', `${column} must be one of ${values.join(', ')}.`)
}

/** A moment, or a day: it is over at the end of the day, UTC. */
function momentOf(text: string): Cell<string> {
  const moment = isDay(text) ? new Date(`${text}T23:59:59.000Z`) : parseTimestamp(text)
  return moment
    ? { value: moment.toISOString() }
    : wrong('format', 'due_at must be a day as YYYY-MM-DD, or a date and time as in RFC 3339.')
}

function addressOf(text: string): Cell<string> {
  const key = text.length <= longestEmail ? emailKey(text) : null
  return key === null ? wrong('format', 'assignee_email must be an email address.') : { value: key }
}

/** Reads the cell of each column from its text without white space at the ends. */
export const readCell: Cells = {
  title: text => (text === '' ? wrong('required', 'title is required.') : textOf('title', Title, text)),
  description: text => (text === '' ? { value: null } : textOf('description', Description, text)),
  section: text => (text === '' ? { value: null } : textOf('section', Section, text)),
  kind: text => (text === '' ? { value: 'evidence_request' } : oneOf('kind', taskKinds, text)),
  priority: text => (text === '' ? { value: 'none' } : oneOf('priority', priorities, text)),
  due_at: text => (text === '' ? { value: null } : momentOf(text)),
  assignee_email: text => (text === '' ? { value: null } : addressOf(text)),
}
