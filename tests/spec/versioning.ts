import { describe, expect, it } from 'vitest'
import { getJson, readTerms, type Service } from './asking.ts'

export function versioning(service: Service): void {
  describe('Versioning', () => {
    it('1. the catalog is 1.0, the manifest says its version, the description is OpenAPI 3.1.0 of interface 1.0.0', async () => {
      expect((await getJson(service, '/api/catalog.json')).version).toBe('1.0')
      expect((await getJson(service, '/skills.json')).version).toEqual(expect.any(String))
      const { openapi, info } = await getJson(service, '/openapi.json')
      expect([openapi, info.version]).toEqual(['3.1.0', '1.0.0'])
    })

    it('2. payments are x402 version 2', async () => {
      expect(readTerms(await service().fetch('/llms-full.txt')).x402Version).toBe(2)
    })

    it('3. and 4. clients find paths through pointers, and no path has a version', async () => {
      const { pointers } = await getJson(service, '/api/catalog.json')
      const { paths } = await getJson(service, '/openapi.json')
      for (const path of [...Object.values<string>(pointers), ...Object.keys(paths)])
        expect(path).not.toMatch(/\/v\d+\b/)
    })
  })
}
