import { describeType, schemaLink } from './describe-type.ts'
import { schemaNameOf, titleOf, type ApiDocument, type Endpoint, type Schema } from './document.ts'
import { fieldsOf, fieldTable, rulesBelow, withIds } from './field-table.ts'
import { addressOf, html, line, type Html } from './html.ts'
import type { Page } from './page.ts'
import { pathOf } from './paths.ts'

/** The page of a named schema: its fields, and the operations that have it in their input or answer. */
export function schemaPage(name: string, schema: Schema, users: readonly Endpoint[]): Page {
  return {
    title: name,
    path: pathOf.schema(name),
    sections: [],
    body: html`<article>
      <h1>${name}</h1>
      ${schema.description !== undefined && html`<div class="lead"><p>${line(schema.description)}</p></div>`}
      ${fieldTable(`Fields of ${name}`, withIds(fieldsOf(schema, 'answer'), 'field'), 'answer')}
      ${variantsOf(schema) || alternativesOf(schema)} ${rulesBelow(schema)} ${usersOf(users)}
    </article>`,
  }
}

const alternativesOf = (schema: Schema): Html | false =>
  (!schema.properties || schema.oneOf !== undefined || schema.anyOf !== undefined) &&
  html`<p>${describeType(schema)}</p>`

/** A line for each schema that a property tells apart. */
const variantsOf = ({
  discriminator: { propertyName, mapping = {} } = { propertyName: '' },
}: Schema): Html | false =>
  Object.keys(mapping).length > 0 &&
  html`<p>By <code>${propertyName}</code>:</p>
    <ul>
      ${Object.entries(mapping).map(([value, reference]) => html`<li><code>${value}</code>: ${schemaLink(schemaNameOf(reference))}</li>`)}
    </ul>`

const usersOf = (users: readonly Endpoint[]): Html | false =>
  users.length > 0 &&
  html`<section id="used-by" aria-labelledby="used-by-title">
    <h2 id="used-by-title">Operations with it</h2>
    <ul>
      ${users.map(({ operation }) => html`<li><a href="${addressOf(pathOf.operation(operation.operationId))}">${titleOf(operation)}</a></li>`)}
    </ul>
  </section>`

export function schemaListPage({ components }: ApiDocument): Page {
  return {
    title: 'Schemas',
    path: pathOf.schemas,
    sections: [],
    body: html`<article>
      <h1>Schemas</h1>
      <dl>
        ${Object.entries(components.schemas).map(
          ([name, { description }]) =>
            html`<dt>${schemaLink(name)}</dt>
              ${description !== undefined && html`<dd>${line(description)}</dd>`}`,
        )}
      </dl>
    </article>`,
  }
}

/** The operations that name a schema directly. */
export const usersOfSchema = (name: string, endpoints: readonly Endpoint[]): Endpoint[] =>
  endpoints.filter(({ operation: { parameters, requestBody, responses } }) =>
    // Examples may hold any text, but not this key with this value.
    [parameters, requestBody, responses].some(part =>
      (JSON.stringify(part) ?? '').includes(`"$ref":${JSON.stringify(`#/components/schemas/${name}`)}`),
    ),
  )
