import { afterAll, beforeAll, describe } from 'vitest'
import { type RunningService, startService } from '../support/running-service.ts'
import { addresses } from './addresses.ts'
import { authentication } from './authentication.ts'
import { discoveryDocuments } from './discovery-documents.ts'
import { errors } from './errors.ts'
import { freeRoutes } from './free-routes.ts'
import { gameHostRoutes } from './game-host-routes.ts'
import { gameSession } from './game-session.ts'
import { indexes } from './indexes.ts'
import { limits } from './limits.ts'
import { machineDescription } from './machine-description.ts'
import { paidRoutes } from './paid-routes.ts'
import { resources } from './resources.ts'
import { statesAndTransitions } from './states-and-transitions.ts'
import { versioning } from './versioning.ts'
import { whatTheServiceDoes } from './what-the-service-does.ts'

let running: RunningService
const service = () => running

beforeAll(async () => {
  running = await startService()
})
afterAll(() => running?.stop())

// The published interface against one running installation: a file for each section, and a test for each row.
describe('Marketplace API', () => {
  whatTheServiceDoes(service)
  resources(service)
  statesAndTransitions(service)
  freeRoutes(service)
  discoveryDocuments(service)
  indexes(service)
  addresses(service)
  machineDescription(service)
  paidRoutes(service)
  gameHostRoutes(service)
  gameSession(service)
  authentication(service)
  errors(service)
  limits(service)
  versioning(service)
})
