// SPDX-License-Identifier: MIT
pragma solidity ^0.8.24;

/// A contract wallet (ERC-1271) of one key, in as few words as it takes. What follows the key's 65 bytes is not looked
/// at: other wallets put the answers of passkeys there.
contract KeyWallet {
    address private immutable owner;

    constructor(address given) {
        owner = given;
    }

    function isValidSignature(bytes32 digest, bytes calldata signature) external view returns (bytes4) {
        if (signature.length < 65) return 0xffffffff;
        address signer =
            ecrecover(digest, uint8(signature[64]), bytes32(signature[0:32]), bytes32(signature[32:64]));
        return signer != address(0) && signer == owner ? this.isValidSignature.selector : bytes4(0xffffffff);
    }
}

/// Deploys such wallets at addresses that are known before, and does what else it is told, for whoever asks.
contract WalletFactory {
    function create(address owner, bytes32 salt) public returns (address) {
        return address(new KeyWallet{salt: salt}(owner));
    }

    function createAndCall(address owner, bytes32 salt, address target, bytes calldata data) external {
        create(owner, salt);
        (bool done,) = target.call(data);
        done;
    }

    function createAndBurn(address owner, bytes32 salt, uint256 gas) external {
        create(owner, salt);
        uint256 left = gasleft();
        while (left - gasleft() < gas) {}
    }

    function addressOf(address owner, bytes32 salt) external view returns (address) {
        bytes32 code = keccak256(abi.encodePacked(type(KeyWallet).creationCode, abi.encode(owner)));
        return address(uint160(uint256(keccak256(abi.encodePacked(hex"ff", address(this), salt, code)))));
    }
}
