import type { TaskKind } from '@wbs/contract/tasks/task-schema'
import type { RequestTemplate } from '@wbs/contract/tasks/requests'

/** One request of a list: what becomes a Task. */
export interface TemplateRequest {
  kind: TaskKind
  title: string
  description: string | null
}

/** A diligence request list that the service has. */
export interface Template {
  template: RequestTemplate
  title: string
  description: string
  /** The public checklists and rules from which the list was made. Its words are our own. */
  sources: readonly { title: string; url: string }[]
  sections: readonly { section: string; requests: readonly TemplateRequest[] }[]
}

const ofKind =
  (kind: TaskKind) =>
  (title: string, description: string | null = null): TemplateRequest => ({ kind, title, description })

/** A document that is to be sent. */
export const document = ofKind('evidence_request')
/** Something that is to be answered in words. */
export const question = ofKind('question')
/** Something that is to be done. */
export const task = ofKind('task')
