import { fuzz } from '../fuzz.ts'

fuzz('activity')
