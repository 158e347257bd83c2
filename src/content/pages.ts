import { type CollectionEntry, getCollection } from 'astro:content'
import { byId } from './by-id.ts'

/** The texts of `content/pages`, sorted by id. Build-time only. */
export const getPages = async (): Promise<CollectionEntry<'pages'>[]> => (await getCollection('pages')).toSorted(byId)
