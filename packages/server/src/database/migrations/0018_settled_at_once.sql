-- Runs with versions from 0015 on.
-- A command is written once, with its answer and its receipt in the same statement, and needs no look at its end. One that is
-- written without them, as earlier versions do, is looked at as before: this costs each change as much as its receipt.
drop trigger commands_settled on commands;
create constraint trigger commands_settled after insert or update on commands
  deferrable initially deferred for each row
  when (new.status is null or new.answer is null or new.receipt_workspace_id is null)
  execute function check_command_is_settled();

-- To check these keys, each change locked the row of its Workspace, which all changes there had to write to. Workspaces are
-- not deleted, and a change has asked for its caller's membership, which refers to the Workspace.
alter table receipts drop constraint receipts_workspace_id_fkey;
alter table events drop constraint events_workspace_id_fkey;
