import { expect, it } from 'vitest'
import { makeSampleBundle } from '../support/sample-bundle.ts'

it('the sample on the page of the packer is what the packer makes', async () => {
  await expect(makeSampleBundle()).toMatchFileSnapshot('../../src/components/samples/sample-bundle.txt')
})
