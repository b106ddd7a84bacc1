import type { Schema } from './document.ts'
import { breakable, html, line, type Html } from './html.ts'
import { describeType } from './describe-type.ts'
import { remarksOn, rulesOfFields } from './field-rules.ts'

/** A named value in a request or an answer. */
export interface Field {
  name: string
  schema: Schema
  /** Remarks below the name: required, or may be absent; which fields it needs or excludes. */
  remarks: readonly string[]
  /** The id of its row, so that a link can lead to it. */
  id?: string
  description?: string | undefined
}

/** Fields of a request are marked if required; those of an answer, if they may be absent. */
export type Side = 'request' | 'answer'

export function fieldsOf(schema: Schema, side: Side): Field[] {
  return Object.entries(schema.properties ?? {}).map(([name, field]) => {
    const required = schema.required?.includes(name) ?? false
    const remark = side === 'request' ? required && 'required' : !required && 'may be absent'
    const remarks = [...(remark === false ? [] : [remark]), ...remarksOn(name, schema)]
    return { name, schema: field, remarks, description: field.description }
  })
}

/** The fields, with the ids of their rows: `place` and the name. */
export const withIds = (fields: readonly Field[], place: string): Field[] =>
  fields.map(field => ({ ...field, id: rowId(place, field.name) }))

/** The id of the row of a field. An id has no white space. */
export const rowId = (place: string, name: string): string => `${place}-${name.replaceAll(/\s/g, '_')}`

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

/** The rules that concern several fields together, in words. */
export const rulesBelow = (schema: Schema): Html[] =>
  rulesOfFields(schema).map(rule => html`<p class="rule">${line(rule)}</p>`)

function rowsOf(field: Field, side: Side): Html {
  const { name, schema, remarks, description, id } = field
  const inner = objectIn(schema)
  return html` <tr${id !== undefined && html` id="${id}"`}>
      <th scope="row"><code>${breakable(name, '_')}</code>${remarks.map(remark => html` <small>${line(remark)}</small>`)}</th>
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
    ${fieldTable(`Fields of ${name}`, fields, side)}${rulesBelow(inner)}
  </details>`
}

/** The object type of a field or of its list items. Named schemas are linked instead. */
function objectIn(schema: Schema): Schema | undefined {
  if (schema.properties) return schema
  if (schema.items) return objectIn(schema.items)
  return (schema.anyOf ?? schema.oneOf)?.map(objectIn).find(found => found !== undefined)
}
