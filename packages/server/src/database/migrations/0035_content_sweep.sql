-- Runs with versions from 0028 on.
-- Nodes take turns to sweep the blob store, and go on where the last one was. Nodes of versions before sweep without turns.

-- One row.
create table content_sweep (
  only_row boolean primary key default true check (only_row),
  -- When the next round is due; in the past while there is one.
  due_at timestamptz not null default statement_timestamp(),
  -- What the round has reached; null at its start.
  position jsonb,
  -- Whose turn it is, and how long nobody else may take it.
  turn_id uuid,
  turn_ends_at timestamptz
) with (fillfactor = 50);
insert into content_sweep default values;
grant select, update on content_sweep to svc_writer;
