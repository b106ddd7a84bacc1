import type { Operation } from '@wbs/contract/operation'
import type { FastifyRequest } from 'fastify'
import { unavailable } from '../call/problem.ts'

declare module 'fastify' {
  interface FastifyRequest {
    /** It holds one of the places that admission gives out. */
    admitted: boolean
  }
}

/** Bounds how many requests are worked on at once, so that too many are refused at once rather than all made slow. */
export interface Admission {
  /** Takes a place. Throws unavailable if none is free; what tells whether the service lives is let in always. */
  enter(operation: Operation, request: FastifyRequest): void
  /** Gives the place back; harmless where none was taken. */
  leave(request: FastifyRequest): void
}

/** A fifth of the places is for changes alone: a flood of searches, which anyone may send, must not shut them out. */
export function createAdmission(capacity: number): Admission {
  let underWay = 0
  return {
    enter(operation, request) {
      if (operation.tag === 'System') return
      const places = operation.kind === 'mutation' ? capacity : Math.ceil(capacity * 0.8)
      if (underWay >= places) throw unavailable('Too many requests are under way; try again.')
      underWay++
      request.admitted = true
    },
    leave(request) {
      if (!request.admitted) return
      request.admitted = false
      underWay--
    },
  }
}
