import assert from 'node:assert/strict'
import { cpSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { it, type TestContext } from 'node:test'
import { parseSync } from 'oxc-parser'
import { routesIn } from './new/declaration.ts'
import { newMigration } from './new/migration.ts'
import { newNoun } from './new/noun.ts'
import { newOperation } from './new/operation.ts'

const project = join(import.meta.dirname, '..')

/** A folder with the files of this project that a new operation of Rooms goes into. */
function folderWith(t: TestContext, ...paths: string[]): string {
  const root = mkdtempSync(join(tmpdir(), 'wbs-new-'))
  t.after(() => rmSync(root, { recursive: true }))
  for (const path of paths) cpSync(join(project, path), join(root, path), { recursive: true })
  return root
}

const declarations = 'packages/contract/src/rooms'
const handlers = 'packages/server/src/rooms'
const tests = 'packages/server/test/rooms'

/** What a new noun goes into, with two of the slices. */
const nounFiles = [
  declarations,
  handlers,
  'packages/contract/src/registry.ts',
  'packages/contract/src/events.ts',
  'packages/contract/src/receipts.ts',
  'packages/server/src/files/handlers.ts',
  'packages/server/src/database/migrations',
  'packages/server/test/operations/samples.ts',
  'packages/server/test/operations/world.ts',
]

const roomsFolder = (t: TestContext) => folderWith(t, declarations, handlers, tests)
const textIn = (root: string) => (path: string) => readFileSync(join(root, path), 'utf8')

it('writes the skeleton of a change into the files of its noun', t => {
  const root = roomsFolder(t)
  const said = newOperation(root, 'rooms/pin-room', 'mutation')
  const text = textIn(root)
  assert.match(
    text(`${declarations}/rooms.ts`),
    /export const pinRoom = mutation\('pin_room', \{\n {2}\.\.\.roomMutation,[^}]*http: 'POST \/v1\/rooms\/\{room_id\}\/pin',\n/,
  )
  assert.match(text(`${handlers}/pin-room.ts`), /implement\(\n {2}pinRoom,\n {2}async function pinRoom\(/)
  assert.match(text(`${handlers}/handlers.ts`), /import \{ handlePinRoom \} from '\.\/pin-room\.ts'/)
  assert.match(text(`${handlers}/handlers.ts`), /\n {2}handlePinRoom,\n\]/)
  assert.match(
    text(`${tests}/samples.ts`),
    /pin_room: \{\n {4}input: \(\) => \{\n.*\n {4}\},\n {2}\},\n\} satisfies Samples/,
  )
  assert.match(text(`${tests}/pin-room.test.ts`), /describe\('pin_room'/)
  for (const path of said.match(/packages\/\S+\.ts/g) ?? [])
    assert.deepEqual(parseSync(path, text(path)).errors, [], path)
})

it('writes a query below a noun, and needs no visibility for it', t => {
  const root = roomsFolder(t)
  newOperation(root, 'rooms/participants/list-mutes', 'query')
  const text = textIn(root)
  assert.match(
    text(`${declarations}/participants.ts`),
    /query\('list_mutes', \{\n {2}\.\.\.reading,[^]*http: 'GET \/v1\/rooms\/\{room_id\}\/participants\/mutes',\n/,
  )
  assert.doesNotMatch(text(`${handlers}/participants/list-mutes.ts`), /visible/)
  assert.match(text(`${handlers}/handlers.ts`), /'\.\/participants\/list-mutes\.ts'/)
})

it('gives an operation a path that no other one has, and refuses it if there is none', t => {
  const root = roomsFolder(t)
  for (const [path, kind, http] of [
    ['rooms/list-pins', 'query', 'GET /v1/rooms/pins'],
    ['rooms/get-pin', 'query', 'GET /v1/rooms/{room_id}/pin'],
    ['rooms/participants/get-mute', 'query', 'GET /v1/rooms/{room_id}/participants/{participant_id}/mute'],
    ['rooms/archive-all', 'mutation', 'POST /v1/rooms/{room_id}/archive-all'],
  ] as const) {
    newOperation(root, path, kind)
    assert.equal(routesIn(root).filter(route => route === http).length, 1, http)
  }
  assert.throws(
    () => newOperation(root, 'rooms/get-access', 'query'),
    /^Error: Another operation has GET \/v1\/rooms\/\{access_id\}, and another one has GET \/v1\/rooms\/\{room_id\}\/access\./,
  )
})

it('refuses what is there already, what has no noun and what is no name, and writes nothing', t => {
  const root = roomsFolder(t)
  const before = textIn(root)(`${handlers}/handlers.ts`)
  for (const [path, message] of [
    ['rooms/update-room', /declares update_room already/],
    ['rooms/pins/pin-room', /There is no rooms\/pins yet/],
    ['rooms/PinRoom', /^Name an operation as/],
    ['pin-room', /^Name an operation as/],
  ] as const)
    assert.throws(() => newOperation(root, path, 'mutation'), { message })
  assert.equal(textIn(root)(`${handlers}/handlers.ts`), before)
})

it('gives a migration the next number, and the level that it runs with', t => {
  const folder = 'packages/server/src/database/migrations'
  const root = folderWith(t, folder)
  const [, path = '', number] =
    /^(\S+\/(\d{4})_pinned_rooms\.sql)/.exec(newMigration(root, 'pinned_rooms')) ?? []
  assert.equal(dirname(path), folder)
  const before = String(Number(number) - 1).padStart(4, '0')
  assert.equal(textIn(root)(path).split('\n')[0], `-- Runs with versions from ${before} on.`)
  assert.throws(() => newMigration(root, 'pinned_rooms'), /has this name already/)
  assert.throws(() => newMigration(root, 'Pinned Rooms'), /small letters/)
})

it('writes a noun that stands in Rooms, and names it wherever nouns are named', t => {
  const root = folderWith(t, ...nounFiles)
  const said = newNoun(root, 'rooms/site-visits')
  const text = textIn(root)
  for (const path of said.match(/packages\/\S+\.ts/g) ?? [])
    assert.deepEqual(parseSync(path, text(path)).errors, [], path)
  assert.match(text('packages/contract/src/rooms/site-visits.ts'), /query\('list_site_visits', \{/)
  assert.match(text('packages/contract/src/registry.ts'), /\n {2}siteVisits,\n {2}activity,\n\]/)
  assert.match(text('packages/contract/src/events.ts'), /\n {2}\.\.\.siteVisitEvents,\n\} as const/)
  for (const handler of ['handleCreateSiteVisit', 'handleListSiteVisits', 'handleUpdateSiteVisit'])
    assert.match(
      text(`${handlers}/handlers.ts`),
      RegExp(`import \\{ ${handler} \\}[^]*\\n {2}${handler},\\n`),
    )
  assert.match(text('packages/server/test/operations/samples.ts'), /\n {2}rooms: \[.*, siteVisits\],\n/)
  assert.match(
    text('packages/server/test/operations/world.ts'),
    /\n {4}site_visit_id: siteVisit\.site_visit_id,\n/,
  )
  const [migration = ''] = said.match(/packages\S+_site_visits\.sql/) ?? []
  assert.match(text(migration), /force row level security;\ncreate policy within_workspace on site_visits/)
})

it('names a noun in a slice whose list of nouns has several lines', t => {
  const root = folderWith(t, ...nounFiles)
  newNoun(root, 'files/stamps')
  assert.match(
    textIn(root)('packages/server/test/operations/samples.ts'),
    /\n {4}roomFilePermissions, stamps\],\n/,
  )
  assert.match(
    textIn(root)('packages/server/src/files/stamps/create-stamp.ts'),
    /from '\.\.\/\.\.\/rooms\/room-access\.ts'/,
  )
})

it('refuses a noun of a slice that has none, one that is there and what is no plural', t => {
  const root = folderWith(t, ...nounFiles)
  assert.throws(
    () => newNoun(root, 'me/notes'),
    /stands in Rooms is in .*rooms, files.*; .* belongs to a Workspace is in .*workspaces, businesses, lists\./,
  )
  assert.throws(() => newNoun(root, 'rooms/participants'), /0008_participants\.sql has this name already/)
  assert.throws(() => newNoun(root, 'rooms/visit'), /its slice and its plural, such as rooms\/site-visits/)
  const before = textIn(root)('packages/contract/src/registry.ts')
  assert.equal(before, readFileSync(join(project, 'packages/contract/src/registry.ts'), 'utf8'))
})
