import { fuzz } from '../fuzz.ts'

fuzz('rooms')
