import { fuzz } from '../fuzz.ts'

fuzz('businesses')
