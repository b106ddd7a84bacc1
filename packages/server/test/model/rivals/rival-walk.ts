import { isStream, type Operation } from '@wbs/contract/operation'
import { operations } from '@wbs/contract/registry'
import type { Person } from '../../harness/service.ts'
import { callOperation, onTheWire } from '../../operations/wire.ts'
import type { Random } from '../random.ts'
import { fitting, readPools, type Pools } from './pools.ts'
import { randomInput } from './random-input.ts'
import { wordOf, wordsIn, type Rival, type RivalWorld } from './rival-world.ts'

/** What a rival was shown that another one wrote or did. */
export interface Leak {
  operation: string
  to: number
  what: string
}

const queries = operations.filter(one => one.kind === 'query' && one.audience === 'workspace')

/** The changes that guests can make. Whoever leaves cannot go on. */
export const changes = operations.filter(
  one =>
    one.kind === 'mutation' && one.audience === 'workspace' && 'guests' in one && one.name !== 'leave_room',
)

/** What a manager does not do in the walk: it would change who takes part, or whom they see. */
const notByManager = [
  'update_room',
  'archive_room',
  'revoke_participant',
  'update_participant',
  'stop_connection',
  'pause_connection',
  'share_connection',
  'invite_participant',
  'resend_invitation',
]

const idPattern = /\b(?:fil|rfl|fvr|upl|tsk|apr)_[0-9a-z]{26}\b/gi

export class RivalWalk {
  readonly world: RivalWorld
  readonly random: Random
  readonly leaks: Leak[] = []
  /** How often each operation was done, and how many answers to rivals were looked at. */
  readonly done = new Map<string, number>()
  looked = 0
  /** Which rival made the row with an id. */
  readonly #makers = new Map<string, number>()
  /** The words and ids that a manager has opened to others. */
  readonly #opened = new Set<string>()
  /** The Room Files that a manager has opened, by their ids and those of their Files: what rivals write there later is open too. */
  readonly #openFiles = new Map<string, string>()
  #count = 0
  #pools: Pools = {}

  constructor(world: RivalWorld, random: Random) {
    this.world = world
    this.random = random
  }

  async refresh(): Promise<void> {
    this.#pools = await readPools(this.world)
  }

