import { testEveryOperation } from '../every-operation.ts'

testEveryOperation('connections')
