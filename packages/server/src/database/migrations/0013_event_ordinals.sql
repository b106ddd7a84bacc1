-- Events of one cause are counted in an integer: as a smallint, the column stopped a change that told more than 32,767 Rooms.
-- The table is written anew.
alter table events alter column ordinal type integer;
