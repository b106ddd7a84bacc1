import { fuzz } from '../fuzz.ts'

fuzz('workspaces')
