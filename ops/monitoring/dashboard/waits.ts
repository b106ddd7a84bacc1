import { metric, quantile, rate, type Row } from './panel.ts'

/** What waits: requests, jobs, and readers of the feed. */
export const rowsOfWaits: readonly Row[] = [
  [
    'Who waits?',
    [
      {
        title: 'Requests in progress',
        description:
          'Those that are identified, that arrive and that are carried out, and how many may be carried out at once.',
        unit: 'short',
        queries: [
          [metric('svc_http_requests'), '{{instance}} {{state}}'],
          [metric('svc_http_requests_max', 'state="carried_out"'), '{{instance}} at most'],
        ],
      },
      {
        title: 'Streams, long polls and repetitions',
        description: 'Requests that wait without a slot.',
        unit: 'short',
        queries: [
          [metric('svc_http_waiting'), '{{instance}} {{kind}}'],
          [metric('svc_http_waiting_max'), '{{instance}} at most'],
        ],
      },
      {
        title: 'Connections of clients',
        description: 'Open connections, and how many were refused.',
        unit: 'short',
        queries: [
          [metric('svc_http_connections'), '{{instance}} open'],
          [metric('svc_http_connections_max'), '{{instance}} at most'],
          [rate(metric('svc_http_connections_refused_total'), 'instance'), '{{instance}} refused a second'],
        ],
      },
      {
        title: 'Transfers of content',
        description: 'Downloads and parts of uploads in progress.',
        unit: 'short',
        queries: [
          [metric('svc_http_transfers'), '{{instance}}'],
          [metric('svc_http_transfers_max'), '{{instance}} at most'],
        ],
      },
      {
        title: 'Bodies in memory',
        description: 'Request bodies beyond the first 16 KiB of each.',
        unit: 'bytes',
        queries: [
          [metric('svc_http_bodies_bytes'), '{{instance}}'],
          [metric('svc_http_bodies_max_bytes'), '{{instance}} at most'],
        ],
      },
      {
        title: 'Turns at the database',
        description: 'Statements, and transactions of writers, that run and that wait for their turn.',
        unit: 'short',
        queries: [
          [metric('svc_database_turns'), '{{instance}} {{pool}} {{state}}'],
          [`max by (pool) (${metric('svc_database_turns_max')})`, '{{pool}} at most'],
        ],
      },
      {
        title: 'Time waited for a turn',
        description: 'What 95 of 100 statements wait at most.',
        unit: 's',
        queries: [[quantile(0.95, metric('svc_database_turn_wait_seconds_bucket'), 'le, pool'), '{{pool}}']],
      },
      {
        title: 'Connections to the database',
        description: 'Those in use, those that are open, and how many may be.',
        unit: 'short',
        queries: [
          [
            `sum by (instance, db_client_connection_state) (${metric('db_client_connection_count')})`,
            '{{instance}} {{db_client_connection_state}}',
          ],
          [`sum by (instance) (${metric('db_client_connection_max')})`, '{{instance}} at most'],
        ],
      },
      {
        title: 'Lost connections to the database',
        description: 'How many in five minutes.',
        unit: 'short',
        queries: [
          [
            `sum by (instance, pool) (increase(${metric('svc_database_connection_losses_total')}[5m]))`,
            '{{instance}} {{pool}}',
          ],
        ],
      },
      {
        title: 'Read replicas',
        description: 'How far behind each is, and whether it is used (1) or left out (0).',
        unit: 's',
        queries: [
          [metric('svc_database_replica_lag_seconds'), '{{instance}} replica {{replica}} behind'],
          [metric('svc_database_replica_used'), '{{instance}} replica {{replica}} used'],
        ],
      },
      {
        title: 'Public reads',
        description: 'Reads that a replica may answer, by who did. Without replicas there are none.',
        unit: 'reqps',
        queries: [[rate(metric('svc_database_public_reads_total'), 'answered_by'), '{{answered_by}}']],
      },
      {
        title: 'Inspections and valuations',
        description: 'Those that run, and those that wait for a process or a thread.',
        unit: 'short',
        queries: [
          [metric('svc_inspections'), '{{instance}} inspections {{state}}'],
          [metric('svc_valuations_orders'), '{{instance}} valuations {{state}}'],
        ],
      },
    ],
  ],
  [
    'Are jobs late?',
    [
      {
        title: 'The oldest job that waits',
        description: 'For how long it has been due. All nodes report the same.',
        unit: 's',
        queries: [[`max by (kind) (${metric('svc_jobs_oldest_age_seconds')})`, '{{kind}}']],
      },
      {
        title: 'Jobs that wait',
        description: 'Jobs that are due. All nodes report the same.',
        unit: 'short',
        queries: [[`max by (kind) (${metric('svc_jobs_waiting')})`, '{{kind}}']],
      },
      {
        title: 'Attempts',
        description: 'Attempts at jobs, by their outcome. A failed one is tried again.',
        unit: 'cps',
        queries: [[rate(metric('svc_jobs_duration_seconds_count'), 'kind, outcome'), '{{kind}} {{outcome}}']],
      },
      {
        title: 'Duration of attempts',
        description: 'What 95 of 100 attempts take at most.',
        unit: 's',
        queries: [[quantile(0.95, metric('svc_jobs_duration_seconds_bucket'), 'le, kind'), '{{kind}}']],
      },
      {
        title: 'Given up in an hour',
        description: 'Jobs that failed at every attempt.',
        unit: 'short',
        queries: [[`sum by (kind) (increase(${metric('svc_jobs_given_up_total')}[1h]))`, '{{kind}}']],
      },
      {
        title: 'Mail',
        description: 'Messages that the mail server took, and those that it did not.',
        unit: 'cps',
        queries: [[rate(metric('svc_mail_messages_total'), 'outcome'), '{{outcome}}']],
      },
    ],
  ],
  [
    'Does the feed lag?',
    [
      {
        title: 'Delay of the feed',
        description: 'From an event until a reader that waits is given it.',
        unit: 's',
        queries: [
          [quantile(0.5, metric('svc_feed_delay_seconds_bucket')), 'median'],
          [quantile(0.99, metric('svc_feed_delay_seconds_bucket')), '99 of 100'],
        ],
      },
      {
        title: 'Deliveries',
        description: 'Deliveries of events to readers that wait.',
        unit: 'cps',
        queries: [[rate(metric('svc_feed_delay_seconds_count'), 'instance'), '{{instance}}']],
      },
    ],
  ],
]
