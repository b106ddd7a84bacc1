-- Drops everything that migrations created, so that they can be applied again. The schema stays, since the login may not be
-- allowed to create it, and migration_files is created again as in roles.sql.
do $$
declare
  command text;
begin
  for command in
    select unnest(array(
      select format('drop table svc.%I cascade', relname) from pg_class
      where relnamespace = 'svc'::regnamespace and relkind in ('r', 'p') and not relispartition
    ))
  loop
    execute command;
  end loop;
  for command in
    select unnest(array(
      select format('drop routine if exists svc.%I(%s) cascade', proname, pg_get_function_identity_arguments(oid)) from pg_proc
      where pronamespace = 'svc'::regnamespace
    ))
  loop
    execute command;
  end loop;
  for command in
    select unnest(array(
      select format('drop type if exists svc.%I cascade', typname) from pg_type
      where typnamespace = 'svc'::regnamespace and typtype in ('e', 'd', 'r')
    ))
  loop
    execute command;
  end loop;
end $$;
create table svc.migration_files (name text collate "C" primary key, sha256 text not null);
