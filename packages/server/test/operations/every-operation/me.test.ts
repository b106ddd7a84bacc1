import { testEveryOperation } from '../every-operation.ts'

testEveryOperation('me')
