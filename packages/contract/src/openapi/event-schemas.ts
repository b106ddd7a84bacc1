import type { TObject, TProperties } from 'typebox'
import { T } from '../json/type.ts'
import type { EventDeclaration } from '../event-declaration.ts'
import { eventTypes } from '../events.ts'
import { components } from '../schema.ts'

/**
 * The component `Event` as the document describes it: one schema for each type that the feed of a Room can have, told
 * apart by `type`. The service itself writes events of all types by one schema.
 */
export function eventSchemas(): Record<string, object> {
  const { properties, required } = components.get('Event') as TObject
  const told = Object.entries<EventDeclaration>(eventTypes).flatMap(([type, { data }]) =>
    data ? [{ type, data }] : [],
  )
  const variants = told.map(({ type, data }) => [
    nameOf(type),
    {
      type: 'object',
      required,
      properties: { ...properties, type: { type: 'string', const: type }, data: factsOf(data) },
    },
  ])
  const mapping = Object.fromEntries(told.map(({ type }) => [type, reference(nameOf(type))]))
  return {
    ...Object.fromEntries(variants),
    Event: {
      description: 'An event, whose type says which further facts `data` holds. Types may be added.',
      discriminator: { propertyName: 'type', mapping },
      oneOf: Object.values(mapping).map($ref => ({ $ref })),
    },
  }
}

const factsOf = (data: TProperties) => T.Object(data, { description: 'Further facts.' })

const reference = (name: string) => `#/components/schemas/${name}`

/** The name of the schema of a type: `room.access_changed` becomes RoomAccessChangedEvent. */
const nameOf = (type: string) => `${type.split(/[._]/).map(capitalized).join('')}Event`

const capitalized = (word: string) => word.charAt(0).toUpperCase() + word.slice(1)
