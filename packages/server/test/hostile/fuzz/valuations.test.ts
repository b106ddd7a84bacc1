import { fuzz } from '../fuzz.ts'

fuzz('valuations')
