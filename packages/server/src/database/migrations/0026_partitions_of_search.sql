-- Runs with versions from 0024 on.
-- What search reads is partitioned by ranges of ids, so that a page of a large registry reads only a few partitions. Ids begin
-- with a time, so the last partition takes all new Businesses; before an import it is closed, and new ones are made.

alter table published_businesses rename to published_businesses_1;
-- As PostgreSQL names the indexes of a partition that it makes itself.
alter index published_businesses_pkey rename to published_businesses_1_pkey;
alter index published_businesses_search rename to published_businesses_1_name_folded_terms_idx;
alter index published_businesses_website rename to published_businesses_1_website_url_idx;
alter index published_businesses_same_name rename to published_businesses_1_left_state_idx;
alter index published_businesses_same_website rename to published_businesses_1_website_key_idx;
alter index published_businesses_abroad rename to published_businesses_1_id_idx;

create table published_businesses (like published_businesses_1 including constraints) partition by range (id);
alter table published_businesses add primary key (id);
alter table published_businesses add constraint published_businesses_id_fkey foreign key (id) references businesses;
create index published_businesses_search on published_businesses
  using gin (name_folded public.gin_trgm_ops, terms) with (fastupdate = on, gin_pending_list_limit = 256);
create index published_businesses_website on published_businesses using hash (website_url) where website_url is not null;
create index published_businesses_same_name on published_businesses (left(name_folded, 120), state);
create index published_businesses_same_website on published_businesses using hash (website_key(website_url))
  where website_url is not null;
create index published_businesses_abroad on published_businesses (id) where country_code <> 'US';
-- Its indexes, constraints and rows stay as they are: no row is read or written here.
alter table published_businesses attach partition published_businesses_1 for values from (minvalue) to (maxvalue);

revoke all on published_businesses_1 from svc_reader, svc_writer;
grant select on published_businesses to svc_reader, svc_writer;
grant insert, update, delete on published_businesses to svc_writer;

-- The partitions in the order of ids, with their bounds; null for minvalue and maxvalue. A bound may be the beginning of an id.
create view published_business_partitions with (security_invoker) as
  select i.inhrelid::regclass as partition,
         substring(pg_get_expr(c.relpartbound, c.oid) from $$FROM \('([^']*)'\)$$) collate "C" as from_id,
         substring(pg_get_expr(c.relpartbound, c.oid) from $$TO \('([^']*)'\)$$) collate "C" as to_id,
         c.reltuples
  from pg_inherits i join pg_class c on c.oid = i.inhrelid
  where i.inhparent = 'svc.published_businesses'::regclass
  order by from_id nulls first;
grant select on published_business_partitions to svc_reader, svc_writer;

/* Makes a table like the partitions, to be attached. */
create function new_published_business_partition() returns regclass language plpgsql as $$
declare
  name text;
begin
  select 'published_businesses_' || 1 + max(substring(relname from '^published_businesses_(\d+)$')::integer) into name
  from pg_class where relnamespace = 'svc'::regnamespace;
  execute format('create table svc.%I (like svc.published_businesses including constraints)', name);
  -- Statistics this fine let the planner tell a rare word from a common one.
  execute format('alter table svc.%I alter column name_folded set statistics 2000, alter column terms set statistics 1000', name);
  return ('svc.' || name)::regclass;
end $$;

/*
 * Closes the last partition and makes new ones after it, if it would otherwise grow beyond `most` rows: for so many new rows whose
 * ids are evenly spread among those that begin with `prefix`, a time. Bounds are left out where rows follow them already.
 * It needs the table for itself for a moment, and tries several times for one second each. Returns how many it has made.
 */
create function extend_published_businesses(prefix text, new_rows bigint, most integer default 1000000)
  returns integer language plpgsql security definer set search_path = svc, public set lock_timeout = '1s' as $$
declare
  last record;
  parts constant integer := greatest(1, ceil(new_rows::numeric / most));
  digits constant text := '0123456789ABCDEFGHJKMNPQRSTVWXYZ';
  last_id text collate "C";
  bounds text[] collate "C";
begin
  if prefix !~ '^biz_[0-7][0-9A-HJKMNP-TV-Z]{9}$' then
    raise exception 'the prefix of the new ids is not biz_ and ten characters: %', prefix;
  end if;
  for attempt in 1..10 loop
    begin
      select * into strict last from svc.published_business_partitions where to_id is null;
      if greatest(0, last.reltuples) + new_rows <= most then return 0; end if;
      lock table svc.businesses in share row exclusive mode;
      lock table svc.published_businesses in access exclusive mode;
      select * into strict last from svc.published_business_partitions where to_id is null;
      execute format('select max(id) from %s', last.partition) into last_id;
      select array_agg(bound order by bound) into bounds
      from (
        select prefix || substr(digits, place / 32 + 1, 1) || substr(digits, place % 32 + 1, 1) as bound
        from (select n * 1024 / parts as place from generate_series(0, least(parts, 1024) - 1) n) places
      ) made
      where bound collate "C" > coalesce(last_id, '') and bound collate "C" > coalesce(last.from_id, '');
      if bounds is null then return 0; end if;
      execute format('alter table svc.published_businesses detach partition %s', last.partition);
      execute format('alter table svc.published_businesses attach partition %s for values from (%s) to (%L)',
        last.partition, coalesce(quote_literal(last.from_id), 'minvalue'), bounds[1]);
      for i in 1..cardinality(bounds) loop
        execute format('alter table svc.published_businesses attach partition %s for values from (%L) to (%s)',
          svc.new_published_business_partition(), bounds[i], coalesce(quote_literal(bounds[i + 1]), 'maxvalue'));
      end loop;
      return cardinality(bounds);
    exception when lock_not_available or deadlock_detected then
      perform pg_sleep(0.5);
    end;
  end loop;
  return 0;
