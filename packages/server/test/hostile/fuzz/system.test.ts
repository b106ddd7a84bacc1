import { fuzz } from '../fuzz.ts'

fuzz('system')
