import { fuzz } from '../fuzz.ts'

fuzz('goals')
