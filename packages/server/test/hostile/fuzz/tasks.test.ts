import { fuzz } from '../fuzz.ts'

fuzz('tasks')
