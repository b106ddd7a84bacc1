-- Runs with versions from 0020 on.
-- Lists compare texts in their folded form, as search does. A fold is stored only for a text that is not pure ASCII; that of an
-- ASCII text is computed when it is compared, so no table is rewritten.
alter table businesses add column description_folded text collate "C";
alter table business_locations add column state_folded text collate "C";
alter table business_observations add column text_folded text collate "C";

-- For ASCII this equals foldText in the service. For another text without a stored fold it lowers ASCII letters alone. The
-- pattern does not match a single space, which needs no change.
create function folded_text(raw text, folded text) returns text language sql immutable parallel safe
  return coalesce(
    folded,
    btrim(regexp_replace(lower(raw collate "C"), '[\x01-\x1f\x7f][\x01-\x20\x7f]*| [\x01-\x20\x7f]+', ' ', 'g'))
  );

-- The texts that have no fold yet: those from before this migration, and those that nodes of earlier versions write. The service
-- fills them when it starts.
create index businesses_without_fold on businesses (id)
  where description_folded is null and octet_length(description) > char_length(description);
create index business_locations_without_fold on business_locations (business_id, id)
  where state_folded is null and octet_length(state) > char_length(state);
create index business_observations_without_fold on business_observations (workspace_id, business_id, id)
  where text_folded is null and value_type = 'text' and octet_length(value #>> '{}') > char_length(value #>> '{}');

-- A node of an earlier version changes a text and leaves the fold of the text before. Such a fold is removed. A statement that
-- names the fold gives the fold of the new text, even if both folds are equal. Triggers run in the order of their names: the
-- first runs only if the statement names the fold, and marks it with a character that no fold contains; the second removes the
-- mark, or a fold without it.
create function mark_given_fold() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'businesses' then new.description_folded := E'\x01' || new.description_folded;
    when 'business_locations' then new.state_folded := E'\x01' || new.state_folded;
  end case;
  return new;
end $$;
create function keep_marked_fold() returns trigger language plpgsql as $$
begin
  case tg_table_name
    when 'businesses' then new.description_folded := substring(new.description_folded from '^\x01(.*)$');
    when 'business_locations' then new.state_folded := substring(new.state_folded from '^\x01(.*)$');
  end case;
  return new;
end $$;
create trigger fold_1_marked before update of description_folded on businesses for each row
  when (new.description is distinct from old.description and new.description_folded = old.description_folded)
  execute function mark_given_fold();
create trigger fold_2_kept before update of description on businesses for each row
  when (new.description is distinct from old.description
    and new.description_folded in (old.description_folded, E'\x01' || old.description_folded))
  execute function keep_marked_fold();
create trigger fold_1_marked before update of state_folded on business_locations for each row
  when (new.state is distinct from old.state and new.state_folded = old.state_folded)
  execute function mark_given_fold();
create trigger fold_2_kept before update of state on business_locations for each row
  when (new.state is distinct from old.state
    and new.state_folded in (old.state_folded, E'\x01' || old.state_folded))
  execute function keep_marked_fold();
