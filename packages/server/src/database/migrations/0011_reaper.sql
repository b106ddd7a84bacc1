-- An Idempotency-Key whose time is over is free again at once. The reaper takes its row away, whatever Workspace it is of, a
-- batch at a time; rows that somebody is about to use again it passes over.
create policy reaping on commands to svc_owner using (expires_at <= now());

create function reap_commands(most integer) returns integer language sql security definer set search_path = svc as $$
  with over as (
    select c.ctid from svc.commands c where c.expires_at <= now() order by c.expires_at limit most for update skip locked
  ), gone as (
    delete from svc.commands c using over where c.ctid = over.ctid returning 1
  )
  select count(*)::integer from gone
$$;
revoke execute on function reap_commands(integer) from public;
grant execute on function reap_commands(integer) to svc_writer;
