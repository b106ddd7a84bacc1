-- Businesses: one identity each for all Workspaces, their facts, and the published projection that search reads.
-- These tables are not of one Workspace and stand outside row-level security: ILIKE and LIKE are not leakproof, so a
-- policy would cost search its index. What is unpublished is reached through workspace_businesses alone.

create table naics_codes (
  vintage text collate "C" not null check (vintage in ('1997', '2002', '2007', '2012', '2017', '2022')),
  code text collate "C" not null,
  title text not null,
  level smallint not null,
  parent_code text collate "C",
  primary key (vintage, code)
);

-- What the service itself brings along and has loaded here, and in which version: NAICS, the sample.
create table reference_data (
  name text collate "C" primary key,
  digest text collate "C" not null,
  loaded_at timestamptz(3) not null default now()
);

-- Where facts come from: one row a data set, so that a Business need only name it. Where the ids of its records, less
-- the prefix, are a public identifier, identifier_scheme says which.
create table sources (
  source text collate "C" primary key,
  title text not null,
  publisher text not null,
  url text,
  licence text not null,
  observed_on date,
  identifier_scheme text collate "C",
  identifier_prefix text collate "C" not null default ''
);

create table businesses (
  id text collate "C" primary key,
  revision integer not null default 1,
  name text not null check (char_length(name) between 1 and 500),
  name_folded text collate "C" not null,
  legal_name text,
  publication_status text not null default 'draft' check (publication_status in ('draft', 'published', 'withdrawn', 'merged')),
  status text not null default 'unknown' check (status in ('active', 'closed', 'inactive', 'unknown')),
  founded_on date,
  founded_year smallint,
  closed_on date,
  description text,
  public_email text,
  public_phone text,
  website_url text,
  country_code text not null default 'US',
  published_at timestamptz(3),
  merged_into_id text collate "C" references businesses,
  created_at timestamptz(3) not null default now(),
  updated_at timestamptz(3) not null default now()
);

create table business_classifications (
  id text collate "C" not null,
  business_id text collate "C" not null references businesses,
  scheme text not null check (scheme = 'naics'),
  code text collate "C" not null,
  vintage text collate "C" not null,
  is_primary boolean not null,
  published boolean not null,
  primary key (business_id, id),
  foreign key (vintage, code) references naics_codes (vintage, code)
);
create unique index business_classifications_one_primary on business_classifications (business_id) where is_primary;

create table business_locations (
  id text collate "C" not null,
  business_id text collate "C" not null references businesses,
  kind text not null check (kind in ('principal', 'branch', 'mailing')),
  country_code text not null,
  state text,
  city text,
  city_folded text collate "C",
  postal_code text,
  line1 text,
  is_primary boolean not null,
  published boolean not null,
  primary key (business_id, id)
);
create unique index business_locations_one_primary on business_locations (business_id) where is_primary;

create table business_identifiers (
  business_id text collate "C" not null references businesses,
  scheme text collate "C" not null,
  value text collate "C" not null,
  published boolean not null,
  primary key (business_id, scheme, value)
);

-- Which record of which source a Business was taken from, and which of its fields that record gave. The digest is of the
-- record: a record that says what it said before leaves the Business, and what was since mended on it, alone.
create table business_sources (
  source text collate "C" not null references sources,
  source_id text collate "C" not null,
  business_id text collate "C" not null references businesses,
  fields text[] not null,
  digest bytea,
  primary key (source, source_id)
);
create index business_sources_of_business on business_sources (business_id);

-- The projection of a Business: of a published one the published facts alone, of any other all of them.
create view business_projections with (security_invoker) as
  select b.id, b.name, b.publication_status, b.status, b.closed_on, b.description, b.founded_on,
         c.id as primary_classification_id, l.id as primary_location_id, b.published_at,
         b.public_email, b.public_phone, b.website_url, coalesce(l.country_code, b.country_code) as country_code,
         l.state, l.city, c.code as naics_code, c.vintage as naics_vintage, n.title as naics_title,
         b.name_folded, l.city_folded
  from businesses b
  left join business_locations l
    on l.business_id = b.id and l.is_primary and (l.published or b.publication_status <> 'published')
  left join business_classifications c
    on c.business_id = b.id and c.is_primary and (c.published or b.publication_status <> 'published')
  left join naics_codes n on n.vintage = c.vintage and n.code = c.code;

