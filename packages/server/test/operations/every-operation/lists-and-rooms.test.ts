import { testEveryOperation } from '../every-operation.ts'

testEveryOperation('lists', 'rooms')
