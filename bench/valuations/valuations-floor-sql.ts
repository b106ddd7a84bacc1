/**
 * The tables and statements of the floor, written by hand: what creating and completing a valuation takes with the guarantees
 * of the service, in two round trips. They share nothing with the service. `floor.workspaces`, `floor.memberships`,
 * `floor.commands`, `floor.receipts`, `floor.events` and `floor.feed_positions` are those of the floor of `mutations`.
 */
export const valuationsTables = `
create table floor.valuations (
  workspace_id uuid not null references floor.workspaces, id text collate "C" not null, business_id text, subject_type text not null,
  document jsonb not null, status text not null, conclusion jsonb, created_by uuid not null, revision integer not null default 1,
  created_at timestamptz(3) not null, updated_at timestamptz(3) not null, completed_at timestamptz(3), primary key (workspace_id, id)
);
create table floor.valuation_results (
  workspace_id uuid not null, valuation_id text collate "C" not null, result json not null, calculation json not null,
  primary key (workspace_id, valuation_id), foreign key (workspace_id, valuation_id) references floor.valuations
);
`

export const valuationsStatements = {
  claim: `
    insert into floor.commands (scope_id, principal, idempotency_key, command_id, operation, fingerprint, request_id, expires_at)
    values (:workspace, :principal, :key, :command, 'create_valuation', :fingerprint, 'req_01M8137E2GNVR3X301FTD6N4RH', now() + interval '30 days')
    on conflict (scope_id, principal, idempotency_key) do nothing`,
  locks: `select pg_advisory_xact_lock_shared(hashtextextended('member ' || :workspace || :user, 0))`,
  standing: `
    select m.role, m.permissions, w.status from floor.memberships m join floor.workspaces w on w.id = m.workspace_id
    where m.workspace_id = :workspace and m.user_id = :user and m.status = 'active'`,
  settle: `
    with valuation as (
      insert into floor.valuations (workspace_id, id, subject_type, document, status, conclusion, created_by, created_at, updated_at, completed_at)
      values (:workspace, :id, 'business', :document, 'completed', :conclusion, :user, :now, :now, :now)
    ), result as (
      insert into floor.valuation_results (workspace_id, valuation_id, result, calculation)
      values (:workspace, :id, :result, :calculation)
    ), receipt as (
      insert into floor.receipts (workspace_id, receipt_id, command_id, operation, actor, resource_type, resource_id, changed, occurred_at)
      values (:workspace, :receipt, :command, 'create_valuation', :actor, 'valuation', :id, '{}', :now)
    ), answered as (
      update floor.commands set status = 201, answer = :answer, receipt_workspace_id = :workspace
      where scope_id = :workspace and principal = :principal and idempotency_key = :key
    ), counter as (
      update floor.feed_positions set last_position = last_position + 2 where workspace_id = :workspace returning last_position
    )
    insert into floor.events (workspace_id, position, id, type, feed, occurred_at, actor, subject, data, command_id, ordinal)
    select :workspace, last_position - 1 + ordinal, :event || ordinal, type, 'audit', :now, :actor,
      jsonb_build_object('type', 'valuation', 'id', :id::text, 'name', 'Corner Bakery'), '{}', :command, ordinal
    from counter cross join (values (0, 'valuation.created'), (1, 'valuation.completed')) as made (ordinal, type)`,
}
