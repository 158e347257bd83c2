import { libraryRoute } from '../../../endpoints/library-route.ts'

export const prerender = false

export const ALL = libraryRoute({ POST: (library, { request }) => library.signOut(request) })
