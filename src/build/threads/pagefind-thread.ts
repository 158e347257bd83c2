import { doPagefindTask } from '../run-pagefind.ts'
import { serveThread } from './serve-thread.ts'

serveThread(doPagefindTask)
