import { PORT } from './postmaster.ts'

/** The default settings of the embedded server. */
export const DEFAULT_SETTINGS = {
  shared_buffers: '128MB',
  max_connections: '100',
  max_wal_size: '1GB',
  wal_compression: 'on',
  checkpoint_completion_target: '0.9',
  jit: 'off',
  fsync: 'on',
  client_connection_check_interval: '1s',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // The log must not contain customers' data, so it has no parameters and no detail, which quotes rows.
  log_parameter_max_length: '0',
  log_parameter_max_length_on_error: '0',
  log_error_verbosity: 'terse',
  log_checkpoints: 'off',
}

/** What the supervisor depends on: a socket in the cluster folder, and no network. */
export const FIXED_SETTINGS = {
  listen_addresses: '',
  port: String(PORT),
  unix_socket_directories: '.',
  unix_socket_permissions: '0700',
  logging_collector: 'off',
}
