import { testEveryOperation } from '../every-operation.ts'

testEveryOperation('goals', 'tasks', 'connections')
