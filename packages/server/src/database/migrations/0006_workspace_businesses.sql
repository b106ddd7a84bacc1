-- Businesses that a Workspace makes, edits and keeps: what leaves a Workspace is kept, who said what is known, and
-- Businesses that seem to be the same are found.

-- A link is never deleted: what the Workspace recorded of the Business hangs on it, and comes back with it. One that was
-- made to a published Business shows what is published: were it withdrawn, whoever had linked it would else read on.
alter table workspace_businesses
  add column removed_at timestamptz(3),
  add column sees_unpublished boolean not null default true;
revoke delete on workspace_businesses, workspace_business_profiles from svc_writer;

-- What is recorded stays as it was; it can only be taken back.
revoke update on business_observations from svc_writer;
grant update (retracted_at) on business_observations to svc_writer;
create index business_observations_of_key on business_observations (workspace_id, business_id, key, id);

-- In which revision each field was changed last: what a stale edit missed. Fields are those of the interface.
alter table businesses add column field_revisions jsonb;
alter table workspace_business_profiles
  add column logo_url_revision integer not null default 1,
  add column notes_revision integer not null default 1;

-- What backs a fact as it stands now, and may be told to everybody who may read the fact: no Workspace, person or note.
create table business_fact_sources (
  business_id text collate "C" not null references businesses,
  field text collate "C" not null,
  kind text collate "C" not null check (kind in ('government_record', 'website', 'document', 'statement', 'other')),
  url text,
  observed_on date not null,
  primary key (business_id, field)
);

-- Who gave which source for which change of a Business, for the Workspace alone.
create table business_fact_statements (
  workspace_id uuid not null references workspaces,
  business_id text collate "C" not null references businesses,
  revision integer not null,
  fields text[] not null,
  kind text collate "C" not null check (kind in ('government_record', 'website', 'document', 'statement', 'other')),
  url text,
  note text,
  recorded_by uuid not null references users,
  recorded_at timestamptz(3) not null,
  primary key (workspace_id, business_id, revision)
);
alter table business_fact_statements enable row level security;
alter table business_fact_statements force row level security;
create policy within_workspace on business_fact_statements using (workspace_id = (select current_workspace()));

grant select on business_fact_sources, business_fact_statements to svc_reader, svc_writer;
grant insert, update, delete on business_fact_sources to svc_writer;
grant insert on business_fact_statements to svc_writer;

-- An address as it is compared to find the same Business: scheme and host in small letters, without a slash at its end.
create function website_key(website_url text) returns text language sql immutable
  return regexp_replace(
    lower(substring(website_url from '^[^:]*://[^/?#]*') collate "C")
      || substring(website_url from '^[^:]*://[^/?#]*(.*)$'),
    '^([^?#]*)/$', '\1');

-- Where to look for Businesses that seem to be the same: published ones in the projection, since only their published
-- facts may be compared, and all others among the drafts. A part of the name, since an entry of an index is bounded.
create index published_businesses_same_name on published_businesses (left(name_folded, 120), state);
create index published_businesses_same_website on published_businesses using hash (website_key(website_url))
  where website_url is not null;
create index businesses_same_name on businesses (left(name_folded, 120)) where publication_status <> 'published';
create index businesses_same_website on businesses using hash (website_key(website_url))
  where publication_status <> 'published' and website_url is not null;
