import { toNodeHandle } from '../http/node-handle.ts'
import type { Handle, NodeHandle, Route } from '../http/route.ts'

/** A handler that is told who asks, as the front has written it in place of what was forwarded. */
const toCallerHandle = (handle: Handle): NodeHandle =>
  toNodeHandle(async (request, name) => handle(request, name, request.headers.get('x-forwarded-for') ?? ''))

/** A route whose handlers are told who asks. */
export const toCallerRoute = ({ handlers, ...route }: Route): Route<NodeHandle> => ({
  ...route,
  handlers: Object.fromEntries(Object.entries(handlers).map(([method, handle]) => [method, toCallerHandle(handle)])),
})
