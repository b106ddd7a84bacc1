-- svc_owner reads every row of every Workspace, so that a backup holds all of them: forced row-level security holds for an
-- owner too, and without this a backup would leave them out without a word. Nobody logs in as svc_owner, and the roles that
-- serve requests are no members of it. The functions that look one thing up before the Workspace is known, and had a policy
-- each for that, go by this one.
do $$
declare
  table_name text;
begin
  for table_name in
    select relname from pg_class
    where relnamespace = 'svc'::regnamespace and relkind in ('r', 'p') and relrowsecurity order by relname
  loop
    execute format('create policy owner_reads_all on svc.%I for select to svc_owner using (true)', table_name);
  end loop;
end $$;

drop policy key_lookup on api_keys;
drop policy token_lookup on team_invitations;
drop policy token_lookup on workspaces;
drop policy token_lookup on room_participants;
drop policy token_lookup on rooms;
drop policy feed_lookup on feed_positions;
drop policy business_lookup on room_attachments;
