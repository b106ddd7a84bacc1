export { createClient, type AnswerOf, type Client, type ListMethod, type Method } from './client.ts'
export type { CallOptions, ClientSettings } from './settings.ts'
export { isProblem, ProblemError, UnexpectedAnswer } from './errors.ts'
export type { InputError, ProblemBody, ProblemCode } from '@wbs/contract/problems'
