import { toNodeHandle } from '../http/node-handle.ts'
import type { Handle, NodeHandle, Route } from '../http/route.ts'

/**
 * Passes the address of the client to a handler. The front has put it into `X-Forwarded-For`, in place of what the
 * client sent.
 */
const toCallerHandle = (handle: Handle): NodeHandle =>
  toNodeHandle(async (request, name) => handle(request, name, request.headers.get('x-forwarded-for') ?? ''))

/** A route whose handlers get the address of the client. */
export const toCallerRoute = ({ handlers, ...route }: Route): Route<NodeHandle> => ({
  ...route,
  handlers: Object.fromEntries(Object.entries(handlers).map(([method, handle]) => [method, toCallerHandle(handle)])),
})
