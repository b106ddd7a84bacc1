/**
 * SQL: whether row-level security hides rows of a table from svc_owner; a condition on a row `c` of pg_class. A backup
 * would silently lack hidden rows.
 */
export const hidesRowsSql = `(
  c.relrowsecurity and (
    exists (select from pg_policy p where p.polrelid = c.oid and not p.polpermissive)
    or not exists (
      select from pg_policy p
      where p.polrelid = c.oid and p.polpermissive and p.polcmd in ('r', '*')
        and p.polroles && array[0, 'svc_owner'::regrole]::oid[] and pg_get_expr(p.polqual, p.polrelid) = 'true'
    )
  )
)`
