import assert from 'node:assert/strict'
import { after, before, describe, it } from 'node:test'
import { migrate } from '../../src/database/migrating/migrate.ts'
import { selfTest, UnsafeDatabase } from '../../src/database/self-test.ts'
import { startPrivateServer, type PrivateServer } from './embedded/private-server.ts'

/** A change that breaks a good database, the message that reports it, and how to undo it. Without that, a copy is changed. */
const faults: { does: string; told: RegExp; back?: string }[] = [
  {
    does: 'alter table rooms_probe disable row level security',
    told: /rooms_probe is not under forced row-level/,
    back: 'alter table rooms_probe enable row level security',
  },
  {
    does: 'alter table receipts no force row level security',
    told: /receipts is not under forced row-level/,
    back: 'alter table receipts force row level security',
  },
  { does: 'drop policy within_workspace on events', told: /events is not under forced row-level/ },
  {
    does: 'create policy careless on events using (true)',
    told: /policy careless of events asks for neither/,
    back: 'drop policy careless on events',
  },
  {
    does: 'create policy careless on events for insert with check (true)',
    told: /policy careless of events asks for neither/,
    back: 'drop policy careless on events',
  },
  {
    does: 'create policy careless on events for select to svc_reader using (position > 0)',
    told: /policy careless of events asks for neither/,
    back: 'drop policy careless on events',
  },
  {
    does: 'alter policy within_workspace on events with check (true)',
    told: /policy within_workspace of events asks for neither/,
  },
  {
    does: 'drop policy owner_reads_all on events',
    told: /backups would leave out rows of events/,
    back: 'create policy owner_reads_all on events for select to svc_owner using (true)',
  },
  {
    does: 'alter policy owner_reads_all on events using (position > 0)',
    told: /backups would leave out rows of events/,
    back: 'alter policy owner_reads_all on events using (true)',
  },
  {
    does: 'create policy strict on events as restrictive using (position > 0)',
    told: /backups would leave out rows of events/,
    back: 'drop policy strict on events',
  },
  {
    does: 'create table late (workspace_id uuid primary key); alter table late enable row level security',
    told: /backups would leave out rows of late/,
    back: 'drop table late',
  },
  {
    does: 'grant insert on events to svc_reader',
    told: /svc_reader may write to events/,
    back: 'revoke insert on events from svc_reader',
  },
  {
    does: 'grant insert on users to svc_reader',
    told: /svc_reader may write to users/,
    back: 'revoke insert on users from svc_reader',
  },
  {
    does: 'grant update (name) on workspaces to svc_reader',
    told: /svc_reader may write to workspaces/,
    back: 'revoke update (name) on workspaces from svc_reader',
  },
  {
    does: 'grant truncate on sources to public',
    told: /svc_reader may write to sources/,
    back: 'revoke truncate on sources from public',
  },
  {
    does: 'grant delete on receipts to svc_writer',
    told: /svc_writer may rewrite receipts/,
    back: 'revoke delete on receipts from svc_writer',
  },
  {
    does: 'grant update (data) on events to svc_writer',
    told: /svc_writer may rewrite events/,
    back: 'revoke update (data) on events from svc_writer',
  },
  {
    does: 'grant select on service_secrets to svc_reader',
    told: /svc_reader may read service_secrets/,
    back: 'revoke select on service_secrets from svc_reader',
  },
  {
    does: 'grant usage on schema svc_jobs to svc_reader',
    told: /svc_reader may look into svc_jobs/,
    back: 'revoke usage on schema svc_jobs from svc_reader',
  },
  {
    does: 'create table late (id uuid primary key, workspace_id uuid not null)',
    told: /late is not under forced row-level security; .*the primary key of late is not led by workspace_id/,
    back: 'drop table late',
  },
  {
    does: 'alter table receipts drop constraint receipts_pkey; alter table receipts add primary key (receipt_id, workspace_id, period)',
    told: /primary key of receipts is not led by workspace_id/,
  },
  { does: 'alter table events drop constraint events_pkey', told: /primary key of events is not led by/ },
  {
    does: 'grant select (answer) on commands_1 to svc_reader',
    told: /svc_reader may use the partition commands_1 by its own name/,
    back: 'revoke select (answer) on commands_1 from svc_reader',
  },
  {
    does: 'alter table events_1 no force row level security',
    told: /events_1 is not under forced row-level security/,
    back: 'alter table events_1 force row level security',
  },
  {
    does: 'drop policy owner_reads_all on receipts_0',
    told: /backups would leave out rows of receipts_0/,
    back: 'create policy owner_reads_all on receipts_0 for select to svc_owner using (true)',
  },
  {
    does: 'create view everything as select * from receipts',
    told: /view everything shows what its owner sees/,
    back: 'drop view everything',
  },
  {
    does: `create function peek() returns bigint language sql security definer as 'select count(*) from svc.receipts'`,
    told: /function peek runs with the rights of its owner/,
    back: 'drop function peek()',
  },
  {
    does: `create or replace function current_workspace() returns uuid language sql stable return '00000000-0000-7000-8000-000000000002'::uuid`,
    told: /rows of receipts are visible to svc_reader without a Workspace.*svc_writer/,
  },
  {
    does: 'grant svc_owner to svc_writer',
    told: /svc_writer is a member of svc_owner/,
    back: 'revoke svc_owner from svc_writer',
  },
  {
    does: 'grant svc_writer to svc_reader',
    told: /svc_reader is a member of svc_writer/,
    back: 'revoke svc_writer from svc_reader',
  },
  {
    does: 'grant pg_write_all_data to svc_reader',
    told: /svc_reader is a member of pg_write_all_data/,
    back: 'revoke pg_write_all_data from svc_reader',
  },
  {
    does: 'alter role svc_writer bypassrls',
    told: /svc_writer has rights past row-level security/,
    back: 'alter role svc_writer nobypassrls',
  },
  {
    does: 'alter role svc_reader bypassrls',
    told: /svc_reader has rights past row-level security; .*rows of receipts are visible to svc_reader/,
    back: 'alter role svc_reader nobypassrls',
  },
  {
    does: 'alter role svc_owner superuser',
    told: /svc_owner has rights past row-level security/,
    back: 'alter role svc_owner nosuperuser',
  },
]

