import { randomBytes } from 'node:crypto'
import { mutation } from '@wbs/contract/operation'
import { nullable, open } from '@wbs/contract/schema'
import { T } from '@wbs/contract/json/type'
import { implement } from '../../src/call/implement.ts'
import { Problem } from '../../src/call/problem.ts'
import { read, write } from '../../src/database/statement.ts'

/**
 * A mutation as a slice would declare it, with every feature of the path: a resource that may be hidden, a state, a
 * revision, a receipt, an event and a secret. Notes are stored in the Workspace's metadata.
 */
export const editNote = mutation('edit_note', {
  http: 'PATCH /v1/notes/{note_id}',
  summary: 'Change a note.',
  tag: 'Tests',
  audience: 'workspace',
  scope: 'rooms:write',
  input: {
    note_id: T.String({ maxLength: 50 }),
    expected_revision: T.Integer({ minimum: 0, maximum: 2 ** 31 - 1 }),
    text: T.String({ maxLength: 1000 }),
    labels: T.Optional(T.Record(T.String(), T.String())),
  },
  output: {
    note: open({
      note_id: T.String(),
      text: T.String(),
      revision: T.Integer(),
      edit_token: nullable(T.String()),
    }),
  },
  status: 200,
  receipt: { key: 'action_receipt', names: ['action'] },
  emits: ['workspace.created'],
  secrets: ['edit_token'],
  problems: ['not_found', 'state_conflict', 'revision_conflict'],
  tagged: 'r',
})

interface NoteRow {
  revision: number
  archived: boolean | null
}

const visibleNote = `metadata #> array['notes', :note_id] is not null
  and not coalesce(metadata #> array['notes', :note_id, 'hidden_from'] ? :user_id, false)`

const noteSeen = read<NoteRow>(
  'test_note_seen',
  `select revision from workspaces where id = :workspace_id and ${visibleNote}`,
)
const noteLocked = write<NoteRow>(
  'test_note_locked',
  `select revision, (metadata #> array['notes', :note_id, 'archived'])::boolean as archived
   from workspaces where id = :workspace_id and ${visibleNote} for no key update`,
)
const noteSaved = write<NoteRow>(
  'test_note_saved',
  `update workspaces set revision = revision + 1, metadata = jsonb_set(metadata, array['notes', :note_id, 'text'], to_jsonb(:text::text))
   where id = :workspace_id and revision = :expected_revision returning revision`,
)

export interface Probe {
  implementation: ReturnType<typeof implement<typeof editNote>>
  /** How often the handler ran. */
  runs: number
  /** Awaited before the handler reads the note. */
  atFirst: () => Promise<void>
  /** Awaited after the handler has locked the note. */
  meanwhile: () => Promise<void>
  /** The secrets that the handler returned. */
  secrets: string[]
}

export function createProbe(): Probe {
  const nothing = async () => {}
  const probe: Probe = {
    implementation: handler(),
    runs: 0,
    atFirst: nothing,
    meanwhile: nothing,
    secrets: [],
  }

  function handler() {
    return implement(
      editNote,
      async ({ note_id, expected_revision, text }, { caller, standing, tx, refuse }) => {
        probe.runs++
        const { workspace_id } = standing
        await probe.atFirst()
        const [note] = await tx.run(noteLocked, { workspace_id, note_id, user_id: caller.user_id })
        if (!note) throw refuse.not_found('There is no such note.')
        await probe.meanwhile()
        if (note.archived)
          throw refuse.state_conflict('The note is archived.', { current_status: 'archived' })
        if (note.revision !== expected_revision)
          throw refuse.revision_conflict('Somebody changed the note.', {
            expected: expected_revision,
            current: note.revision,
            changed_fields: ['text'],
          })
        tx.save(noteSaved, { workspace_id, note_id, text, expected_revision })
        const edit_token = `secret-${randomBytes(12).toString('hex')}`
        probe.secrets.push(edit_token)
        const revision = expected_revision + 1
        return {
          result: { note: { note_id, text, revision, edit_token } },
          revision,
          resource: { type: 'note' as 'room', id: note_id }, // a type of no slice
          changed: ['text'],
          events: [{ type: 'workspace.created', subject: { type: 'note', id: note_id, name: null } }],
        }
      },
      {
        visible: async ({ note_id }, { caller, standing, tx }) => {
          const seen = await tx.one(noteSeen, {
            workspace_id: standing.workspace_id,
            note_id,
            user_id: caller.user_id,
          })
          if (!seen) throw new Problem('not_found', 'There is no such note.', {})
        },
      },
    )
  }
  return probe
}
