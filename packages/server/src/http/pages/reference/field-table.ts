import type { Schema } from './document.ts'
import { breakable, html, line, type Html } from './html.ts'
import { describeType } from './describe-type.ts'

/** A named value in a request or an answer. */
export interface Field {
  name: string
  schema: Schema
  /** A remark beside the name: required, or may be absent. */
  remark: string | false
  description?: string | undefined
}

/** Fields of a request are marked if required; those of an answer, if they may be absent. */
export type Side = 'request' | 'answer'

export function fieldsOf(schema: Schema, side: Side): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const required = schema.required?.includes(name) ?? false
    const remark = side === 'request' ? required && 'required' : !required && 'may be absent'
    return { name, schema: field, remark, description: field.description }
  })
}

/** A table of fields. A nested object is collapsed below its row. */
export function fieldTable(caption: string, fields: readonly Field[], side: Side): Html | false {
  if (fields.length === 0) return false
  return html`<table>
    <caption>
      <span>${caption}</span>
    </caption>
    <thead>
      <tr>
        <th scope="col"><span>Name</span></th>
        <th scope="col"><span>What it holds</span></th>
      </tr>
    </thead>
    <tbody>
      ${fields.map(field => rowsOf(field, side))}
    </tbody>
  </table> `
}

function rowsOf(field: Field, side: Side): Html {
  const { name, schema, remark, description } = field
  const inner = objectIn(schema)
  return html` <tr>
      <th scope="row"><code>${breakable(name, '_')}</code>${remark && html` <small>${remark}</small>`}</th>
      <td>
        <span class="type">${describeType(schema)}</span
        >${description !== undefined && html` <span>${line(description)}</span>`}
      </td>
    </tr>
    ${
      inner &&
      html`<tr class="inner">
        <td colspan="2">${folded(name, inner, side)}</td>
      </tr>`
    }`
}

function folded(name: string, inner: Schema, side: Side): Html {
  const fields = fieldsOf(inner, side)
  return html`<details>
    <summary>${fields.length} ${fields.length === 1 ? 'field' : 'fields'} of <code>${name}</code></summary>
    ${fieldTable(`Fields of ${name}`, fields, side)}
  </details>`
}

/** The object type of a field or of its list items. Named schemas are linked instead. */
function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  if (schema.items) return objectIn(schema.items)
  return schema.anyOf?.map(objectIn).find(found => found !== undefined)
}
