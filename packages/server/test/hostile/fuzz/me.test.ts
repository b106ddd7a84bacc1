import { fuzz } from '../fuzz.ts'

fuzz('me')
