import type { StartedService } from '../mutations/mutations-services.ts'

/** What each part of the bench is given: a service of its own, the folder of its data, and the options. */
export interface FilesBench {
  service: StartedService
  folder: string
  rounds: number
  seconds: number
  mib: number
}