  /** A change by a rival, with a word of theirs in each text. */
  async rivalChanges(rival: Rival, operation: Operation = this.random.pick(changes)): Promise<void> {
    const word = wordOf(rival.number, this.#count++)
    const pools = this.random.chance(0.6) ? this.#poolsOf(rival) : this.#pools
    const input = await this.#input(operation, word, {}, pools)
    const answer = await this.#send(rival.person, operation, input)
    const text = this.#look(rival, operation.name, answer, input)
    if (answer.status >= 300) return
    this.done.set(operation.name, (this.done.get(operation.name) ?? 0) + 1)
    for (const [id] of text.matchAll(idPattern)) if (!this.#known.has(id)) this.#makers.set(id, rival.number)
    for (const [id] of text.matchAll(idPattern)) this.#known.add(id)
    const open = this.#openFiles.get(String(input['room_file_id'] ?? input['file_id']))
    if (open !== undefined) await this.#open(open)
  }
  readonly #known = new Set<string>()

  /** A change by the manager or the member, of the same operations. */
  async insiderChanges(operation?: Operation): Promise<void> {
    const { manager, member } = this.world
    const by = this.random.chance(0.7) ? manager : member
    const chosen = operation ?? this.random.pick(changes.filter(({ name }) => !notByManager.includes(name)))
    const input = {
      ...(await this.#input(chosen, 'As agreed')),
      ...(chosen.name === 'set_room_file_permission' && { access_level: 'view' }),
    }
    const answer = await this.#send(by, chosen, input)
    if (answer.status >= 300) return
    for (const [id] of JSON.stringify(answer.body).matchAll(idPattern)) this.#known.add(id)
    const opens =
      chosen.name === 'set_room_file_permission' ||
      (chosen.name === 'update_room_file' &&
        (input as Record<string, unknown>)['access_mode'] === 'inherit_room')
    if (opens) await this.#open(String((input as Record<string, unknown>)['room_file_id']))
  }

  /** A Task that all see, for whoever comes first. */
  async commonTask(): Promise<void> {
    const { manager, room_id, workspace_id } = this.world
    const { task_id } = (
      await manager.client.createTask({ title: 'Confirm the terms', room_id }, { workspace_id })
    ).data
    this.#known.add(task_id)
  }

  /** A Task of the manager for a Goal of which a rival is in charge, so that others see the Task, but not the Goal. */
  async bid({ person }: Rival): Promise<void> {
    const { manager, workspace_id } = this.world
    const room_id = this.world.room_id as never
    const of = { workspace_id }
    const charged = { title: 'Win the auction', room_id, accountable_user_id: person.user_id }
    const { goal_id } = (await manager.client.createGoal(charged, of)).data
    this.#hiddenGoals.set(goal_id, person.user_id)
    const { task_id } = (await manager.client.createTask({ title: 'Bid', room_id, goal_id }, of)).data
    this.#known.add(task_id)
  }
  readonly #hiddenGoals = new Map<string, string>()

  /** What a rival reads, of one query or of all that the registry has. */
  async rivalReads(rival: Rival, operation: Operation = this.random.pick(queries)): Promise<void> {
    const input = await this.#input(operation, 'a')
    this.#look(rival, operation.name, await this.#send(rival.person, operation, input), input)
  }

  /** Every query with each of the ids of what it names, as a rival. */
  async rivalReadsAll(rival: Rival, most: number): Promise<void> {
    for (const operation of queries) {
      const named = Object.keys(operation.input).filter(name => operation.http.includes(`{${name}}`))
      const last = named.at(-1)
      const ids = last === undefined ? [undefined] : this.#idsFor(operation, last).slice(0, most)
      for (const id of ids) {
        const input = await this.#input(operation, 'a', last === undefined ? {} : { [last]: id })
        const answer = isStream(operation)
          ? await this.#stream(rival.person, operation)
          : await this.#send(rival.person, operation, input)
        this.#look(rival, operation.name, answer, input)
      }
    }
  }

  /** The mails to each rival. */
  readMails(): void {
    for (const rival of this.world.rivals)
      for (const mail of this.world.mails.filter(({ to }) => to === rival.person.email))
        this.#look(rival, 'a mail', { body: mail })
  }

  /** The same ids, but only those of the rival where they have made some: most requests about others' are refused. */
  #poolsOf({ number }: Rival): Pools {
    return Object.fromEntries(
      Object.entries(this.#pools).map(([name, ids]) => {
        const own = ids.filter(id => this.#makers.get(id) === number)
        return [name, own.length > 0 ? own : ids]
      }),
    )
  }

  /** The ids that a parameter of a path takes. A new parameter that guests can send needs its ids in pools.ts. */
  #idsFor(operation: Operation, name: string): readonly (string | undefined)[] {
    const ids = this.#pools[name]
    if (ids) return ids.length > 0 ? ids : ['unknown']
    if ('guests' in operation) throw new Error(`Tell pools.ts which rows ${name} of ${operation.name} names.`)
    return ['unknown']
  }

  async #input(
    operation: Operation,
    text: string,
    over: Record<string, unknown> = {},
    pools = this.#pools,
  ): Promise<Record<string, unknown>> {
    const { room_id, connection_id } = this.world
    const fixed = {
      room_id,
      connection_id,
      operation: 'change',
      arguments: { text },
      content: operation.name === 'upload_content' ? Buffer.from(text).toString('base64') : text,
      content_type: `text/${text.replaceAll(' ', '-')}`,
      size_bytes: Buffer.byteLength(text),
      format: 'markdown',
      template: 'sba_7a',
      limit: 50,
      expected_revision: 1,
      wait_seconds: 0,
      ...over,
    }
    const input = randomInput(this.random, operation, {
      ids: pools,
      text,
      fixed: only(fixed, operation),
    })
    // Only a manager may change it: the request of a rival would be refused.
    if (wordsIn(text).length > 0) delete input['access_mode']
    for (const [name] of Object.entries(operation.input))
      if (operation.http.includes(`{${name}}`) && input[name] === undefined)
        input[name] = this.#idsFor(operation, name)[0]
    return { ...(await fitting(this.world, input)) }
  }

