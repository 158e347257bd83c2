// Signs the operator in with a wallet of this browser. Without one, the message can be signed elsewhere and pasted.
const form = document.querySelector('form[data-wallet]')
const button = form?.querySelector('[data-wallet-button]')
const wallet = window.ethereum

const toHex = (text) =>
  `0x${[...new TextEncoder().encode(text)].map((byte) => byte.toString(16).padStart(2, '0')).join('')}`

async function sign() {
  const status = form.querySelector('[data-wallet-status]')
  button.disabled = true
  status.textContent = 'Look at your wallet.'
  try {
    const accounts = await wallet.request({ method: 'eth_requestAccounts' })
    const wanted = form.dataset.wallet.toLowerCase()
    const account = accounts.find((each) => each.toLowerCase() === wanted)
    if (account) {
      const message = toHex(form.querySelector('[data-wallet-message]').textContent)
      form.elements.signature.value = await wallet.request({ method: 'personal_sign', params: [message, account] })
      form.requestSubmit(form.querySelector('button[value=wallet]'))
      return
    }
    status.textContent = 'Your wallet did not offer the account that is paid. Choose it there and try again.'
  } catch {
    status.textContent = 'Your wallet did not sign.'
  }
  button.disabled = false
}

if (button && wallet) {
  button.hidden = false
  button.addEventListener('click', () => void sign())
}
