import { readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

const folder = 'packages/server/src/database/migrations'

/**
 * Writes a migration with the next number, which shows the form of a Workspace table. Throws if the name is taken, or has
 * characters other than small letters, digits and _.
 */
export function newMigration(root: string, name: string): string {
  const { file, before } = nextMigration(root, name)
  writeFileSync(join(root, file), textOf(before), { flag: 'wx' })
  return `${file} is there. Read "A migration" in CONTRIBUTING.md, and replace what it shows.`
}

/** The file of a new migration, and the level before it. Throws as newMigration does. */
export function nextMigration(root: string, name: string): { file: string; before: string } {
  if (!/^[a-z][a-z0-9_]*$/.test(name))
    throw new Error('The name of a migration has small letters, digits and _, such as pinned_rooms.')
  const files = readdirSync(join(root, folder))
    .filter(file => file.endsWith('.sql'))
    .toSorted()
  const taken = files.find(file => file.slice(5) === `${name}.sql`)
  if (taken !== undefined) throw new Error(`${folder}/${taken} has this name already.`)
  const before = files.at(-1)?.slice(0, 4) ?? '0000'
  const number = String(Number(before) + 1).padStart(4, '0')
  return { file: `${folder}/${number}_${name}.sql`, before }
}

const textOf = (before: string) => `-- Runs with versions from ${before} on.

-- A table of a Workspace has this form:
-- create table room_pins (
--   workspace_id uuid not null,
--   room_id text not null,
--   …,
--   primary key (workspace_id, room_id, …),
--   foreign key (workspace_id, room_id) references rooms (workspace_id, id)
-- );
-- alter table room_pins enable row level security;
-- alter table room_pins force row level security;
-- create policy within_workspace on room_pins using (workspace_id = current_workspace());
-- create policy owner_reads_all on room_pins for select to svc_owner using (true);
-- grant select on room_pins to svc_reader, svc_writer;
-- grant insert on room_pins to svc_writer; -- and update or delete, if a statement does it
`
