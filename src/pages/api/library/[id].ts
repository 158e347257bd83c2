import { libraryRoute } from '../../../endpoints/library-route.ts'

export const prerender = false

export const ALL = libraryRoute({
  GET: (library, { request, params }) => library.download(request, params['id'] ?? ''),
})
