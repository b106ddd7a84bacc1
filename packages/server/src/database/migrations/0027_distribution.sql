-- Runs with versions from 0023 on.
-- What is unique in a Workspace table is unique within the Workspace, so that the table can be distributed by it. A token has 256
-- random bits, so two Workspaces do not have the same. Its holder names no Workspace, so each is looked up by the digest alone.
alter table team_invitations drop constraint team_invitations_token_digest_key,
  add constraint team_invitations_token_digest_key unique (workspace_id, token_digest);
create index team_invitations_by_token on team_invitations (token_digest);

alter table room_participants drop constraint room_participants_token_digest_key,
  add constraint room_participants_token_digest_key unique (workspace_id, token_digest);
create index room_participants_by_token on room_participants (token_digest) where token_digest is not null;
