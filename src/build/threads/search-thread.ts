import { writeSearchIndex } from '../../search/write-search-index.ts'
import { serveThread } from './serve-thread.ts'

serveThread((task: Parameters<typeof writeSearchIndex>) => writeSearchIndex(...task))
