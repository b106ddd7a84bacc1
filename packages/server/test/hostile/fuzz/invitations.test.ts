import { fuzz } from '../fuzz.ts'

fuzz('invitations')
