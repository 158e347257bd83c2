import { afterAll, beforeAll, describe } from 'vitest'
import { type RunningService, startService } from '../support/running-service.ts'
import { discoveryDocuments } from './discovery-documents.ts'
import { machineDescription } from './machine-description.ts'

let running: RunningService
const service = () => running

beforeAll(async () => {
  running = await startService()
}, 60_000)
afterAll(() => running?.stop())

// The published interface, section by section, against one running installation.
describe('Marketplace API', () => {
  discoveryDocuments(service)
  machineDescription(service)
})
