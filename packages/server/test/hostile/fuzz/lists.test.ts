import { fuzz } from '../fuzz.ts'

fuzz('lists')
