import { expect, it } from 'vitest'
import { makeSampleBundle } from '../support/sample-bundle.ts'

it('the sample on the page of the packer is what the packer makes', async () => {
  await expect(makeSampleBundle()).toMatchFileSnapshot('../../functions/llms-pack/sample-bundle.txt')
})
