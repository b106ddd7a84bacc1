import type { shareConnection } from '@wbs/contract/connections/connections'
import type { InputOf } from '@wbs/contract/operation'
import type { InputError } from '@wbs/contract/problems'
import type { Plugin, Plugins } from '../../plugins/plugin.ts'
import { configErrors, errorAt, mostBytes } from '../connection.ts'
import type { NewConnection } from '../connection-change-store.ts'
import type { ConnectionRow } from '../connection-store.ts'

type Input = InputOf<typeof shareConnection>

/** A connection that may be shared, or what is wrong with the request; with errors the connection is not valid. */
interface Settled {
  connection: NewConnection
  errors: InputError[]
}

/** A connection by the settings in the request. */
export function settled(plugins: Plugins, input: Input): Settled {
  const { kind = 'app', label = '', config = {} } = input
  const plugin = plugins.get(input.plugin ?? '')
  const none = { kind, plugin: '', origin: '', label, config, allowed_operations: [], requires_approval: [] }
  if (!plugin)
    return { connection: none, errors: [errorAt('/plugin', 'The service has no such plugin.', 'unknown')] }
  if (plugin.kind !== kind)
    return {
      connection: none,
      errors: [errorAt('/kind', `The plugin is of the kind ${plugin.kind}.`, 'conflict')],
    }
  if (Buffer.byteLength(JSON.stringify(config)) > mostBytes)
    return {
      connection: none,
      errors: [errorAt('/config', 'The settings can have at most 64 KiB as JSON.', 'too_long')],
    }
  const found = plugin.settle(config)
  const operations = operationsOf(plugin, input)
  if ('faults' in found)
    return { connection: none, errors: [...configErrors(found.faults), ...operations.errors] }
  const { errors, ...allowed } = operations
  return { connection: { kind, plugin: plugin.name, label, ...found, ...allowed }, errors }
}

/** A connection by the settings of another one, which are judged again: what may be reached can have changed. */
export function settledAgain(
  plugins: Plugins,
  input: Input,
  { kind, plugin: name, label, origin, config }: ConnectionRow,
): Settled {
  const source = { kind, plugin: name, origin, label: input.label ?? label, config }
  const none = { ...source, allowed_operations: [], requires_approval: [] }
  const plugin = plugins.get(name)
  const found = plugin?.settle(config)
  if (!plugin || !found || 'faults' in found) {
    const detail = 'The service can no longer reach the app of this connection.'
    return { connection: none, errors: [errorAt('/source_connection_id', detail, 'conflict')] }
  }
  const { errors, ...allowed } = operationsOf(plugin, input)
  return { connection: { ...source, ...found, ...allowed }, errors }
}

/** The operations that are allowed, and those of them that require approval: by default all that may change something. */
function operationsOf(plugin: Plugin, { allowed_operations, requires_approval }: Input) {
  const isKnown = (name: string) => Object.hasOwn(plugin.operations, name)
  const byDefault = allowed_operations.filter(
    name => isKnown(name) && plugin.operations[name]?.effect === 'changes',
  )
  return {
    allowed_operations,
    requires_approval: requires_approval ?? byDefault,
    errors: [
      ...errorsIn('allowed_operations', allowed_operations, isKnown, 'The plugin has no such operation.'),
      ...errorsIn(
        'requires_approval',
        requires_approval ?? [],
        name => allowed_operations.includes(name),
        'It must be one of allowed_operations.',
      ),
    ],
  }
}

const errorsIn = (
  field: string,
  names: readonly string[],
  isValid: (name: string) => boolean,
  detail: string,
): InputError[] =>
  names.flatMap((name, at) => (isValid(name) ? [] : [errorAt(`/${field}/${at}`, detail, 'unknown')]))
