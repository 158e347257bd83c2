import { createRequire } from 'node:module'

// Loaded by Node.js itself: Astro reads this file with Vite, which takes two seconds for the modules behind it.
const load = createRequire(import.meta.url)
const { defineCollections }: typeof import('./define-collections.ts') = load('./define-collections.ts')

export const collections = await defineCollections()
