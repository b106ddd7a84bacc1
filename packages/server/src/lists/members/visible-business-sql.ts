// Which Businesses a viewer can see, and so can have as members: published ones and, if the viewer reads Businesses, the drafts
// and withdrawn ones whose link to the Workspace is active and sees_unpublished. The viewer is in the parameters `:workspace_id`
// and `:reads_businesses`.

const isUnpublishedSql = `b.publication_status in ('draft', 'withdrawn')`

/** SQL: whether `w` is the active link of a Business to the Workspace. */
export const isActiveLinkSql = (id: string) =>
  `w.workspace_id = :workspace_id and w.business_id = ${id} and w.removed_at is null`

/**
 * SQL: whether the viewer can see the Business with an id. It uses no EXISTS, for which PostgreSQL may read the whole table into
 * a hash.
 */
export const isVisibleSql = (id: string): string => `(
  (select true from published_businesses p where p.id = ${id}) is true
  or :reads_businesses::boolean and (
    select true from workspace_businesses w join businesses b on b.id = w.business_id
    where ${isActiveLinkSql(id)} and w.sees_unpublished and ${isUnpublishedSql}) is true)`

// The joins look each Business up by its id (offset 0): PostgreSQL cannot know how few rows a page needs, and would read a whole
// table instead. Among 100,000 Businesses, a page of a List with 5,000 links and overrides takes 18,495 buffers without the first
// and 9,568 with it; a page by an observation takes 27,357 without the second and 1,565 with it.

/** SQL: joins the public facts `p` of the Business `s.id`. */
export const joinPublishedSql = `left join lateral (
    select * from published_businesses where id = s.id offset 0
  ) p on true`

/** SQL: joins the unpublished Business `b` of the Business `s.id`, if its active link `w` lets the Workspace see it. */
export const joinUnpublishedSql = `left join lateral (
    select id, name, publication_status from businesses
    where p.id is null and w.sees_unpublished and id = s.id offset 0
  ) b on ${isUnpublishedSql}`

/** SQL: joins the active link `w` of the Business `s.id`, and the rows `p` and `b`, one of which a visible Business has. */
export const joinVisibleSql = `${joinPublishedSql}
  left join workspace_businesses w on ${isActiveLinkSql('s.id')} and :reads_businesses::boolean
  ${joinUnpublishedSql}`

/** SQL: whether the Business of the joined rows is visible. */
export const isJoinedVisibleSql = '(p.id is not null or b.id is not null)'
