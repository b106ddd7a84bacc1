import { fuzz } from '../fuzz.ts'

fuzz('connections')
