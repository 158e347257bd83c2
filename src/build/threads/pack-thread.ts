import { compress } from '../compress.ts'
import { serveThread } from './serve-thread.ts'

serveThread(compress)