describe('a start is refused, and the fault is named, after', () => {
  let server: PrivateServer
  before(async () => {
    server = await startPrivateServer({ fsync: 'off' })
    await server.sql('create database good strategy file_copy')
    await migrate(server.address('good'))
    await server.sql(
      `set search_path = svc;
       create table rooms_probe (workspace_id uuid not null, id uuid not null, primary key (workspace_id, id));
       alter table rooms_probe enable row level security;
       alter table rooms_probe force row level security;
       create policy within_workspace on rooms_probe using (workspace_id = (select current_workspace()));
       create policy owner_reads_all on rooms_probe for select to svc_owner using (true);
       insert into users values ('00000000-0000-7000-8000-000000000001', 'https://issuer.example', 'olivia');
       insert into workspaces (id, name, workspace_type, created_by)
         values ('00000000-0000-7000-8000-000000000002', 'A Workspace', 'team', '00000000-0000-7000-8000-000000000001');
       insert into receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, occurred_at, period)
         values ('00000000-0000-7000-8000-000000000002', gen_random_uuid(), gen_random_uuid(), 'a_test', '{}', 'x', 'x', now(), 1)`,
      'good',
    )
  })
  after(() => server.close())

  async function copy(): Promise<string> {
    await server.sql('drop database if exists copy with (force)')
    await server.sql('create database copy template good strategy file_copy')
    return 'copy'
  }

  for (const { does, told, back } of faults)
    it(does, async () => {
      const database = back ? 'good' : await copy()
      await server.sql(`set search_path = svc; ${does}`, database)
      try {
        await assert.rejects(
          selfTest(server.address(database)),
          error =>
            error instanceof UnsafeDatabase && told.test(error.message) && !error.message.includes('\n'),
        )
      } finally {
        if (back) await server.sql(`set search_path = svc; ${back}`, database)
      }
    })

  // The last one: by then the other changes are undone.
  it('nothing: a good database is let pass', () => selfTest(server.address('good')))
})
