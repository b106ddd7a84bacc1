-- How much of each rate limit is left. Not of the domain: no Workspace's row, no row-level security, nothing that a
-- request answers; and unlogged, since after a crash every bucket may as well be full again.
create unlogged table rate_limits (
  bucket text collate "C" primary key,
  tokens double precision not null,
  refilled_at timestamptz not null,
  -- How many the last taking was given: what is told back of an update is the new row alone.
  granted double precision not null
) with (fillfactor = 50); -- room beside each row, so that a taking rewrites it in its place and no index

grant select, insert, update, delete on rate_limits to svc_writer;
