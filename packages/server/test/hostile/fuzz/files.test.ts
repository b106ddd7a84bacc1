import { fuzz } from '../fuzz.ts'

fuzz('files')
