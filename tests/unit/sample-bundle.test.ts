import { expect, it } from 'vitest'
import { makeSampleBundle } from '../support/sample-bundle.ts'

it('the sample on the page of the packer is real output of the packer', async () => {
  await expect(makeSampleBundle()).toMatchFileSnapshot('../../functions/llms-pack/sample-bundle.txt')
})
