import { testEveryOperation } from '../every-operation.ts'

testEveryOperation('files', 'activity', 'me', 'system')
