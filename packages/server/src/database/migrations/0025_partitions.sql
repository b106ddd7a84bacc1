-- Runs with no earlier version.
-- commands, receipts and events consist of partitions, one for each period, so that history is removed by dropping a table and
-- not row by row. Existing rows stay where they are: they are the partitions of the first period. Earlier versions name the
-- primary key of commands in their statements, which is another one now; their changes would fail.

-- Each change belongs to the last period that had begun. Rows go to a period only once its partitions exist, so nothing is
-- refused if nobody creates the next one. Period 0 has what is kept for ever, and no events.
create table history_periods (
  number integer primary key check (number between 1 and 1000),
  starts_at timestamptz(3) not null unique,
  -- Partitions that retention has dropped.
  dropped text[] not null default '{}'
);
insert into history_periods values (1, '-infinity');
grant select on history_periods to svc_reader, svc_writer;

drop function reap_commands(integer);
drop policy reaping on commands;
drop trigger commands_settled on commands;
drop index commands_expiring;

alter table commands rename to commands_1;
alter table receipts rename to receipts_1;
alter table events rename to events_1;

-- A constant default is not written into the rows.
alter table commands_1 add column period integer not null default 1, drop constraint commands_pkey,
  add primary key (scope_id, principal, idempotency_key, period);
alter table commands_1 alter column period drop default;
-- receipt_id is random and never looked up.
alter table receipts_1 add column period integer not null default 1, drop constraint receipts_pkey,
  drop constraint receipts_workspace_id_command_id_key, add primary key (workspace_id, command_id, period);
alter table receipts_1 alter column period drop default;
alter table events_1 rename constraint events_pkey to events_1_pkey;
alter table events_1 rename constraint events_workspace_id_id_key to events_1_workspace_id_id_key;
alter table events_1
  rename constraint events_workspace_id_command_id_ordinal_key to events_1_workspace_id_command_id_ordinal_key;
alter index events_of_room rename to events_1_of_room;

create table commands_0 (like commands_1 including all);
create table receipts_0 (like receipts_1 including all);

-- Positions of a period begin at (number - 1) * 2^30, so that a range of positions is a range of time.
create table commands (like commands_1 including defaults including constraints) partition by list (period);
create table receipts (like receipts_1 including defaults including constraints) partition by list (period);
create table events (like events_1 including defaults including constraints) partition by range (position);
alter table commands add primary key (scope_id, principal, idempotency_key, period);
alter table receipts add primary key (workspace_id, command_id, period);
alter table events add primary key (workspace_id, position);

-- Rights and policies are those of the whole table. Nobody reads or writes a partition by its own name, besides its owner, who
-- reads all rows, so that pg_dump has them.
create function close_partition(partition text) returns void language plpgsql as $$
declare
  policy text;
begin
  for policy in select polname from pg_policy where polrelid = format('svc.%I', partition)::regclass loop
    execute format('drop policy %I on svc.%I', policy, partition);
  end loop;
  execute format('revoke all on svc.%I from svc_reader, svc_writer', partition);
  execute format('create policy owner_reads_all on svc.%I for select to svc_owner using (true)', partition);
  execute format('alter table svc.%I enable row level security', partition);
  execute format('alter table svc.%I force row level security', partition);
end $$;

-- Creates the partitions of the next period. It blocks no other statement: a partition is attached when it is complete.
create function add_history_period(new_number integer, new_starts_at timestamptz) returns void language plpgsql as $$
declare
  parent text;
  bounds text;
begin
  insert into svc.history_periods values (new_number, new_starts_at);
  foreach parent in array array['commands', 'receipts', 'events'] loop
    bounds := case parent
      when 'events' then format('from (%s) to (%s)', (new_number - 1)::bigint << 30, new_number::bigint << 30)
      else format('in (%s)', new_number) end;
    -- Like the partition before it, which has unique indexes that the whole table cannot have.
    execute format('create table svc.%I (like svc.%I including all)', parent || '_' || new_number, parent || '_' || new_number - 1);
    perform svc.close_partition(parent || '_' || new_number);
    execute format('alter table svc.%I attach partition svc.%I for values %s', parent, parent || '_' || new_number, bounds);
  end loop;
end $$;
revoke execute on function close_partition(text), add_history_period(integer, timestamptz) from public;

-- Only while the rows of kept keys move: forced row-level security would keep the owner from it.
alter table commands_1 no force row level security;
alter table receipts_1 no force row level security;
alter table commands attach partition commands_0 for values in (0);
alter table commands attach partition commands_1 for values in (1);
alter table receipts attach partition receipts_0 for values in (0);
alter table receipts attach partition receipts_1 for values in (1);
alter table events attach partition events_1 for values from (0) to (1073741824);
update commands set period = 0 where expires_at is null;
update receipts r set period = 0 from commands c
where c.period = 0 and r.workspace_id = c.receipt_workspace_id and r.command_id = c.command_id and r.period = 1;

select close_partition(name) from unnest(array['commands_0', 'commands_1', 'receipts_0', 'receipts_1', 'events_1']) name;

-- Earlier rows may have the same key: the command is told apart by its id.
create or replace function check_command_is_settled() returns trigger language plpgsql as $$
begin
  if not exists (
    select from svc.commands c join svc.receipts r on r.workspace_id = c.receipt_workspace_id and r.command_id = c.command_id
      and r.period = c.period
    where c.scope_id = new.scope_id and c.principal = new.principal and c.idempotency_key = new.idempotency_key
      and c.period = new.period and c.command_id = new.command_id and c.status is not null and c.answer is not null
  ) then
    raise exception 'command % commits without its answer or receipt', new.command_id using errcode = 'integrity_constraint_violation';
  end if;
  return null;
end $$;
create constraint trigger commands_settled after insert or update on commands
  deferrable initially deferred for each row
  when (new.status is null or new.answer is null or new.receipt_workspace_id is null)
  execute function check_command_is_settled();

alter table commands enable row level security;
alter table commands force row level security;
alter table receipts enable row level security;
alter table receipts force row level security;
alter table events enable row level security;
alter table events force row level security;
create policy within_scope on commands using (scope_id in (current_workspace(), current_caller()));
create policy within_workspace on receipts using (workspace_id = current_workspace());
create policy within_workspace on events using (workspace_id = current_workspace());
create policy own_receipts on receipts for select using (
  command_id in (select c.command_id from commands c where c.scope_id = current_caller())
  and (
    workspace_id in (select m.workspace_id from memberships m where m.user_id = current_caller() and m.status = 'active')
    or workspace_id in (
      select p.workspace_id from room_participants p
      where p.user_id = current_caller() and p.status = 'active' and p.as_guest
        and (p.expires_at is null or p.expires_at > statement_timestamp())
    )
  )
);
create policy owner_reads_all on commands for select to svc_owner using (true);
create policy owner_reads_all on receipts for select to svc_owner using (true);
create policy owner_reads_all on events for select to svc_owner using (true);
grant select on commands, receipts, events to svc_reader, svc_writer;
grant insert, update on commands to svc_writer;
grant insert on receipts, events to svc_writer;
