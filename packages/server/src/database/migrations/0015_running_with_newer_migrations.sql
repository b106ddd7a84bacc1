-- Runs with no earlier version.
-- Jobs schema: 43
-- Each migration notes, from here on, with which versions of the service it can be run: so a version that does not know it
-- can tell whether it may start. Earlier versions do not ask, and refuse whatever they do not know.
alter table migration_files
  -- The level of the oldest version that still works: the number of the last migration it brings. Null: none but its own.
  add column runs_with integer,
  -- Which version of the service applied it: what an older one tells its user to start instead.
  add column service_version text,
  -- The functions with the rights of their owner that were there after it, as the self-test of an older version asks.
  add column definer_functions text[];