  async #send(person: Person, operation: Operation, input: object) {
    const headers = { authorization: `Bearer ${person.token}`, 'svc-workspace-id': this.world.workspace_id }
    return callOperation(this.world.service, operation, input as never, headers)
  }

  /** The events of a stream from the beginning, until none comes for a while. */
  async #stream(person: Person, operation: Operation) {
    const { path } = onTheWire(operation, {})
    const ending = new AbortController()
    const response = await fetch(`${this.world.service.base_url}${path}?cursor=${this.startOf(person)}`, {
      signal: ending.signal,
      headers: { authorization: `Bearer ${person.token}`, 'svc-workspace-id': this.world.workspace_id },
    })
    const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
    let body = ''
    for (;;) {
      const idle = new Promise<undefined>(resolve => setTimeout(resolve, 300, undefined))
      const part = await Promise.race([reader?.read(), idle])
      if (!part || part.done) break
      body += part.value
    }
    ending.abort()
    return { status: response.status, body }
  }

  readonly #starts = new Map<string, string>()
  startOf = (person: Person) => this.#starts.get(person.user_id) ?? ''
  async rememberStarts(): Promise<void> {
    const { workspace_id } = this.world
    for (const { person } of this.world.rivals)
      this.#starts.set(person.user_id, (await person.client.listEventChanges({}, { workspace_id })).cursor)
  }

  /** Looks for the words, the ids and the names of other rivals. What the rival sent themselves tells them nothing. */
  #look(rival: Rival, operation: string, answer: { body?: unknown }, sent: object = {}): string {
    const text = JSON.stringify(answer.body ?? '')
    const own = JSON.stringify(sent)
    this.looked++
    for (const { word, number } of wordsIn(text))
      if (number !== rival.number && !this.#opened.has(word))
        this.#leak(operation, rival, `${word}: ${around(text, word)}`)
    for (const [id] of text.matchAll(idPattern)) {
      const maker = this.#makers.get(id)
      if (maker !== undefined && maker !== rival.number && !this.#opened.has(id) && !own.includes(id))
        this.#leak(operation, rival, `${id} of ${maker}: ${around(text, id)}`)
    }
    for (const [goal_id, user_id] of this.#hiddenGoals)
      if (user_id !== rival.person.user_id && text.includes(goal_id) && !own.includes(goal_id))
        this.#leak(operation, rival, `a Goal of another: ${around(text, goal_id)}`)
    for (const other of this.world.rivals)
      if (other !== rival && text.includes(other.person.user_id) && !own.includes(other.person.user_id))
        this.#leak(operation, rival, `the user ${other.number}: ${around(text, other.person.user_id)}`)
    return text
  }

  #leak(operation: string, { number }: Rival, what: string): void {
    this.leaks.push({ operation, to: number, what })
  }

  /** A manager has opened a File: what they see of it is open. */
  async #open(room_file_id: string): Promise<void> {
    const { manager } = this.world
    const [row] = await this.world.service.sql<{ file_id: string }>(
      'select file_id from room_files where id = $1',
      [room_file_id],
    )
    const file_id = String(row?.file_id)
    for (const id of [room_file_id, file_id]) this.#openFiles.set(id, room_file_id)
    const of = (name: string) => operations.find(one => one.name === name) as Operation
    const answers = await Promise.all([
      this.#send(manager, of('get_room_file'), { room_file_id }),
      this.#send(manager, of('get_file'), { file_id }),
      this.#send(manager, of('list_file_versions'), { file_id, limit: 100 }),
      this.#send(manager, of('get_file_text'), { file_id }),
    ])
    for (const text of answers.map(({ body }) => JSON.stringify(body))) {
      for (const { word } of wordsIn(text)) this.#opened.add(word)
      for (const [id] of text.matchAll(idPattern)) this.#opened.add(id)
    }
  }
}

const only = (fixed: Record<string, unknown>, { input }: Operation) =>
  Object.fromEntries(Object.entries(fixed).filter(([name]) => name in input || ['arguments'].includes(name)))

const around = (text: string, part: string) => {
  const at = text.toLowerCase().indexOf(part.toLowerCase())
  return text.slice(Math.max(0, at - 160), at + 120)
}
