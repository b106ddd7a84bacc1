-- Runs with versions from 0028 on.
-- What a change of a row with a revision calls if no row has the revision that it read.

create function revision_missed() returns integer language plpgsql as $$
begin
  raise exception 'no row has the revision that was read' using errcode = 'SV001';
end $$;
