import { buckets, here, metric, quantile, rate, requests, type Row } from './panel.ts'

/** How the service answers: whether it is up, how fast it is, and what it refuses. */
export const rowsOfAnswers: readonly Row[] = [
  [
    'Is it up?',
    [
      {
        title: 'Nodes',
        description: 'Whether each node can be scraped, by its version.',
        unit: 'short',
        queries: [
          [`up{${here}}`, '{{instance}}'],
          [`count by (service_version) (target_info{${here}})`, 'version {{service_version}}'],
        ],
      },
      {
        title: 'Requests',
        description: 'Requests by the class of their status, without probes.',
        unit: 'reqps',
        queries: [
          [`sum(rate(${requests},http_response_status_code=~"2..|3.."}[$__rate_interval]))`, 'answered'],
          [`sum(rate(${requests},http_response_status_code=~"4.."}[$__rate_interval]))`, 'refused (4xx)'],
          [`sum(rate(${requests},http_response_status_code=~"5.."}[$__rate_interval]))`, 'failed (5xx)'],
        ],
      },
      {
        title: 'Readiness',
        description: 'How often each node tells its proxy that it can serve (200) or not (503).',
        unit: 'reqps',
        queries: [
          [
            rate(
              metric('http_server_request_duration_seconds_count', 'operation="ready"'),
              'instance, http_response_status_code',
            ),
            '{{instance}} {{http_response_status_code}}',
          ],
        ],
      },
      {
        title: 'Uptime',
        description: 'How long each node has run.',
        unit: 's',
        queries: [[metric('process_uptime_seconds'), '{{instance}}']],
      },
    ],
  ],
  [
    'Is it slow?',
    [
      {
        title: 'Latency',
        description: 'Of all nodes together, without streams, long polls and transfers of content.',
        unit: 's',
        queries: [
          [quantile(0.5, buckets), 'median'],
          [quantile(0.95, buckets), '95 of 100'],
          [quantile(0.99, buckets), '99 of 100'],
        ],
      },
      {
        title: 'Latency of each node',
        description: 'What 99 of 100 requests take at most.',
        unit: 's',
        queries: [[quantile(0.99, buckets, 'le, instance'), '{{instance}}']],
      },
      {
        title: 'The slowest operations',
        description: 'What 95 of 100 requests take at most.',
        unit: 's',
        queries: [[`topk(10, ${quantile(0.95, buckets, 'le, operation')})`, '{{operation}}']],
      },
      {
        title: 'The most frequent operations',
        description: 'Requests, without probes.',
        unit: 'reqps',
        queries: [[`topk(10, ${rate(`${requests}}`, 'operation')})`, '{{operation}}']],
      },
      {
        title: 'Event loop',
        description: 'How late the event loop is; all requests of the node are as late.',
        unit: 's',
        queries: [
          [metric('nodejs_eventloop_delay_mean_seconds'), '{{instance}} on average'],
          [metric('nodejs_eventloop_delay_p99_seconds'), '{{instance}} 99 of 100'],
          [metric('nodejs_eventloop_delay_max_seconds'), '{{instance}} at most'],
        ],
      },
      {
        title: 'Processor',
        description:
          'Processors in use, and how busy the event loop is. A node is full when its event loop is always busy.',
        unit: 'short',
        queries: [
          [rate(metric('process_cpu_time_seconds_total'), 'instance'), '{{instance}} processors'],
          [metric('nodejs_eventloop_utilization'), '{{instance}} event loop'],
        ],
      },
      {
        title: 'Memory',
        description: 'Resident memory and what it may be, the heap and what it may be, buffers.',
        unit: 'bytes',
        queries: [
          [metric('process_memory_usage_bytes'), '{{instance}} resident'],
          [metric('svc_process_memory_limit_bytes'), '{{instance}} limit'],
          [metric('v8js_memory_heap_used_bytes'), '{{instance}} heap'],
          [metric('v8js_memory_heap_limit_bytes'), '{{instance}} limit of the heap'],
          [metric('svc_process_memory_external_bytes'), '{{instance}} buffers'],
        ],
      },
      {
        title: 'Collections of garbage',
        description: 'The part of the time that they take.',
        unit: 'percentunit',
        queries: [
          [
            rate(metric('v8js_gc_duration_seconds_sum'), 'instance, v8js_gc_type'),
            '{{instance}} {{v8js_gc_type}}',
          ],
        ],
      },
    ],
  ],
  [
    'What is refused?',
    [
      {
        title: 'Refusals by problem',
        description: 'Answers with a problem.',
        unit: 'reqps',
        queries: [[rate(metric('svc_http_refusals_total'), 'problem'), '{{problem}}']],
      },
      {
        title: 'Limits that were reached',
        description:
          'Policies of rate limits, bounds of one sender (in_flight, transfers, turns, unfinished, waiting), and what of a node is full (node, readers, writers).',
        unit: 'reqps',
        queries: [
          [
            rate(metric('svc_http_refusals_total', 'problem=~"rate_limited|unavailable"'), 'problem, limit'),
            '{{problem}} {{limit}}',
          ],
        ],
      },
      {
        title: 'Turns that were refused',
        description: 'Because too many of the same share waited, or because the time was up.',
        unit: 'cps',
        queries: [[rate(metric('svc_database_turn_refusals_total'), 'pool, reason'), '{{pool}} {{reason}}']],
      },
      {
        title: 'Answered again',
        description:
          'Changes that were sent again with the same Idempotency-Key. Many of them mean that clients do not get their answers.',
        unit: 'reqps',
        queries: [[rate(metric('svc_http_replays_total'), 'operation'), '{{operation}}']],
      },
      {
        title: 'Rate limits that could not be checked',
        description: 'The requests were admitted.',
        unit: 'cps',
        queries: [[rate(metric('svc_rate_limits_failures_total'), 'instance'), '{{instance}}']],
      },
      {
        title: 'Failures of the store of content',
        description: 'Calls that failed because it could not be used.',
        unit: 'cps',
        queries: [
          [rate(metric('svc_blobs_failures_total'), 'instance, operation'), '{{instance}} {{operation}}'],
        ],
      },
    ],
  ],
]