end $$;
revoke execute on function extend_published_businesses from public;
grant execute on function extend_published_businesses to svc_writer;

/*
 * Divides the first partition of more than twice `most` rows into even ones, by a copy. Searches go on until the copy is made;
 * changes of Businesses wait. Returns how many partitions it has made: call it until it returns 0. For the owner.
 */
create function divide_published_businesses(most integer default 1000000) returns integer language plpgsql
  set search_path = svc, public set maintenance_work_mem = '256MB' as $$
declare
  large record;
  rows_there bigint;
  bounds text[] collate "C";
  pieces regclass[] := '{}';
  piece regclass;
  definition text;
begin
  -- All locks of the end at once: a change that held one of them and waited for another would block this.
  lock table svc.businesses in share row exclusive mode;
  lock table svc.published_businesses in share row exclusive mode;
  for large in select * from svc.published_business_partitions loop
    execute format('select count(*) from %s', large.partition) into rows_there;
    continue when rows_there <= 2 * most::bigint;
    -- A bound is not a whole id, because the cursor of a page that ends there would tell it.
    execute format(
      'select array_agg(distinct left(bound, 24) collate "C") from (
         select unnest(percentile_disc((select array_agg(n::float8 / %1$s) from generate_series(1, %1$s - 1) n))
           within group (order by id)) as bound
         from %2$s tablesample system (%3$s)) sample
       where left(bound, 24) collate "C" > %4$L',
      ceil(rows_there::numeric / most), large.partition, least(100, 100.0 * 100000 / rows_there), coalesce(large.from_id, ''))
      into bounds;
    exit when bounds is not null;
  end loop;
  if bounds is null then return 0; end if;

  for i in 0..cardinality(bounds) loop
    piece := svc.new_published_business_partition();
    pieces := pieces || piece;
    -- The check lets the partition be attached without reading it.
    execute format('alter table %s add constraint bounds check (id >= %L %s)', piece,
      coalesce(bounds[i], large.from_id, ''), 'and id < ' || quote_literal(coalesce(bounds[i + 1], large.to_id)));
    execute format('insert into %s select * from %s where id >= %L and (%4$L is null or id < %4$L) order by id',
      piece, large.partition, coalesce(bounds[i], large.from_id, ''), coalesce(bounds[i + 1], large.to_id));
    execute format('alter table %s add primary key (id), add foreign key (id) references svc.businesses', piece);
    for definition in
      select pg_get_indexdef(indexrelid) from pg_index where indrelid = large.partition and not indisprimary
    loop
      execute regexp_replace(definition, '^(CREATE INDEX) \S+ ON \S+', '\1 ON ' || piece);
    end loop;
    execute format('analyze %s', piece);
  end loop;

  execute format('alter table svc.published_businesses detach partition %s', large.partition);
  execute format('drop table %s', large.partition);
  for i in 0..cardinality(bounds) loop
    execute format('alter table svc.published_businesses attach partition %s for values from (%s) to (%s)', pieces[i + 1],
      coalesce(quote_literal(coalesce(bounds[i], large.from_id)), 'minvalue'),
      coalesce(quote_literal(coalesce(bounds[i + 1], large.to_id)), 'maxvalue'));
    execute format('alter table %s drop constraint bounds', pieces[i + 1]);
  end loop;
  return cardinality(pieces);
end $$;
revoke execute on function divide_published_businesses from public;
revoke execute on function new_published_business_partition from public;

-- As before, for each partition that has changed, and for the whole, which PostgreSQL never analyzes on its own.
create or replace function analyze_published_businesses() returns void language plpgsql security definer
  set search_path = svc, public as $$
declare
  one record;
begin
  if current_setting('server_version_num')::integer < 180000 then
    analyze svc.published_businesses;
    return;
  end if;
  for one in
    select partition from svc.published_business_partitions
    where to_id is null or reltuples < 0 or pg_stat_get_mod_since_analyze(partition) > 0
  loop
    execute format('analyze %s', one.partition);
  end loop;
  execute 'analyze only svc.published_businesses';
end $$;
select analyze_published_businesses();