-- What the public may read: a Business that is not published has no row here, so no search can find it.
-- terms holds what filters match exactly, each with its kind: status:, state:, city:, place: (both), naics<edition>:;
-- and the gaps of the name, gap:.
create table published_businesses (
  id text collate "C" primary key references businesses,
  name text not null,
  publication_status text not null check (publication_status = 'published'),
  status text not null,
  closed_on date,
  description text,
  founded_on date,
  primary_classification_id text,
  primary_location_id text,
  published_at timestamptz(3) not null,
  public_email text,
  public_phone text,
  website_url text,
  country_code text not null,
  state text,
  city text,
  naics_code text,
  naics_vintage text,
  naics_title text,
  name_folded text collate "C" not null,
  terms text[] collate "C" not null
);
-- Statistics this fine let the planner tell a rare word from a common one and choose between the two ways to walk.
alter table published_businesses alter column name_folded set statistics 2000;
alter table published_businesses alter column terms set statistics 1000;
-- A pending list, since without one an import takes five times as long; a short one, since every search reads all of it:
-- 256 kB are some 200 Businesses and cost a search 0.2 ms.
create index published_businesses_search on published_businesses
  using gin (name_folded public.gin_trgm_ops, terms) with (fastupdate = on, gin_pending_list_limit = 256);
create index published_businesses_website on published_businesses using hash (website_url) where website_url is not null;

-- The NAICS codes under which a code is found: its prefixes from two digits on and the sector range it lies in.
create function naics_terms(vintage text, code text) returns text[] language sql immutable
  return case
    when code is null then '{}'
    when code like '%-%' then array['naics' || vintage || ':' || code]
    -- No subquery over the lengths: with one, PostgreSQL would call this for every row instead of inlining it.
    else (array['naics' || vintage || ':' || left(code, 2), 'naics' || vintage || ':' || left(code, 3),
                'naics' || vintage || ':' || left(code, 4), 'naics' || vintage || ':' || left(code, 5),
                'naics' || vintage || ':' || code])[1:length(code) - 1]
      || case left(code, 2)
           when '31' then array['naics' || vintage || ':31-33']
           when '32' then array['naics' || vintage || ':31-33']
           when '33' then array['naics' || vintage || ':31-33']
           when '44' then array['naics' || vintage || ':44-45']
           when '45' then array['naics' || vintage || ':44-45']
           when '48' then array['naics' || vintage || ':48-49']
           when '49' then array['naics' || vintage || ':48-49']
           else '{}'
         end
  end;

-- The gaps of a name: each character that is no letter or digit, with its two neighbours. Text as short as "a & b" has no
-- run of three letters to look up; it is found by its gaps.
create function name_gaps(name_folded text) returns text[] language sql immutable
  return array(
    select 'gap:' || substr(name_folded, middle - 1, 3)
    from (
      select sum(length(word) + 1) over (rows unbounded preceding)::integer as middle
      from regexp_split_to_table(name_folded, '[^a-z0-9]') as words (word)
    ) as gaps
    where middle between 2 and length(name_folded) - 1
  );

create function search_terms(status text, country_code text, state text, city_folded text, vintage text, code text)
  returns text[] language sql immutable
  return array['status:' || status]
    || case when country_code = 'US' and state is not null then array['state:' || state] else '{}' end
    || case when country_code = 'US' and city_folded is not null then array['city:' || city_folded] else '{}' end
    || case when country_code = 'US' and state is not null and city_folded is not null
         then array['place:' || state || '/' || city_folded] else '{}' end
    || naics_terms(vintage, code);

