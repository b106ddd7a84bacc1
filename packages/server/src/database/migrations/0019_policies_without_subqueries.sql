-- Runs with versions from 0015 on.
-- A policy asks for the Workspace and the caller by themselves, and not in subqueries: each of these was a plan of its own to
-- set up in every statement, for each table that it names. Where the statement names the Workspace too, as all of them do, the
-- planner compares both once for the whole statement.
alter policy within_workspace on workspaces using (id = current_workspace());
alter policy within_workspace on memberships using (workspace_id = current_workspace());
alter policy within_workspace on api_keys using (workspace_id = current_workspace());
alter policy within_workspace on api_key_uses using (workspace_id = current_workspace());
alter policy within_workspace on team_invitations using (workspace_id = current_workspace());
alter policy within_scope on commands using (scope_id in (current_workspace(), current_caller()));
alter policy within_workspace on receipts using (workspace_id = current_workspace());
alter policy within_workspace on feed_positions using (workspace_id = current_workspace());
alter policy within_workspace on events using (workspace_id = current_workspace());
alter policy within_workspace on workspace_businesses using (workspace_id = current_workspace());
alter policy within_workspace on workspace_business_profiles using (workspace_id = current_workspace());
alter policy within_workspace on business_observations using (workspace_id = current_workspace());
alter policy within_workspace on business_fact_statements using (workspace_id = current_workspace());
alter policy within_workspace on rooms using (workspace_id = current_workspace());
alter policy within_workspace on room_attachments using (workspace_id = current_workspace());
alter policy within_workspace on room_participants using (workspace_id = current_workspace());

alter policy own_memberships on memberships using (user_id = current_caller());
alter policy own_participation on room_participants using (user_id = current_caller());
alter policy own_workspaces on workspaces using (
  id in (select m.workspace_id from memberships m where m.user_id = current_caller() and m.status = 'active')
);
alter policy own_receipts on receipts using (
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
