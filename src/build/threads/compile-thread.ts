import { compileWriting } from '../compile-writing.ts'
import { serveThread } from './serve-thread.ts'

serveThread((task: Parameters<typeof compileWriting>) => compileWriting(...task))