/* Brings the public projection of these Businesses in line with their facts, in the caller's transaction. */
create function project_businesses(ids text[]) returns void language sql as $$
  delete from svc.published_businesses p
  where p.id = any (ids)
    and not exists (select from svc.businesses b where b.id = p.id and b.publication_status = 'published');
  insert into svc.published_businesses
  select v.id, v.name, v.publication_status, v.status, v.closed_on, v.description, v.founded_on,
         v.primary_classification_id, v.primary_location_id, v.published_at, v.public_email, v.public_phone,
         v.website_url, v.country_code, v.state, v.city, v.naics_code, v.naics_vintage, v.naics_title, v.name_folded,
         svc.search_terms(v.status, v.country_code, v.state, v.city_folded, v.naics_vintage, v.naics_code)
           || svc.name_gaps(v.name_folded)
  from svc.business_projections v
  where v.id = any (ids) and v.publication_status = 'published'
  order by v.id
  on conflict (id) do update set
    name = excluded.name, status = excluded.status, closed_on = excluded.closed_on, description = excluded.description,
    founded_on = excluded.founded_on, primary_classification_id = excluded.primary_classification_id,
    primary_location_id = excluded.primary_location_id, published_at = excluded.published_at,
    public_email = excluded.public_email, public_phone = excluded.public_phone, website_url = excluded.website_url,
    country_code = excluded.country_code, state = excluded.state, city = excluded.city,
    naics_code = excluded.naics_code, naics_vintage = excluded.naics_vintage, naics_title = excluded.naics_title,
    name_folded = excluded.name_folded, terms = excluded.terms
$$;

-- A search is only as good as the statistics it is planned by. Who writes many Businesses brings them up to date; the
-- writing role does not own the table, and only an owner may.
create function analyze_published_businesses() returns void language plpgsql security definer set search_path = svc, public as $$
begin
  analyze svc.published_businesses;
end $$;

-- What a Workspace knows of a Business beyond what is published.
create table workspace_businesses (
  workspace_id uuid not null references workspaces,
  business_id text collate "C" not null references businesses,
  access_level text not null check (access_level in ('view', 'edit', 'full_access')),
  linked_by uuid not null references users,
  linked_at timestamptz(3) not null default now(),
  primary key (workspace_id, business_id)
);

create table workspace_business_profiles (
  workspace_id uuid not null,
  business_id text collate "C" not null,
  logo_url text,
  notes text,
  revision integer not null default 1,
  updated_at timestamptz(3) not null default now(),
  primary key (workspace_id, business_id),
  foreign key (workspace_id, business_id) references workspace_businesses on delete cascade
);

create table business_observations (
  workspace_id uuid not null,
  business_id text collate "C" not null,
  id text collate "C" not null,
  key text collate "C" not null,
  value_type text not null check (value_type in ('text', 'number', 'boolean', 'date')),
  value jsonb not null,
  observed_on date not null,
  source jsonb not null,
  recorded_by uuid not null references users,
  recorded_at timestamptz(3) not null default now(),
  retracted_at timestamptz(3),
  primary key (workspace_id, business_id, id),
  foreign key (workspace_id, business_id) references workspace_businesses on delete cascade
);
create index business_observations_latest on business_observations (workspace_id, business_id, key, observed_on desc, id desc)
  where retracted_at is null;

alter table workspace_businesses enable row level security;
alter table workspace_businesses force row level security;
alter table workspace_business_profiles enable row level security;
alter table workspace_business_profiles force row level security;
alter table business_observations enable row level security;
alter table business_observations force row level security;
create policy within_workspace on workspace_businesses using (workspace_id = (select current_workspace()));
create policy within_workspace on workspace_business_profiles using (workspace_id = (select current_workspace()));
create policy within_workspace on business_observations using (workspace_id = (select current_workspace()));

grant select on all tables in schema svc to svc_reader, svc_writer;
revoke select on service_secrets from svc_reader;
grant insert, update on reference_data, naics_codes, sources, businesses, workspace_businesses, workspace_business_profiles,
  business_observations to svc_writer;
grant insert, update, delete on business_classifications, business_locations, business_identifiers, business_sources,
  published_businesses to svc_writer;
grant delete on workspace_businesses, workspace_business_profiles to svc_writer;
