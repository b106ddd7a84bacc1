import { createNoopMeter } from '@opentelemetry/api'

/**
 * The Meter of what nobody measures: its instruments do nothing. A module is given a `Meter` of @opentelemetry/api and
 * makes its instruments when it is created. It is passed in rather than global, because instruments of the global meter stay
 * without effect if they are made before it is set, and because each service in a process has metrics of its own.
 */
export const noMeter = createNoopMeter()
